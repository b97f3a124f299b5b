"""Other interfaces to the same episodes: one module a stack, imported by those alone who use it."""
