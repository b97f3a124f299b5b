"""Is there really a table at that hour: what is drawn, what is right, and how it is checked."""
