"""How late the journey left and arrived: planted beside the thresholds of the terms, never on them."""

from __future__ import annotations

import msgspec

from agentbench_env.draw import Draw
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.refund_claim.terms import Terms


class Delays(msgspec.Struct, frozen=True, gc=False):
    """Minutes late at departure and arrival, and which trap is set beside a threshold."""

    departure: int
    arrival: int
    other_end: bool
    """Measured at the other end the delay would reach another step."""
    not_full: bool
    """Little is missing to the next block."""


def draw_delays(draw: Draw, terms: Terms, nil: bool, event: str, minutes: int) -> Delays:
    """Draw a delay that reaches a step of the terms, or with `nil` none."""
    low, high = _span(draw, terms, nil)
    margin = max(5, min(25, minutes // 12, (high - low) // 4))
    near, far = draw.int(5, margin), draw.int(5, margin)
    if event == "missed":
        late = draw.int(low + margin, high - margin)
        return Delays(0, late, False, False)
    style = draw.weighted({"low": 0.35 if low and not nil else 0.0, "high": 0.3, "inside": 0.15, "middle": 0.2})
    if nil:
        style = draw.choice(("high", "inside"))
    if style == "low":
        measured, other = low + near, low - far
    elif style == "high":
        measured, other = high - near, high + far
    elif style == "inside":
        measured, other = high - near, high - near - draw.int(1, 4)
    else:
        measured = draw.int(low + margin, high - margin)
        other = max(low + 1, measured + draw.int(-4, 4))
    departure, arrival = (measured, other) if terms.measured == "departure" else (other, measured)
    if departure < 15 or arrival - departure < -(minutes // 6) - 4:
        raise NoFit
    return Delays(departure, arrival, style in ("low", "high"), style == "inside" and terms.model == "block")


def _span(draw: Draw, terms: Terms, nil: bool) -> tuple[int, int]:
    """Return the minutes from which the step holds and at which the next one begins."""
    if terms.model == "none":
        return 0, draw.int(4, 11) * 60
    if terms.model == "block":
        size = terms.block.minutes
        if nil:
            return 0, size
        full = terms.block.cap_adult // terms.block.adult
        blocks = full + 1 if full <= 3 else draw.int(1, 2)
        return blocks * size, (blocks + 1) * size
    steps = sorted({tier.minutes for tier in terms.tiers})
    if nil:
        return 0, steps[0]
    # The highest step is never right: who always claims it is always wrong.
    place = draw.int(0, len(steps) - 2)
    return steps[place], steps[place + 1]
