"""The office: records, tools, people, and the generators that several tasks share."""
