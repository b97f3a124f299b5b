"""Policies: the scripted ones that prove a task, and what drives any policy through an environment."""
