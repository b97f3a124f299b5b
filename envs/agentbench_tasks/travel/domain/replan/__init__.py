"""How an instance of the disruption task is drawn: story, alternatives, traps, proof, papers."""
