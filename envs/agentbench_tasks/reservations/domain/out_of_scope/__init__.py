"""A booking that only the guest can make: which step stops it, in which channel, from when, with what at hand."""
