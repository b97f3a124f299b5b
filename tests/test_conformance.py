"""The suite passes a sound task and catches each unsound one by the proof that is there for it."""

from __future__ import annotations

import os
from typing import ClassVar, Literal

import msgspec
import pytest
import toy
import toy_shop
from pydantic import Field
from toy import ShopErrand

import agentbench_env as ab
from agentbench_env.conformance import PROOFS, check_task, validate
from agentbench_env.errors import WrongArgument

SEEDS = range(24)
TICKS: list[int] = []


class AlwaysTrue(ShopErrand):
    """A task with a check that passes whatever happened."""

    @ab.final("final.offer_is_cheapest")
    def offer_is_cheapest(self, case, ep):
        """The offer is the cheapest one in stock of the wanted item."""
        return ab.Finding(True)


class Lucky(ShopErrand):
    """A task with a guess that is right too often."""

    @ab.shortcut(ceiling=0.05)
    def asks_the_generator(self, case, do):
        if case.outcome == "declined":
            self.expert(case, do)


class BreaksTwo(ShopErrand):
    """A task with a near miss that misses twice."""

    @ab.counterexample("final.total_traced")
    def cites_nothing(self, case, do):
        do(toy_shop.ShopJoinNewsletter())
        self._errand(case, do, self._offers(case, do)[0], cites=False)


class FailingWrite(ShopErrand):
    """A task whose expert shrugs off a refused write."""

    def expert(self, case, do):
        sold_out = [offer for offer in case.offers if not offer.in_stock]
        if sold_out:
            with pytest.raises(ab.Refused):
                do(toy_shop.ShopSaveDraft(offer_id=sold_out[0].id, count=1))
        super().expert(case, do)


class PlannedRefusal(FailingWrite):
    """A task whose expert runs into what the world plans for it."""

    planned_refusals = frozenset({"sold_out"})


class LongWinded(ShopErrand):
    """A task whose expert reads everything many times."""

    def expert(self, case, do):
        for _ in range(30):
            do(toy_shop.ShopGetRules())
        super().expert(case, do)


class Leaky(ShopErrand):
    """A task whose brief prints the id of the right offer."""

    def brief(self, case, language):
        brief = super().brief(case, language)
        return ab.Brief(f"{brief.request} ({case.goal.id})", brief.boundary, language, brief.place, brief.profile)


class LeakyTool(ShopErrand):
    """A task whose answer stands in the description of a tool."""

    class Answer(ShopErrand.Answer):
        """Deliver the answer, such as a claim that cites rul_abcdefgh. This ends the errand."""

    def case(self, draw, setting):
        case = super().case(draw, setting)
        return msgspec.structs.replace(case, rules=msgspec.structs.replace(case.rules, id="rul_abcdefgh"))


class CountingRules(toy_shop.ShopGetRules):
    """Read the shop's rules of delivery."""

    name: ClassVar[str] = "shop_get_rules"

    def run(self, call: ab.Call) -> toy_shop.RulesPage:
        for account in call.world.all(toy_shop.Account):
            call.world.put(toy_shop.Account(account.id, account.newsletter))
        return super().run(call)


class WritingRead(ShopErrand):
    """A task with a reading tool that writes."""

    tools = (toy_shop.ShopListOffers, CountingRules, *ShopErrand.tools[2:])


class CountedReads(ShopErrand):
    """A task that counts how often something was read."""

    @ab.final("final.outcome_fits")
    def outcome_fits(self, case, ep):
        """The order was sent exactly where the user wants it, the outcome says so, and the rules were read once."""
        found = super().outcome_fits(case, ep)
        return found if len(list(ep.calls(toy_shop.ShopGetRules))) == 1 else ab.Finding(False)


class Undescribed(toy_shop.ShopGetRules):
    name: ClassVar[str] = "shop_read_more"


class UndescribedTool(ShopErrand):
    """A task with a tool that does not say what it does."""

    tools = (*ShopErrand.tools, Undescribed)


class Sorted(toy_shop.ShopGetRules):
    """Read the shop's rules in some order."""

    order: Literal["up", "down"] = Field(default="up", description="The order.")


class UndescribedOption(ShopErrand):
    """A task with a tool that does not say what an option means."""

    tools = (*ShopErrand.tools, Sorted)


class Uncovered(ShopErrand):
    """A task that forgets to say what else is not wanted."""

    boundary = ShopErrand.boundary[:2]


class UnbrokenClause(ShopErrand):
    """A task with a clause that nothing ever breaks."""

    @ab.final("final.shop_is_open")
    def shop_is_open(self, case, ep):
        """The shop is open."""
        return ab.Finding(True)


class NeverApplies(ShopErrand):
    """A task with a near miss for instances that do not occur."""

    @ab.counterexample("boundary.account_stays", "boundary.unheard_of", applies=lambda case: False)
    def closes_twice(self, case, do):
        do(toy_shop.ShopCloseAccount())


class NeedlessWrite(ShopErrand):
    """A task that does not mind whether the draft is kept."""

    @ab.final("final.one_draft")
    def one_draft(self, case, ep):
        """What was drafted or ordered does not matter."""
        return ab.Finding(True)


class OptionalWrite(NeedlessWrite):
    """A task that says that the draft is optional."""

    optional_writes = frozenset({"shop_save_draft"})


class WrongWay(ShopErrand):
    """A task with another way that is wrong."""

    @ab.another_way
    def asks_nobody(self, case, do):
        self._errand(case, do, self._offers(case, do)[0], asks=False)


class Absent(ShopErrand):
    """A task with another way that is never walked."""

    @ab.another_way
    def waits(self, case, do):
        do(toy_shop.ShopGetRules())


class Surroundings(ShopErrand):
    """A task that looks at the machine it runs on."""

    def case(self, draw, setting):
        return super().case(ab.Draw(*draw.key, os.environ.get("TZ", ""), split=draw.split), setting)


class HashOrder(ShopErrand):
    """A task that depends on the order of a set."""

    def case(self, draw, setting):
        case = super().case(draw, setting)
        return msgspec.structs.replace(case, offers=tuple({offer.id: offer for offer in set(case.offers)}.values()))


class Ticking(toy_shop.ShopGetRules):
    """Read the shop's rules of delivery."""

    name: ClassVar[str] = "shop_get_rules"

    def run(self, call: ab.Call) -> toy_shop.RulesPage:
        TICKS.append(1)
        page = super().run(call)
        return toy_shop.RulesPage(page.rules_id, f"{page.text} Visit {len(TICKS)}.", page.delivery_fee)


class OutsideState(ShopErrand):
    """A task that keeps state outside the world."""

    tools = (toy_shop.ShopListOffers, Ticking, *ShopErrand.tools[2:])


class LocalCase(toy.Case, frozen=True):
    picks: object = None


class Unpicklable(ShopErrand):
    """A task whose case holds a function."""

    def case(self, draw, setting):
        case = super().case(draw, setting)
        return LocalCase(*(getattr(case, name) for name in case.__struct_fields__), picks=lambda: case)


class Faulty(ShopErrand):
    """A task with a check that raises."""

    @ab.final("final.total_traced")
    def total_traced(self, case, ep):
        """The total is right."""
        return ab.Finding(ep.answer.total.value.nothing)


class Untitled(ShopErrand):
    """A task without a full stop"""

    boundary = (ab.NothingElse("nothing_else", "Nothing reaches anybody."),)


class StrangeEffect(ShopErrand):
    """A task whose expert crosses the line with a tool of weak class."""

    def expert(self, case, do):
        do(toy_shop.ShopJoinNewsletter())
        super().expert(case, do)


BROKEN = [
    (
        AlwaysTrue,
        "counterexamples",
        "takes_the_next_best also breaks [] and does not break ['final.offer",
    ),
    (Lucky, "shortcuts", "asks_the_generator succeeds on"),
    (BreaksTwo, "counterexamples", "cites_nothing also breaks ['boundary.nothing_else']"),
    (FailingWrite, "expert", "of shop_save_draft was refused: sold_out"),
    (LongWinded, "expert", "calls, more than 30"),
    (Leaky, "leaks", "which the answer names"),
    (LeakyTool, "leaks", "a tool's description prints rul_abcdefgh"),
    (WritingRead, "reads", "shop_get_rules is a read and changed acc_"),
    (CountedReads, "reads", "with every read doubled the verdict is (False, ('final.outcome_fits',))"),
    (UndescribedTool, "schemas", "shop_read_more has no docstring"),
    (UndescribedOption, "schemas", "does not say what 'up' means"),
    (Uncovered, "boundary", "no boundary policy covers shop_join_newsletter, whose effect is send"),
    (UnbrokenClause, "clauses", "no counterexample breaks final.shop_is_open"),
    (NeverApplies, "clauses", "closes_twice applies to none of the first 24 seeds"),
    (NeverApplies, "clauses", "names boundary.unheard_of, which is no clause"),
    (NeedlessWrite, "omissions", "shop_save_draft, the expert still earns 1"),
    (WrongWay, "other_ways", "asks_nobody ended in violation: boundary.orders_as_approved"),
    (Absent, "other_ways", "waits runs to its end on none of 24 seeds"),
    (Surroundings, "same_bytes", "a fresh process gives another instance and lineage"),
    (HashOrder, "same_bytes", "a fresh process gives another lineage"),
    (OutsideState, "snapshots", "ends in another lineage"),
    (OutsideState, "forks", "ends in another lineage"),
    (Unpicklable, "pickling", "local object"),
    (Untitled, "metadata", "the title has no sentence that ends with a full stop"),
    (Untitled, "metadata", "the boundary clause nothing_else does not start with boundary."),
    (StrangeEffect, "expert", "the expert ended in violation: boundary.nothing_else"),
]
SOUND = [PlannedRefusal, OptionalWrite]


def id_of(task):
    return f"toy-{task.__name__.lower()}"


@pytest.fixture(scope="module", autouse=True)
def tasks():
    toy.install_toy()
    unsound = {id_of(task): task for task, _, _ in BROKEN}
    with toy.installed(unsound | {id_of(task): task for task in (*SOUND, Faulty)}):
        yield


@pytest.mark.parametrize("difficulty", ["easy", "standard", "hard"])
@pytest.mark.parametrize("market", ["SG", "KR"])
def test_a_sound_task_passes_every_proof(market, difficulty):
    report = check_task(toy.TASK_ID, market, SEEDS, difficulty)
    assert report.ok, report.problems
    assert report.counts["proofs"] == len(PROOFS)


@pytest.mark.parametrize("split", ["dev", "test"])
def test_other_splits(split):
    report = check_task(toy.TASK_ID, "SG", SEEDS, split=split)
    assert report.ok, report.problems


@pytest.mark.parametrize(("task", "proof", "message"), BROKEN, ids=lambda value: getattr(value, "__name__", None))
def test_an_unsound_task_is_caught(task, proof, message):
    found = check_task(id_of(task), "SG", SEEDS, proofs=[proof]).problems
    assert [problem for problem in found if message in problem.message], found


@pytest.mark.parametrize("task", SOUND)
def test_what_a_task_declares_is_no_problem(task):
    proofs = [name for name in PROOFS if name != "clauses"]
    found = check_task(id_of(task), "SG", SEEDS, proofs=proofs).problems
    # A check that holds whatever happens is caught by its counterexample alone.
    assert {problem.proof for problem in found} <= ({"counterexamples"} if task is OptionalWrite else set())


def test_problems_are_reported_at_the_smallest_seed_with_one_command():
    rest = ("hard", ["expert"], "dev")
    (problem,) = check_task(id_of(FailingWrite), "KR", range(40, 70), *rest).problems
    failing = [seed for seed in range(40, 70) if not check_task(id_of(FailingWrite), "KR", [seed], *rest).ok]
    assert (problem.seed, problem.seeds) == (failing[0], len(failing))
    assert problem.repeat == (
        "agentbench validate toy-failingwrite --market KR --difficulty hard --split dev "
        f"--seed {failing[0]} --proof expert"
    )
    assert problem.env_id == "Agentbench/toy-failingwrite-KR"
    assert problem.repeat in str(problem)


def test_problems_of_all_seeds_together_repeat_with_all_of_them():
    (problem,) = check_task(id_of(Lucky), "SG", SEEDS, proofs=["shortcuts"]).problems
    assert "--seeds 0:24 --proof shortcuts" in problem.repeat
    (problem,) = check_task(id_of(Lucky), "SG", [*SEEDS, 99], proofs=["shortcuts"]).problems
    assert "--seeds 0,1,2," in problem.repeat


def test_faults_of_the_suite_are_problems_of_their_own_kind():
    (problem,) = check_task(id_of(Faulty), "SG", SEEDS, proofs=["expert"]).problems
    assert problem.fault
    assert "EnvironmentFault" in problem.message
    assert "AttributeError" in problem.message
    assert "total_traced" in problem.message
    assert not check_task(id_of(Leaky), "SG", SEEDS, proofs=["leaks"]).problems[0].fault


def test_validate_covers_markets_and_difficulties():
    progress = []
    report = validate(
        [toy.TASK_ID, id_of(Leaky)],
        difficulties=["easy", "hard"],
        seeds=range(3),
        proofs=["expert", "leaks", "gymnasium"],
        on_progress=lambda done, total: progress.append((done, total)),
    )
    assert report.counts == {"tasks": 2, "environments": 4, "proofs": 3, "checks": 8 * (3 + 3 + 1), "problems": 6}
    assert progress == [(done, 24) for done in range(1, 25)]
    leaking = {f"Agentbench/toy-leaky-{market}" for market in ("SG", "KR")}
    assert {problem.env_id for problem in report.problems} == leaking


def test_workers_report_the_same():
    arguments = {"seeds": range(4), "proofs": ["expert", "leaks"], "difficulties": ["standard"]}
    assert validate([id_of(Leaky)], workers=2, **arguments) == validate([id_of(Leaky)], **arguments)


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        ({"proofs": ["exprt"]}, "expert"),
        ({"markets": ["SX"]}, "SG"),
        ({"seeds": []}, "at least one seed"),
        ({"task_ids": ["toy-shop-erand"]}, "toy-shop-errand"),
    ],
)
def test_wrong_arguments_name_what_is_near(arguments, near):
    with pytest.raises(WrongArgument, match=near):
        validate(**{"task_ids": [toy.TASK_ID], "seeds": [0], **arguments})


def test_every_proof_says_what_it_shows():
    assert all(proof.sentence.endswith(".") for proof in PROOFS.values())
    assert all(name == proof.name for name, proof in PROOFS.items())
