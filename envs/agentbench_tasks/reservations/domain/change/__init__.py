"""Contract 04.08: a table is moved or made smaller online, or its house is asked, and the new cut-off is named."""
