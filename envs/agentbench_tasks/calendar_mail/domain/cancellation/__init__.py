"""What the cancellation of a meeting is made of: plot, texts, checks and scripted policies."""
