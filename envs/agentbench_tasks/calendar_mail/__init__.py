"""Mail and calendar: mailboxes, calendars, people and house rules of an office."""

EVIDENCE = (
    "Each event that the task touched, as it was and as it is: start and end with their zone, rule, exclusions, "
    "guests; and the folder of each message.",
    "Every call that reached somebody or changed something, with the approvals used; for tasks that only look, the "
    "answer with the records of each claim.",
)
"""What a contract of this domain asks to be shown with its verdict."""
