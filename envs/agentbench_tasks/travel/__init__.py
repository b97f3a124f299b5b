"""Travel and accommodation: journeys, stays and claims at simulated carriers, channels and authorities.

Evidence that a contract of this domain asks for: the operator's or house's own record at the end for each object that
the answer or plan names, with the quote, hold or page it was taken from; and the lineage over every call that books,
holds, pays, files or applies, with the approvals used and the tables before and after.
"""
