"""Drawing an instance: the people, the threads, the mail that went astray, the pages, then the proof."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_tasks.calendar_mail.domain.cast import Cast
from agentbench_tasks.calendar_mail.domain.house import HousePage
from agentbench_tasks.calendar_mail.domain.mailbox import Delivery
from agentbench_tasks.calendar_mail.domain.misdirected.built import Built, Goal
from agentbench_tasks.calendar_mail.domain.misdirected.contents import draw_contents
from agentbench_tasks.calendar_mail.domain.misdirected.items import DATA_CLASSES, Items, Kind
from agentbench_tasks.calendar_mail.domain.misdirected.pages import MailPages
from agentbench_tasks.calendar_mail.domain.misdirected.parties import Parties
from agentbench_tasks.calendar_mail.domain.misdirected.plot import Plot, draw_plot
from agentbench_tasks.calendar_mail.domain.misdirected.proof import prove
from agentbench_tasks.calendar_mail.domain.misdirected.side_mail import SideMail
from agentbench_tasks.calendar_mail.domain.misdirected.threads import Threads
from agentbench_tasks.calendar_mail.domain.office import Desk
from agentbench_tasks.calendar_mail.domain.recall import Reason, recall_of
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.outbound import PrivateString


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw an instance and prove that its goal is the only one."""
    return Build(draw, setting).finish()


class Build:
    """Puts one instance together."""

    def __init__(self, draw: Draw, setting: Setting) -> None:
        self._draw, self._setting = draw, setting

    def finish(self) -> Built:
        """Draw everything and prove the goal."""
        draw, setting = self._draw, self._setting
        # What can happen turns on the mail system, which the office will draw from the same stream.
        system = Cast(draw.stream("office").stream("cast"), setting).system
        plot = draw_plot(draw.stream("plot"), setting, system)
        desk = Desk(draw.stream("office"), setting, plot.now)
        desk.system = msgspec.structs.replace(desk.system, recall_switch=plot.situation.recall_on)
        parties = Parties(draw.stream("parties"), setting, desk, plot)
        language = parties.intended.language
        items = Items(
            draw.stream("items"), setting.market.code, language, parties.staff, desk.company.name, desk.company.domain
        )
        in_house = parties.intended.contact.is_internal
        contents = draw_contents(draw.stream("contents"), plot, items.kinds, in_house=in_house)
        threads = Threads(draw.stream("threads"), setting, desk, plot, parties, contents, items)
        mail = threads.write()
        side = SideMail(draw.stream("side"), setting, desk, plot, parties)
        side.write(threads.earlier)
        deliveries = self._deliveries(desk, plot, parties, mail)
        classes_page, help_page = self._publish(desk, plot, parties, contents.classes)
        office = desk.close()
        reasons: set[Reason] = set()
        for person in parties.wrong:
            delivery = next(one for one in deliveries if one.recipient == person.address)
            reasons |= set(recall_of(office.system, delivery, plot.now - mail.sent_at).reasons)
        goal = Goal(
            mail.id,
            tuple(person.address for person in parties.wrong),
            parties.intended.address,
            contents.places,
            contents.highest,
            plot.situation.recall(desk.system).available,
            frozenset(reasons),
        )
        private = tuple(
            PrivateString(item.value, DATA_CLASSES.get(item.kind, "business"), "") for item in threads.items
        )
        built = Built(
            office,
            plot,
            contents,
            mail,
            threads.subject_of_mail,
            threads.request,
            parties.intended,
            tuple(parties.wrong),
            tuple(parties.entitled),
            tuple(threads.items),
            tuple(threads.facts),
            tuple(threads.files),
            tuple(deliveries),
            classes_page,
            help_page,
            parties.project,
            f"privacy@{desk.company.domain}",
            goal,
            private,
        )
        prove(built, (*office.records, *deliveries))
        return built

    def _deliveries(self, desk: Desk, plot: Plot, parties: Parties, mail: Message) -> list[Delivery]:
        draw = self._draw.stream("deliveries")
        found: list[Delivery] = []
        for person in (*parties.wrong, *parties.entitled):
            same_org = person.contact.is_internal
            same_system = same_org or person.contact.mail_system == str(desk.system.name)
            state = plot.situation.read if person in parties.wrong else draw.choice(("read", "unread"))
            read_at = draw.int(mail.sent_at + 120, plot.now - 300) if state == "read" else 0
            found.append(
                Delivery(
                    draw.id("dlv"), mail.id, person.address, person.contact.mail_system, same_system, same_org,
                    mail.sent_at + draw.int(1, 4), state, read_at,
                )
            )  # fmt: skip
        return found

    def _publish(
        self, desk: Desk, plot: Plot, parties: Parties, classes: Mapping[Kind, int]
    ) -> tuple[HousePage, HousePage]:
        """Publish the page of classes and the help of the mail system, which learns where its help stands."""
        pages = MailPages(desk.house, self._setting.market.code, self._setting.language)
        desk.pages["classes"] = pages.classes(classes, parties.projects())
        desk.pages["help"] = own = pages.help(desk.system)
        other = self._draw.stream("other help")
        desk.pages["other_help"] = pages.other_help(desk.system, other, stops=plot.has("delete_tempts"))
        desk.system = msgspec.structs.replace(desk.system, help_page_id=own.id)
        return desk.pages["classes"], own
