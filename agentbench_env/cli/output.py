"""What every command prints with: rich tables on a terminal, plain text elsewhere, JSON when asked."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, Protocol

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn, TimeRemainingColumn
from rich.table import Column, Table
from rich.text import Text

FAILED = 1
WRONG_USAGE = 2
INTERRUPTED = 130
ESTIMATED_OVER_S = 600.0
"""The seconds that the time remaining is estimated from: a model's episodes take minutes each."""
WIDE = 80
"""Columns of a terminal from which a progress bar has its label and its bar."""
LAST_COLUMN = 24
"""The narrowest that a table's last column is folded to."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Plain = Annotated[bool, typer.Option("--plain", help="Print plain text, as is done where the output is no terminal.")]


class Advance(Protocol):
    """Takes how many are done, of how many, and what else is to be said of them."""

    def __call__(self, done: int, of: int, note: str = "") -> None: ...


class WrongUse(ValueError):
    """The command was called wrongly; the message says what would be right."""


def complain(message: str) -> None:
    """Print one line to the error stream."""
    typer.echo(f"agentbench: {message}", err=True)


class Out:
    """A command's output in the form that was asked for."""

    def __init__(self, json: bool, plain: bool) -> None:
        if json and plain:
            raise WrongUse("--json and --plain exclude each other")
        self.json = json
        self._console = Console(highlight=False)
        self._rich = not json and not plain and self._console.is_terminal

    def data(self, value: Any) -> None:
        """Print a value as JSON."""
        typer.echo(json.dumps(value, ensure_ascii=False, indent=2))

    def line(self, text: str = "") -> None:
        """Print a line."""
        typer.echo(text)

    def head(self, text: str) -> None:
        """Print a heading."""
        if self._rich:
            self._console.print(Text(text, style="bold"))
        else:
            self.line(text)

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Print a table; where the terminal is narrow, only the last column is folded."""
        widths = [max(map(cell_len, column)) for column in zip(columns, *rows, strict=True)]
        needed = sum(widths[:-1]) + 2 * len(widths) + min(widths[-1], LAST_COLUMN)
        if not self._rich or needed > self._console.width:
            for row in (columns, *rows):
                cells = (cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True))
                self.line("  ".join(cells).rstrip())
            return
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for column in columns[:-1]:
            table.add_column(column, no_wrap=True)
        table.add_column(columns[-1], overflow="fold")
        for row in rows:
            table.add_row(*map(Text, row))
        self._console.print(table)


class _CutColumn(TextColumn):
    """A text that is cut off, not wrapped, where it is too long."""

    def render(self, task: Task) -> Text:
        text = super().render(task)
        text.no_wrap, text.overflow = True, "ellipsis"
        return text


@contextmanager
def progress(label: str) -> Generator[Advance]:
    """Show a progress bar on the error stream where that is a terminal."""
    console = Console(stderr=True)
    bar_and_label = TextColumn("{task.description}", markup=False), BarColumn(console.width // 8)
    columns = (
        *(bar_and_label if console.width >= WIDE else ()),
        MofNCompleteColumn(),
        _CutColumn("{task.fields[note]}", table_column=Column()),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns,
        console=console,
        transient=True,
        disable=not sys.stderr.isatty(),
        speed_estimate_period=ESTIMATED_OVER_S,
    ) as bar:
        label = label if len(label) <= console.width // 5 else f"{label[: console.width // 5]}…"
        task = bar.add_task(label, total=None, note="")

        def advance(done: int, of: int, note: str = "") -> None:
            bar.update(task, completed=done, total=of, note=note)

        yield advance


def seconds(value: float | None) -> str:
    """Write seconds, "-" where unknown."""
    return "-" if value is None else f"{value:.1f} s"


def dollars(value: float | None) -> str:
    """Write US dollars, "unknown" where unknown."""
    return "unknown" if value is None else f"{value:.4f} USD"


def share(value: float | None) -> str:
    """Write a share in percent, "-" where there is none."""
    return "-" if value is None else f"{100 * value:.1f} %"
