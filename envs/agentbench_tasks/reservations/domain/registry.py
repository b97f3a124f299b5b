"""The public look-up of certificates, expired and withdrawn ones included."""

from __future__ import annotations

import re
from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.text.fold import fold
from agentbench_env.tool import Tool
from agentbench_env.world import Record, World
from agentbench_tasks.commons.texts import Stated

MOST_ROWS = 10
Scheme = Literal["halal", "muslim_friendly", "vegan", "vegetarian", "allergen"]
CertificateScope = Literal["whole_outlet", "kitchen", "named_menu"]
CertificateStatus = Literal["valid", "expired", "suspended", "withdrawn"]
_SEPARATORS = re.compile(r"[\W_]+")


class Certificate(Record, frozen=True, gc=False):
    """A row of a certifying body's register."""

    scheme: Scheme
    body: str
    number: str
    holder: str
    outlet_name: str
    outlet_address: str
    scope: CertificateScope
    valid_from: str
    valid_to: str
    status: CertificateStatus
    scope_note: str = ""
    """The menu that is certified, where the scope is one."""
    stated: tuple[Stated, ...] = ()

    def facts(self, world: World) -> dict[str, object]:
        """What it states."""
        return {fact.key: fact.value for fact in self.stated}


class CertificateRow(msgspec.Struct, frozen=True):
    """A certificate as the register prints it."""

    certificate_id: str
    scheme: str
    body: str
    number: str
    holder: str
    outlet_name: str
    outlet_address: str
    scope: str
    scope_note: str
    valid_from: str
    valid_to: str
    status: str


class CertificateRows(msgspec.Struct, frozen=True):
    """What `registry_check_certificate` returns."""

    certificates: list[CertificateRow]
    total: int


class RegistryCheckCertificate(Tool):
    """Look certificates up by number or outlet. Expired, suspended and withdrawn ones are found too, at most ten."""

    latency_s: ClassVar[float] = 0.8
    fee_usd: ClassVar[float] = 0.001

    scheme: Scheme = Field(
        description="halal: certified halal; muslim_friendly: the laxer scheme of that name; vegan; vegetarian; "
        "allergen: kitchens free of an allergen."
    )
    number: str = Field(default="", description="Number as printed; give this or outlet_name, or both.")
    outlet_name: str = Field(
        default="", description="Part of the outlet's or the holder's name; that of a district or station is none."
    )

    def run(self, call: Call) -> CertificateRows:
        register = call.world.where(Certificate, "scheme", self.scheme)
        if not register:
            raise ToolError("unknown_scheme", field="scheme", hint="a scheme for which this country keeps a register")
        number, name = _compact(self.number), fold(self.outlet_name).strip()
        if not number and not name:
            raise ToolError("invalid_argument", field="number", hint="a number or an outlet's name")
        found = [
            row
            for row in register
            if (not number or _compact(row.number) == number) and (not name or _is_named(row, name))
        ]
        rows = sorted(found, key=lambda row: (row.outlet_name, row.valid_from, row.id))[:MOST_ROWS]
        for row in rows:
            call.show(row.id)
        return CertificateRows([_row(row) for row in rows], len(found))


def _is_named(row: Certificate, name: str) -> bool:
    """Whether a folded part of a name is one of the holder's or the outlet's; its branch alone is no name."""
    holder, outlet = fold(row.holder), fold(row.outlet_name)
    branch = outlet.removeprefix(holder) if outlet.startswith(holder) else ""
    return name in holder or (name in outlet and name not in branch)


def _compact(number: str) -> str:
    return _SEPARATORS.sub("", fold(number))


def _row(row: Certificate) -> CertificateRow:
    return CertificateRow(
        row.id,
        row.scheme,
        row.body,
        row.number,
        row.holder,
        row.outlet_name,
        row.outlet_address,
        row.scope,
        row.scope_note,
        row.valid_from,
        row.valid_to,
        row.status,
    )
