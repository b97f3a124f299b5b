"""A reply that went to the wrong person: what it disclosed, whether it can be taken back, and both corrections."""
