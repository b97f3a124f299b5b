"""Names of a world's people: those who are easily taken for somebody else are drawn fast, and as if drawn slowly."""

from __future__ import annotations

import pytest

from agentbench_env.draw import Draw
from agentbench_env.market import market_codes
from agentbench_env.text.names import PersonName, draw_name
from agentbench_tasks.commons.naming import Namer


def alike_slowly(place: str, draw: Draw, other: PersonName, givens: set[str]) -> PersonName:
    """Write whole names until one is alike."""
    while True:
        name = draw_name(place, "train", draw)
        if name.family_latin == other.family_latin and name.given_latin not in givens:
            return name


@pytest.mark.parametrize("market", market_codes())
def test_a_name_alike_is_the_one_that_whole_names_would_give(market: str) -> None:
    for seed in range(5):
        quick, slow = Draw("alike", market, seed), Draw("alike", market, seed)
        namer, namer_slow = Namer(quick, "train"), Namer(slow, "train")
        other = namer.fresh(market)
        assert namer_slow.fresh(market) == other
        found = namer.alike(market, other)
        assert found == alike_slowly(market, slow, other, {other.given_latin})
        assert quick.random() == slow.random()
