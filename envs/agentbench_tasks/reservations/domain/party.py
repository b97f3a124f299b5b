"""The number of guests that a rule speaks of."""

from __future__ import annotations

import msgspec


class PartyRange(msgspec.Struct, frozen=True, gc=False):
    """A span of party sizes, both ends included; a `max` of 0 is no upper limit."""

    min: int = 1
    max: int = 0

    def holds(self, party_size: int) -> bool:
        """Whether a party is of such a size."""
        return self.min <= party_size and (not self.max or party_size <= self.max)


ANY_PARTY = PartyRange()
