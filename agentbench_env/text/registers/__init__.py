"""Which register a text is written in."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final, cast

from agentbench_env.text.language import language_of
from agentbench_env.text.own import own_text

__all__ = ["register_of"]

_MODULES: Final = {"ko": "ko", "ja": "ja", "zh-Hant": "zh", "th": "th", "ar": "ar", "en": "en"}


def register_of(text: str, language: str = "") -> str:
    """Return the cell of register of the writer's own words, or none where their language has no cells.

    `language` is the language to read them in; without it, it is found.
    """
    own = own_text(text)
    module = _MODULES.get(language or language_of(own))
    if module is None:
        return "none"
    register = cast(Callable[[str], str], import_module(f"agentbench_env.text.registers.{module}").register)
    return register(own)
