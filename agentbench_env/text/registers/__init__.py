"""Which register a text is written in."""
