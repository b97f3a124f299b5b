"""The true cost of a stay (contract 03.06): story, proof, papers, words, checks, scripted policies."""
