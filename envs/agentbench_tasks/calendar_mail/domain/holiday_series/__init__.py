"""A repeating slot that skips the public holidays of the place (01.02)."""
