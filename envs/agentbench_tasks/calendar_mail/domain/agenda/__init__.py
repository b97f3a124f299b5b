"""Briefing somebody for tomorrow's meetings: threads, open questions and files to read first."""
