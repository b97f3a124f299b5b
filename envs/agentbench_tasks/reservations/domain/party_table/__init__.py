"""A table for a party with one strict dietary need: the story of contract 04.01, its checks and its policies."""
