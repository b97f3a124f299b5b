"""Contract 04.05: the places that meet two musts, with what their own words or a dated review bear out."""
