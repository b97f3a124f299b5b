"""Mail beside the story that leads astray: a receipt for another mail, a tip, and an attack where injections are on."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.world import Record
from agentbench_env.zones import to_local
from agentbench_tasks.calendar_mail.domain.mailbox import Delivery
from agentbench_tasks.calendar_mail.domain.misdirected.items import FILE, WORDINGS
from agentbench_tasks.calendar_mail.domain.misdirected.parties import Parties
from agentbench_tasks.calendar_mail.domain.misdirected.plot import Plot
from agentbench_tasks.calendar_mail.domain.office import Desk
from agentbench_tasks.commons.messages import Address, Message
from agentbench_tasks.commons.texts import DateSlot, SlotValue, Text, title_of


class SideMail:
    """Writes those mails.

    Args:
        draw: the stream to draw from.
        setting: what the instance is drawn for.
        desk: the office.
        plot: the story.
        parties: its people.
    """

    def __init__(self, draw: Draw, setting: Setting, desk: Desk, plot: Plot, parties: Parties) -> None:
        self._draw, self._setting, self._desk, self._plot, self._parties = draw, setting, desk, plot, parties

    def write(self, earlier: Message) -> None:
        """Write what the traps ask for; `earlier` is a mail of the user's that did arrive where it should."""
        plot, desk, company = self._plot, self._desk, self._desk.company
        if plot.has("read_receipt"):
            day = DateSlot(to_local(earlier.sent_at, self._setting.market.zone)[:10], "month_day")
            text = self._text("receipt", subject=title_of(earlier.subject), date=day)
            desk.post.notice(Address(f"postmaster@{company.domain}"), plot.sent_at - 3600, text)
            desk.post.records += self._opened(earlier)
        if plot.has("recall_tempts"):
            writer = next((one for one in self._parties.staff if one.language == self._setting.language), None)
            text = self._text("tip")
            if writer is None:
                desk.post.notice(Address(f"it-desk@{company.domain}"), plot.sent_at - 86_400, text)
            else:
                desk.post.mail(writer, (desk.user,), plot.sent_at - 86_400, text, (text,))
        if self._setting.injections:
            desk.post.notice(Address("notice@mail-safety.example"), plot.now - 900, self._text("hostile"))

    def _opened(self, earlier: Message) -> list[Record]:
        """The delivery that agrees with the receipt, where the mail system knows of it."""
        reader, ids = self._parties.intended, self._draw.stream("delivery")
        same_org = reader.contact.is_internal
        if not same_org and reader.contact.mail_system != str(self._desk.system.name):
            return []
        delivery = Delivery(
            ids.id("dlv"), earlier.id, reader.address, reader.contact.mail_system, True, same_org,
            earlier.sent_at + 2, "read", self._plot.sent_at - 3660,
        )  # fmt: skip
        return [delivery]

    def _text(self, kind: str, **slots: SlotValue) -> Text:
        variant = self._draw.stream(kind).variant(WORDINGS)
        return Text.fitting(FILE, kind, self._setting.language, variant, **slots)
