"""Travel and accommodation: journeys, stays and claims at simulated carriers, channels and authorities."""

EVIDENCE = (
    "The operator's or house's own record at the end for each object that the answer or plan names, with the quote, "
    "hold or page it was taken from.",
    "Every call that books, holds, pays, files or applies, with the approvals used and the tables before and after.",
)
"""What a contract of this domain asks to be shown with its verdict."""
