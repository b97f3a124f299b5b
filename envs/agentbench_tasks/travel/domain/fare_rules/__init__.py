"""The comparison of fare rules: its plot, rules, papers, words, checks and scripts."""
