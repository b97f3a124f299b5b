"""The overbooked house: other places for tonight, and what the party that sold the stay owes."""
