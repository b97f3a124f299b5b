"""Providers that several domains share: published pages, the user's papers, days, zones, sums, notes, mail, wallet.

A module holds the records of a provider and the tools over them. Tools know nothing of tasks; what differs by world
(mailbox, address book, private strings, rounding note) stands in `World.settings`.
"""
