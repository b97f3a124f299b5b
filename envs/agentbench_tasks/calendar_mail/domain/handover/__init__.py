"""Handing over before a leave: the automatic reply for exactly the absence, and a note of what waits for whom."""
