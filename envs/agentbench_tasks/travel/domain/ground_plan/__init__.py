"""How an instance of the ground plan is drawn: places and ways, days laid first, misfits, proof, papers."""
