"""A small policy that learns to have a table changed, from the reward alone.

`reading` turns what an episode has shown into options to point at, `errand` turns choices into calls, `policy` chooses,
`train` learns. docs/training.md says what the policy is given and what it must find out.
"""
