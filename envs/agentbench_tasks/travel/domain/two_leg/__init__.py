"""How an instance of the two-leg journey is drawn: plot, inventory, traps, proof, papers."""
