"""Contract 04.02: an enquiry from which a local firm can quote."""
