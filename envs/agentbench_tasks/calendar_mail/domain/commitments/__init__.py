"""Contract 01.03: which promises in a project's mail are still open, whose they are, and by when."""
