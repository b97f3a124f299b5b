"""Contract 04.09: whose table it is, until when it is called off for nothing, and in which channel."""
