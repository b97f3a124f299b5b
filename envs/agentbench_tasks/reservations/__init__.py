"""Reservations and local services: tables, queues, pre-orders and enquiries at simulated venues and firms of a town."""

EVIDENCE = (
    "The booking record itself at the end with venue, party size, date and time, dietary need or certificate where the "
    "task names one; or the handback with its exact step and the venue's record that it rests on.",
    "Every call that confirms, changes, cancels, pays, signs in or reaches somebody, with the approvals used.",
)
"""What a contract of this domain asks to be shown with its verdict."""
