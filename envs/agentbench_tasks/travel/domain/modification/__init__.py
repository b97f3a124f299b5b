"""What the contract of a booking's modification is made of."""
