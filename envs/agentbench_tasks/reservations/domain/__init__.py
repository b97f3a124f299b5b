"""The town: records and tools of its providers, and what several tasks share."""
