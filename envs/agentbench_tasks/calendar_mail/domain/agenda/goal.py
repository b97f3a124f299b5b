"""What is right about a meeting."""

from __future__ import annotations

import msgspec

from agentbench_tasks.commons.texts import Text


class Goal(msgspec.Struct, frozen=True):
    """What is right about one meeting. Facts of its thread bear the key of the meeting."""

    key: str
    event_id: str
    """Of the instance, for a series."""
    thread_id: str
    open: str
    """What the open question is about."""
    sentences: dict[str, Text]
    """The questions as they were asked, by what they are about."""
    asked_in: dict[str, str]
    """The mail that asked each."""
    document: str
    """The content to read first."""
    files: dict[str, str]
    """The first attachment with each content of the thread."""
    told_by: str
    """The mail that told to read that content first."""
    lookalike: str
    """A thread that this meeting is easily taken to come from, "" if there is none."""
