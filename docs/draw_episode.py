"""Draws docs/episode.svg: an expert's episode on a time line, from the calls it really made.

python docs/draw_episode.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

import gymnasium as gym

import agentbench_env as ab
from agentbench_env.policies import load_policy
from agentbench_env.rollout import RecordTrajectory

FILE = Path(__file__).with_name("episode.svg")
ENV_ID = "Agentbench/ta-two-leg-itinerary-SG"
COLOURS = {
    "read": "#5b8fd6",
    "draft": "#8fa3b8",
    "user": "#b07cc6",
    "hold": "#e0a33a",
    "finish": "#3c4a5a",
    "refused": "#d66b5b",
}
GOOD, BAD, INK, FAINT = "#3a9a5c", "#c8402f", "#22303c", "#8794a1"
WIDTH, LEFT, RIGHT, TOP, ROW = 960, 236, 790, 124, 22


class Bar(NamedTuple):
    """One step: when it began and ended, in simulated seconds, and what it was."""

    tool: str
    start: float
    end: float
    kind: str
    note: str
    approval: str
    """The approval that the step brought or used, "" if none."""


class Played(NamedTuple):
    """An episode with what is drawn of it."""

    seed: int
    request: str
    bars: list[Bar]
    verdict: ab.Verdict


def play() -> Played:
    """Play the first seed on which the expert uses two approvals."""
    env = RecordTrajectory(gym.make(ENV_ID))
    seed = 0
    while True:
        observation, _ = env.reset(seed=seed)
        load_policy("expert").run(env, observation)
        core: Any = env.unwrapped
        if sum(bool(entry.approval) for entry in core.lineage) == 2:
            assert env.trajectory is not None
            ends = [0.0, *(step.elapsed_s for step in env.trajectory.steps)]
            bars = [
                bar(entry, core.lineage.content(entry.index), *ends[entry.index : entry.index + 2])
                for entry in core.lineage
            ]
            return Played(seed, json.loads(observation["content"])["request"], bars, core.verdict)
        seed += 1


def bar(entry: ab.Entry, content: str, start: float, end: float) -> Bar:
    """Return what is drawn of a step."""
    result = json.loads(content)
    kind, approval = entry.effect or "refused", entry.approval
    note = ", ".join(f"writes {change.table}" for change in entry.changes)
    if entry.error:
        note = f"refused: {entry.error}"
    elif entry.tool == "user_request_approval":
        asked = json.loads(entry.arguments)["tool"]
        note, approval = f"may I {asked}? {result['decision']}", result["approval_id"]
    elif approval:
        note = f"{note}, with that approval"
    elif kind == "finish":
        note = "the answer, with its sources"
    return Bar(entry.tool, start, end, kind, note, approval)


def text(x: float, y: float, content: str, **attributes: Any) -> str:
    """Return a text element."""
    written = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<text x="{x:g}" y="{y:g}"{written}>{escape(content)}</text>'


def lines_of(words: str, length: int) -> list[str]:
    """Break a text into lines."""
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) > length:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def draw(played: Played) -> str:
    """Return the picture."""
    bars, clauses = played.bars, played.verdict.clauses
    span = max(one.end for one in bars)
    bottom = TOP + ROW * len(bars)
    height = bottom + 64 + 20 * ((len(clauses) + 1) // 2)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="{INK}">',
        f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#ffffff"/>',
        text(20, 28, f"{ENV_ID}, seed {played.seed}", font_size=15, font_weight="bold"),
    ]
    first, second, *rest = lines_of(played.request, 145)
    shown = (first, f"{second} ..." if rest else second)
    parts += [text(20, 48 + 16 * n, line, fill=FAINT) for n, line in enumerate(shown)]
    parts += legend({one.kind: None for one in bars})
    parts += axis(span, bottom)
    granted: dict[str, tuple[float, float]] = {}
    for number, one in enumerate(bars):
        parts += row(one, number, span, granted)
    parts += list_clauses(clauses, bottom + 44, played.verdict)
    return "\n".join([*parts, "</svg>"]) + "\n"


def place(seconds: float, span: float) -> float:
    """Return where an instant stands on the time line."""
    return round(LEFT + (RIGHT - LEFT) * seconds / span, 1)


def legend(kinds: dict[str, None]) -> list[str]:
    """Return the meaning of the colours."""
    parts: list[str] = []
    for number, kind in enumerate(kinds):
        x = 20 + 88 * number
        parts.append(f'<rect x="{x}" y="78" width="12" height="12" rx="2" fill="{COLOURS[kind]}"/>')
        parts.append(text(x + 18, 88, kind))
    return parts


def axis(span: float, bottom: float) -> list[str]:
    """Return the time line's scale."""
    parts = [text(LEFT - 12, 110, "simulated seconds", fill=FAINT, text_anchor="end")]
    for second in range(0, int(span) + 1, 5):
        x = place(second, span)
        parts.append(f'<line x1="{x:g}" y1="{TOP - 6}" x2="{x:g}" y2="{bottom}" stroke="#e6eaee"/>')
        parts.append(text(x, 110, str(second), fill=FAINT, text_anchor="middle"))
    return parts


def row(one: Bar, number: int, span: float, granted: dict[str, tuple[float, float]]) -> list[str]:
    """Return a step's row, with an arrow from the approval that it used."""
    y = TOP + ROW * number
    start, end = place(one.start, span), max(place(one.end, span), place(one.start, span) + 3)
    parts = [text(LEFT - 12, y + 15, one.tool, text_anchor="end", font_family="monospace")]
    colour = COLOURS[one.kind]
    parts.append(f'<rect x="{start:g}" y="{y + 4}" width="{end - start:g}" height="14" rx="3" fill="{colour}"/>')
    if one.note and end + 7 * len(one.note) < WIDTH:
        parts.append(text(end + 8, y + 15, one.note, font_size=11))
    elif one.note:
        parts.append(text(start - 8, y + 15, one.note, font_size=11, text_anchor="end"))
    if one.approval and one.kind == "user":
        granted[one.approval] = (end - 6, y + 18)
    elif one.approval in granted:
        x, above = granted[one.approval]
        tip = f"M{start + 2:g} {y + 4}l-3 -5h6z"
        parts.append(f'<path d="M{x:g} {above}L{start + 2:g} {y + 1}" stroke="{GOOD}" stroke-width="1.5" fill="none"/>')
        parts.append(f'<path d="{tip}" fill="{GOOD}"/>')
    return parts


def list_clauses(clauses: tuple[ab.ClauseResult, ...], y: float, verdict: ab.Verdict) -> list[str]:
    """Return the verdict."""
    head = f"Verdict: {verdict.outcome}, reward {1 if verdict.success else 0}. Judged on the providers' records:"
    parts = [text(20, y - 10, head, font_weight="bold")]
    half = (len(clauses) + 1) // 2
    for number, clause in enumerate(clauses):
        x, line = 20 + 440 * (number // half), y + 12 + 20 * (number % half)
        colour, mark = (GOOD, "M0 -4l4 4l7 -9") if clause.held else (BAD, "M0 -9l9 9m0 -9l-9 9")
        parts.append(
            f'<path transform="translate({x} {line:g})" d="{mark}" stroke="{colour}" stroke-width="2.5" fill="none"/>'
        )
        parts.append(text(x + 20, line, clause.id, font_family="monospace"))
    return parts


if __name__ == "__main__":
    FILE.write_text(draw(play()), encoding="utf-8")
