"""Which file is current in a long thread: its versions, its traps, the people who write in it."""
