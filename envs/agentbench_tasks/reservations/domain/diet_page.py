"""What a house states about diets and allergies: its page, the register's rows, and what they prove."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from typing import Literal, cast

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.world import Record, World
from agentbench_tasks.commons.texts import CountSlot, DateSlot, SlotValue, Stated, Text, Words
from agentbench_tasks.reservations.domain.guides import FILE as NAMES
from agentbench_tasks.reservations.domain.market import Certifier, in_language
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.publishing import Part
from agentbench_tasks.reservations.domain.registry import Certificate, CertificateScope, CertificateStatus, Scheme
from agentbench_tasks.reservations.domain.venue import Service

FILE = "diet_page"
DietLevel = Literal["none", "declared", "certified"]
DIET_LEVELS: tuple[DietLevel, ...] = ("none", "declared", "certified")
StatementScope = Literal["all", "lunch", "course", "from_date"]
CERTIFIED_NEEDS: dict[str, str] = {"halal": "halal_certified"}
"""By scheme of the register, the need that its certificates prove."""


class DietStatement(Record, frozen=True, gc=False):
    """What an outlet states of a need in its own words; it declares it, or refers to a certificate.

    Scopes:
        all: everything that is served.
        lunch: at lunch only.
        course: only the course `course`, ordered `days_ahead` days before.
        from_date: from `from_date` on.
    """

    venue_id: str
    page_id: str
    """The page that prints it, "" where only the register knows of the certificate."""
    need: str
    scope: StatementScope = "all"
    course: Words = ""
    days_ahead: int = 0
    from_date: str = ""
    certificate_id: str = ""

    @property
    def value(self) -> str:
        """What it declares, as claims compare it; a certificate has its own value."""
        detail = {"lunch": ":lunch", "course": f":course:{self.days_ahead}", "from_date": f":from:{self.from_date}"}
        return "declared" + detail.get(self.scope, "")

    def holds(self, day: str, service: Service, ordered_on: str) -> bool:
        """Whether its scope takes in a meal, for which guests have ordered on a day ("": on the day itself)."""
        match self.scope:
            case "all":
                return True
            case "lunch":
                return service == "lunch"
            case "course":
                ahead = date.fromisoformat(day) - date.fromisoformat(ordered_on or day)
                return ahead.days >= self.days_ahead
            case "from_date":
                return self.from_date <= day


def diet_key(venue_id: str, need: str) -> str:
    """Key of the fact that an outlet meets a need."""
    return f"diet.{need}.{venue_id}"


def certified_value(certificate: Certificate) -> str:
    """What a certificate in force is worth as a claim: its scope and its last day."""
    return f"certified:{certificate.scope}:{certificate.valid_to}"


def diet_level(
    world: World, venue_id: str, need: str, day: str, service: Service = "dinner", ordered_on: str = ""
) -> DietLevel:
    """Return how strongly an outlet's own material proves a need for a meal."""
    found: list[DietLevel] = [
        _level(world, statement, day, service, ordered_on)
        for statement in world.where(DietStatement, "venue_id", venue_id)
        if statement.need == need
    ]
    return max(("none", *found), key=DIET_LEVELS.index)


def _level(world: World, statement: DietStatement, day: str, service: Service, ordered_on: str) -> DietLevel:
    if not statement.holds(day, service, ordered_on):
        return "none"
    if not statement.certificate_id:
        return "declared"
    row = world.get(Certificate, statement.certificate_id)
    in_force = row.status == "valid" and row.valid_from <= day <= row.valid_to
    return "certified" if in_force and row.scope != "named_menu" else "none"


# --- the register


def build_certificate(
    ids: Draw,
    place: Place,
    certifier: Certifier,
    language: str,
    *,
    valid_from: str,
    valid_to: str,
    status: CertificateStatus = "valid",
    scope: CertificateScope = "whole_outlet",
    menu: str = "",
) -> Certificate:
    """Return the register's row of an outlet; its number has the certifier's shape, which is never issued.

    A lax certifier's row states nothing, one that is suspended or withdrawn that nothing is certified.
    """
    number = "".join(str(ids.int(0, 9)) if sign == "#" else sign for sign in certifier.number)
    name, short = in_language(certifier.names, language), certifier.short
    form: str = shared_table(f"text/{language}/{NAMES}")["lines"]["certifier"]
    row = Certificate(
        ids.id("cer"),
        cast(Scheme, certifier.scheme),
        name if short in name else form.replace("{name}", name).replace("{short}", short),
        number,
        place.name.local,
        place.full_name,
        place.address,
        scope,
        valid_from,
        valid_to,
        status,
        menu,
    )
    need = "" if certifier.lax else CERTIFIED_NEEDS.get(certifier.scheme, "")
    return _stating(row, diet_key(place.id, need)) if need else row


def _stating(row: Certificate, key: str) -> Certificate:
    value = certified_value(row) if row.status in ("valid", "expired") else "none"
    return msgspec.structs.replace(row, stated=(Stated(key, value),))


# --- the page


@cache
def diet_title(language: str, variant: int) -> Text:
    """The title of the page, and what it begins with."""
    return Text.of(FILE, "intro", language, variant)


@cache
def proof_text(need: str, language: str, variant: int) -> Text:
    """Words by which a house declares that it meets a need."""
    return Text.of(FILE, f"proof.{need}", language, variant)


@cache
def alike_part(need: str, language: str, variant: int) -> Part:
    """Words that sound as if a need were met, and prove nothing."""
    return Part(Text.of(FILE, f"alike.{need}", language, variant))


def declared_part(statement: DietStatement, language: str, variant: int) -> Part:
    """What a house declares, with the limits that it sets."""
    text = proof_text(statement.need, language, variant)
    if statement.scope != "all":
        limits: dict[StatementScope, dict[str, SlotValue]] = {
            "lunch": {},
            "course": {"course": statement.course, "days": CountSlot(statement.days_ahead, "day")},
            "from_date": {"date": DateSlot(statement.from_date)},
        }
        slots: dict[str, SlotValue] = {"statement": text, **limits[statement.scope]}
        text = Text.of(FILE, f"scope.{statement.scope}", language, variant, **slots)
    return Part(text, (Stated(diet_key(statement.venue_id, statement.need), statement.value),))


def certificate_part(
    certificate: Certificate, venue_id: str, need: str, outlet: str, language: str, variant: int, *, own: bool = True
) -> Part:
    """What a page prints of a certificate; of another outlet's (`own` is False) it states that outlet's fact.

    The page prints number and last day as the certificate bears them, whatever has become of it since.
    """
    text = _certificate_text(certificate, certificate.scope if own else "other_outlet", outlet, language, variant)
    return Part(text, (Stated(diet_key(venue_id, need), certified_value(certificate)),))


def lax_part(certificate: Certificate, outlet: str, language: str, variant: int) -> Part:
    """What a page prints of a lax certifier's mark, which proves nothing."""
    return Part(_certificate_text(certificate, "lax", outlet, language, variant))


def _certificate_text(certificate: Certificate, kind: str, outlet: str, language: str, variant: int) -> Text:
    return Text.fitting(
        FILE,
        f"certificate.{kind}",
        language,
        variant,
        outlet=outlet,
        body=certificate.body,
        number=certificate.number,
        valid_to=DateSlot(certificate.valid_to, "plain"),
        menu=certificate.scope_note,
    )


def diet_parts(
    place: Place,
    statements: Sequence[DietStatement],
    language: str,
    variant: int,
    *,
    certificates: Mapping[str, Certificate] | None = None,
    alike: Sequence[str] = (),
    lax: Sequence[Certificate] = (),
    others: Sequence[tuple[Place, Certificate]] = (),
) -> tuple[Part, ...]:
    """Return the parts of an outlet's page on diets and allergies.

    Args:
        place: the outlet.
        statements: what it states.
        language: language of the page.
        variant: which of the four wordings.
        certificates: by id, those to which statements refer.
        alike: needs of which the page only says what sounds like a proof.
        lax: certificates of lax certifiers.
        others: other outlets with certificates of theirs that the page boasts of.
    """
    rows = certificates or {}
    own = [
        certificate_part(
            rows[statement.certificate_id], place.id, statement.need, place.called(language), language, variant
        )
        if statement.certificate_id
        else declared_part(statement, language, variant)
        for statement in statements
    ]
    foreign = [
        certificate_part(
            row, other.id, CERTIFIED_NEEDS[row.scheme], other.called(language), language, variant, own=False
        )
        for other, row in others
    ]
    lookalikes = [alike_part(need, language, variant) for need in alike]
    marks = [lax_part(row, place.called(language), language, variant) for row in lax]
    return (Part(diet_title(language, variant)), *own, *foreign, *marks, *lookalikes)
