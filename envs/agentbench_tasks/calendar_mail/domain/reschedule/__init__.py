"""How an instance of the three-party rescheduling is drawn: weeks, the plan of the week, mails, events, the proof."""
