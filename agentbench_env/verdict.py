"""Findings of single checks and the verdict over all clauses of a contract."""

from __future__ import annotations

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """What one check found: whether its clause holds, what was expected and observed, and the ids that show it."""

    held: bool
    expected: str = ""
    observed: str = ""
    evidence: tuple[str, ...] = ()


class ClauseResult(msgspec.Struct, frozen=True):
    """A clause with its finding."""

    id: str
    sentence: str
    held: bool
    expected: str
    observed: str
    evidence: tuple[str, ...]

    def __str__(self) -> str:
        mark = "held  " if self.held else "BROKEN"
        lines = [f"{mark} {self.id}: {self.sentence}"]
        if not self.held:
            lines += [f"         expected: {self.expected}", f"         observed: {self.observed}"]
            lines += [f"         evidence: {', '.join(self.evidence)}"] if self.evidence else []
        return "\n".join(lines)


class Verdict(msgspec.Struct, frozen=True):
    """Every clause of the contract, held or broken. The reward is 1 exactly when all of them hold."""

    outcome: str
    clauses: tuple[ClauseResult, ...]

    @property
    def success(self) -> bool:
        """Whether the episode ended by its answer and every clause holds."""
        return self.outcome == "success"

    @property
    def broken(self) -> tuple[str, ...]:
        """The ids of the clauses that do not hold."""
        return tuple(clause.id for clause in self.clauses if not clause.held)

    def __str__(self) -> str:
        return "\n".join([f"outcome: {self.outcome}", *map(str, self.clauses)])
