"""Templates with named slots, filled with ready-made strings whose places in the result are kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from agentbench_env.text.korean import particle

Span = tuple[int, int]

_TOKEN = re.compile(r"\{\{|\}\}|\{([a-z][a-z0-9_]*)\}|[{}]")


class SlotError(ValueError):
    """A template and the slots it is filled with do not fit."""


def fill(template: str, slots: Mapping[str, str]) -> tuple[str, dict[str, Span]]:
    """Put `slots` into the `{slots}` of `template`; return the text and the span of each slot's first occurrence.

    Every slot must be there and be used. `{{` and `}}` stand for braces. A Korean particle that follows a slot in both
    its forms becomes the one that fits.
    """
    pieces = _compiled(template)
    spans: dict[str, Span] = {}
    parts: list[str] = []
    place = 0
    value = ""
    for literal, name in pieces:
        if value and "(" in literal[:6]:
            literal = particle(value, literal, "".join(parts))
        parts.append(literal)
        place += len(literal)
        if name:
            try:
                value = slots[name]
            except KeyError:
                raise SlotError(f"slot {name!r} is missing for the template {template!r}") from None
            parts.append(value)
            if name not in spans:
                spans[name] = (place, place + len(value))
            place += len(value)
    if len(spans) != len(slots):
        unknown = ", ".join(repr(name) for name in slots if name not in spans)
        raise SlotError(f"slot {unknown} is not in the template {template!r}")
    return "".join(parts), spans


def slot_names(template: str) -> tuple[str, ...]:
    """Return the names of the slots of `template`, each once, in order."""
    return tuple(dict.fromkeys(name for _, name in _compiled(template) if name))


@cache
def _compiled(template: str) -> tuple[tuple[str, str], ...]:
    pieces: list[tuple[str, str]] = []
    literal = ""
    last = 0
    for token in _TOKEN.finditer(template):
        literal += template[last : token.start()]
        last = token.end()
        if token[1]:
            pieces.append((literal, token[1]))
            literal = ""
        elif len(token[0]) == 2:
            literal += token[0][0]
        else:
            raise SlotError(f"stray {token[0]!r} at {token.start()} in the template {template!r}")
    pieces.append((literal + template[last:], ""))
    return tuple(pieces)
