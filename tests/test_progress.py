"""The progress bar of long commands, as wide and as narrow terminals show it."""

from __future__ import annotations

import io
import re
from functools import partial

import pytest
from rich.console import Console

from agentbench_env.cli import output


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (120, r"^chat:a-model-of-a-long-n… .*━.* 12/40 success 50.0 %, infra 2, 3.2/s \d:\d\d:\d\d$"),
        (80, r"^chat:a-model-of-… .*━.* 12/40 success 50.0 %, infra 2, 3.2/s \d:\d\d:\d\d$"),
        (60, r"^12/40 success 50.0 %, infra 2, 3.2/s \d:\d\d:\d\d$"),
        (34, r"^12/40 success 50.0 %, inf… \d:\d\d:\d\d$"),
    ],
)
def test_a_bar_is_one_line_however_narrow_the_terminal(monkeypatch, width, shown):
    screen = io.StringIO()
    monkeypatch.setattr(output, "Console", lambda stderr: Console(file=screen, force_terminal=True, width=width))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    # In a moment many episodes have ended, so that the time remaining is known.
    monkeypatch.setattr(
        output, "Progress", partial(output.Progress, auto_refresh=False, get_time=iter(range(99)).__next__)
    )
    with output.progress("chat:a-model-of-a-long-name-from-somewhere") as advance:
        for done in (0, 6, 12):
            advance(done, 40, "success 50.0 %, infra 2, 3.2/s")
        screen.seek(0)
        screen.truncate()
    (line,) = filter(None, map(str.rstrip, re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue()).splitlines()))
    assert re.match(shown, line)
