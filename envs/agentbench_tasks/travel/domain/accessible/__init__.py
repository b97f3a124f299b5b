"""How an instance of the accessible stay is drawn: needs, houses, what their listings state, the proof, the papers."""
