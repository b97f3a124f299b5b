"""Python's collector of cyclic garbage, kept from going through all that is loaded many times an episode."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

YOUNG = 50_000
"""New objects after which garbage is looked for. An episode makes some ten thousand and keeps them until its end."""


@contextmanager
def seldom_collected() -> Generator[None]:
    """Look for cyclic garbage more seldom while the block runs."""
    before = gc.get_threshold()
    gc.set_threshold(max(YOUNG, before[0]), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
