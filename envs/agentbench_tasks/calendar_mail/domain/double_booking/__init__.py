"""Two meetings at one time: which of them the house's rules move, and where it can go."""
