"""How an instance of a claim for a late or cancelled journey is drawn: plot, terms, papers, proof."""
