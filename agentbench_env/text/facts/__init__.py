"""Whether a text states a fact: a date, a time, an amount, a name or an id, in any way that a native would write it."""
