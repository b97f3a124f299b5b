"""Other interfaces to the same episodes: one module a stack, each an optional extra."""
