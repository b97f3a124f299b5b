"""When an invitation really is: what was agreed, what its file and its text say, and how they part."""
