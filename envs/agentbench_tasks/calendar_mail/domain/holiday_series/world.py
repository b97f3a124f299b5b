"""From a setting to a case: draw the story, put the office around it."""

from __future__ import annotations

from datetime import timedelta

from agentbench_env.draw import Draw
from agentbench_env.market import HolidayRow, shared_table
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.calendar_mail.domain.holiday_series.case import HolidaySeriesCase
from agentbench_tasks.calendar_mail.domain.holiday_series.plot import Plot, draw_plot
from agentbench_tasks.calendar_mail.domain.holiday_series.words import FILE, Words
from agentbench_tasks.calendar_mail.domain.house import Part
from agentbench_tasks.calendar_mail.domain.letters import WORDINGS, particles
from agentbench_tasks.calendar_mail.domain.office import Desk
from agentbench_tasks.calendar_mail.domain.opening import open_world
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.texts import DateSlot, LinesSlot, Text


def draw_case(draw: Draw, setting: Setting) -> HolidaySeriesCase:
    """Draw an instance and build its world."""
    plot = draw_plot(draw.stream("plot"), setting)
    desk = Desk(draw.stream("office"), setting, plot.now)
    personnel = desk.cast.colleague(languages=(setting.language,))
    colleagues = (desk.cast.colleague(), desk.cast.colleague())
    client = desk.cast.outsider("client")
    desk.routine(avoid=plot.request.weekdays)
    titles = shared_table(f"text/{setting.language}/{FILE}")["titles"]
    title = draw.stream("title").variant(titles)
    _publish(desk, plot)
    _circulate(desk, plot, personnel)
    office = desk.close()
    words = {
        language: Words(plot, title, office.user, colleagues, client, draw.stream("words"), language)
        for language in setting.languages
    }
    return HolidaySeriesCase(plot, office, open_world(draw, office, ()), title, colleagues, client, words)


def _publish(desk: Desk, plot: Plot) -> None:
    """Publish which days off the house observes; its founding day is none of them."""
    founded = DateSlot(plot.company_day.isoformat(), "month_day")
    names = ("rule", "rows", desk.part("substitute"))
    parts = [*(Part(name) for name in names), Part.of("company_day", date=founded)]
    desk.pages["holidays"] = desk.house.page("holidays", "notice", parts)


def _circulate(desk: Desk, plot: Plot, personnel: Person) -> None:
    """Send last winter's list of holidays."""
    draw, language = desk.draw.stream("circular"), desk.setting.language
    table = shared_table(f"text/{language}/{FILE}")["circular"]
    lines = LinesSlot(tuple((DateSlot(row.date.isoformat()), "  ", _name(row, language)) for row in plot.circular))
    text = Text.of(FILE, "circular.file", language, lines=lines)
    file = desk.post.file(table["filename"], table["title"], text)
    winter = to_instant("2025-12-01T09:30", desk.setting.market.zone)
    at = winter + timedelta(days=draw.int(0, 18), minutes=draw.int(0, 400)) // timedelta(seconds=1)
    wording = draw.variant(WORDINGS)
    sentence = Text.fitting(FILE, "circular.mail", language, wording, **particles(personnel))
    desk.post.mail(personnel, [desk.user], at, table["subject"]["variants"][wording], [sentence], attachments=[file])


def _name(row: HolidayRow, language: str) -> str:
    return row.name_en if language == "en" else row.name_local
