"""The travel world: records, tools, prices, and the generators that several tasks share."""
