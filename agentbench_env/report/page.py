"""Pages: one HTML file with its style, scripts and data in it. Nothing is fetched, and its policy forbids it."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

import msgspec

REPORT = ("dom.js", "values.js", "figures.js", "parts.js", "compare.js", "table.js", "episode.js", "overview.js")
LEADERBOARD = ("dom.js", "values.js", "parts.js", "compare.js", "leaderboard.js")
ESCAPED = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
"""Signs that could end or open an element; in JSON they stand only in texts, where an escape says the same."""


def render(scripts: tuple[str, ...], data: dict[str, Any]) -> str:
    """Return a page that draws `data` by scripts of the `assets` folder; `data["title"]` is its title."""
    style, script = _asset("look.css"), "".join(map(_asset, scripts))
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return Template(_asset("page.html")).substitute(
        policy=policy, title=escape(data["title"]), style=style, script=script, data=embedded(data)
    )


def embedded(data: Any) -> str:
    """Return data as JSON that is safe inside a script element, whatever texts are in it."""
    return msgspec.json.encode(data).decode().translate(ESCAPED)


def _asset(name: str) -> str:
    return (files("agentbench_env.report") / "assets" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
