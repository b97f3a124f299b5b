"""Drawing again until an attempt is an instance."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from agentbench_env.draw import Draw

T = TypeVar("T")
MOST_ATTEMPTS = 64


class NoFit(Exception):
    """What was drawn cannot be an instance: another attempt is needed."""


def first_fit(draw: Draw, attempt: Callable[[Draw], T], most: int = MOST_ATTEMPTS) -> T:
    """Return what the first attempt that fits gives; each has a stream of its own.

    Raises:
        RuntimeError: none of `most` attempts fits.
    """
    for number in range(most):
        try:
            return attempt(draw.stream(f"attempt {number}"))
        except NoFit:
            continue
    raise RuntimeError(f"none of {most} attempts fits for {draw.key}")
