"""The firms of the neighbourhood: the right one, those that only seem to be it, and those of other trades."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_tasks.reservations.domain.build_town import TownBuilder
from agentbench_tasks.reservations.domain.firm import Firm, Firms, Work
from agentbench_tasks.reservations.domain.market import reservation_market
from agentbench_tasks.reservations.domain.outlets import Quarter
from agentbench_tasks.reservations.domain.quote.keys import VISITS, skills
from agentbench_tasks.reservations.domain.quote.plot import TRADES, Plot, draw_keys, languages
from agentbench_tasks.reservations.domain.quote_page import named
from agentbench_tasks.reservations.domain.usual import site_name

PLAIN = {"easy": (0, 0), "standard": (0, 1), "hard": (1, 1)}
"""How many further firms of the trade serve the district without the skill."""
FIRMS = (6, 10)
_TAGGED = 0.5
"""How often the site credits the right firm with its skill too."""
_CHATS = 0.4
"""How often the site says of another firm that it answers in the messenger, whatever way it takes enquiries."""
_SATURDAY = 6


class Cast(msgspec.Struct, frozen=True):
    """The firms by their part."""

    target: Firm
    tagged: Firm
    """The site says that it has the skill; its own page does not."""
    outside: Firm
    """Its office lies in the district, which it does not serve."""
    plain: tuple[Firm, ...]
    others: tuple[Firm, ...]
    """Of other trades."""

    @property
    def of_trade(self) -> tuple[Firm, ...]:
        """All firms of the trade."""
        return (self.target, self.tagged, self.outside, *self.plain)

    @property
    def everybody(self) -> tuple[Firm, ...]:
        """All firms."""
        return (*self.of_trade, *self.others)


class Casting:
    """Draws the firms of an errand."""

    def __init__(self, draw: Draw, town: TownBuilder, plot: Plot, visit_days: Sequence[int]) -> None:
        self._draw, self._town, self._plot, self._visit_days = draw, town, plot, tuple(visit_days)
        self._firms = Firms(draw.stream("firms"), town)
        self._setting: Setting = town.setting

    def cast(self) -> Cast:
        """Draw everybody."""
        draw, plot = self._draw, self._plot
        skilled = (plot.skill,)
        others = tuple(skill for skill in skills(self._setting.market.code, plot.trade) if skill != plot.skill)
        site_skill = named("capabilities", skilled, self._setting.language)
        messenger = site_name(reservation_market(self._setting.market.code).site.messenger, self._setting.language)

        def tags(skill: float, chats: float = _CHATS) -> tuple[str, ...]:
            return (*([site_skill] if draw.chance(skill) else []), *([messenger] if draw.chance(chats) else []))

        own = tags(_TAGGED, 1 if "form_only" in plot.traps else 0)
        target = self._firm(self._here(), skilled + others[: draw.int(0, 1)], own, right=True)
        tagged = self._firm(self._here(), others, tags(1))
        outside = self._firm(self._elsewhere(), skilled, tags(_TAGGED))
        count = draw.int(*PLAIN[self._setting.difficulty])
        plain = tuple(self._firm(self._here(), others, tags(0)) for _ in range(count))
        count = draw.int(*FIRMS) - 3 - len(plain)
        return Cast(target, tagged, outside, plain, tuple(self._of_another_trade() for _ in range(count)))

    def _firm(
        self, covers: Sequence[Quarter], skills_: tuple[str, ...], tags: tuple[str, ...], right: bool = False
    ) -> Firm:
        draw, plot, setting = self._draw, self._plot, self._setting
        days = self._visit_days if right else tuple(sorted(draw.sample(range(1, 8), draw.int(4, 6))))
        code = setting.market.code
        keys = plot.keys if right else draw_keys(draw, code, plot.trade, setting.difficulty, frozenset())
        work = Work(
            plot.trade,
            covers,
            (*skills_, *self._visits(plot.trade, days)),
            keys,
            plot.channel if right else draw.choice(("mail", "messenger", "web_form")),
            days,
            plot.languages if right else draw.choice(self._any_languages()),
            tags,
        )
        return self._firms.firm(work, self._town.quarter)

    def _of_another_trade(self) -> Firm:
        draw, setting = self._draw, self._setting
        trade = draw.choice([one for one in TRADES if one != self._plot.trade])
        days = tuple(sorted(draw.sample(range(1, 8), draw.int(4, 6))))
        skilled = draw.sample(skills(setting.market.code, trade), draw.int(0, 1))
        work = Work(
            trade,
            self._here(),
            (*skilled, *self._visits(trade, days)),
            draw_keys(draw, setting.market.code, trade, setting.difficulty, frozenset()),
            draw.choice(("mail", "messenger", "web_form")),
            days,
            draw.choice(self._any_languages()),
        )
        return self._firms.firm(work, self._town.quarter)

    def _any_languages(self) -> list[tuple[str, ...]]:
        return [*languages(self._setting, foreign=False), *languages(self._setting, foreign=True)]

    def _visits(self, trade: str, days: Sequence[int]) -> tuple[str, ...]:
        """What a firm says of when it comes: at weekends only if it does."""
        offered = reservation_market(self._setting.market.code).home_service(trade).capabilities
        true = [one for one in offered if one in VISITS and (one != "weekend_visits" or max(days) >= _SATURDAY)]
        return tuple(true[: self._draw.int(0, 1)])

    def _here(self) -> tuple[Quarter, ...]:
        """The district of the story, and one or two others."""
        here, *others = self._town.quarters
        return (here, *self._draw.sample(others, self._draw.int(1, 2)))

    def _elsewhere(self) -> tuple[Quarter, ...]:
        return tuple(self._draw.sample(self._town.quarters[1:], self._draw.int(2, 3)))
