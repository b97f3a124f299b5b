"""Draw docs/learning.svg: the curves of trainings, and their mean.

PYTHONPATH=examples python -m learn.draw_curves docs/learning.svg docs/learning-?.json
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 360, 56, 590, 44, 310
COLOURS = {"success": "#3a9a5c", "violation": "#c8402f"}
TITLES = {"success": "success", "violation": "boundary crossed"}
INK, FAINT = "#22303c", "#c9d2da"


def drawn(runs: Sequence[Sequence[dict[str, Any]]]) -> str:
    """Return the picture of runs, each a list of points {episodes, success, violation}."""
    parts = [*_frame(runs[0][-1]["episodes"])]
    for name, colour in COLOURS.items():
        for run in runs:
            parts.append(_line(run, [point[name] for point in run], colour, "1", "0.35"))
        means = [sum(run[place][name] for run in runs) / len(runs) for place in range(len(runs[0]))]
        parts.append(_line(runs[0], means, colour, "2.5", "1"))
        label = f"{TITLES[name]}: {means[-1]:.1%}"
        parts.append(_text(RIGHT + 8, _y(means[-1]) + 4, label, colour))
    head = "Unseen test instances, by episodes of training (thin: each training; thick: their mean)"
    parts.append(_text(LEFT, 24, head, INK))
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        f'font-size="13">\n<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


def _frame(episodes: int) -> Iterator[str]:
    for percent in range(0, 101, 20):
        y = _y(percent / 100)
        yield f'<line x1="{LEFT}" y1="{y:.1f}" x2="{RIGHT}" y2="{y:.1f}" stroke="{FAINT}"/>'
        yield _text(LEFT - 8, y + 4, f"{percent} %", INK, "end")
    for fifth in range(6):
        share = episodes * fifth // 5
        yield _text(_x(share, episodes), BOTTOM + 22, f"{share:,}", INK, "middle")


def _line(run: Sequence[dict[str, Any]], values: Sequence[float], colour: str, width: str, opacity: str) -> str:
    most = run[-1]["episodes"]
    points = " ".join(f"{_x(at['episodes'], most):.1f},{_y(value):.1f}" for at, value in zip(run, values, strict=True))
    style = f'stroke="{colour}" stroke-width="{width}" opacity="{opacity}"'
    return f'<polyline points="{points}" fill="none" {style}/>'


def _text(x: float, y: float, text: str, colour: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}">{text}</text>'


def _x(episodes: int, most: int) -> float:
    return LEFT + (RIGHT - LEFT) * episodes / most


def _y(share: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * share


def main() -> None:
    picture, *files = map(Path, sys.argv[1:])
    runs = [json.loads(file.read_text(encoding="utf-8"))["test"] for file in files]
    picture.write_text(drawn(runs), encoding="utf-8")


if __name__ == "__main__":
    main()
