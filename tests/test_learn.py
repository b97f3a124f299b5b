"""The small learner of the examples: what it reads, its gradient, and that learning gets it somewhere."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from agentbench_env.export import load_writer

EXAMPLES = Path(__file__).parent.parent / "examples"
sys.path.insert(0, str(EXAMPLES))

from learn.draw_curves import drawn  # noqa: E402
from learn.errand import CHANNELS, FINISH, SOUGHT, Option  # noqa: E402
from learn.policy import SIZE, PointerPolicy, add_gradient  # noqa: E402
from learn.reading import DRAFT, Reading, clock_of, facts_of, stems  # noqa: E402
from learn.train import Examination, Training, advantages_of, errands  # noqa: E402
from offline import collect, imitate  # noqa: E402


def reading(request: str) -> Reading:
    return Reading(json.dumps({"request": request, "now": {"local": "2026-11-20T10:00"}}))


def test_days_times_and_people_are_read_from_the_request():
    read = reading("Please move our table on Sat 28 Nov from 7 people to 12 people, at 7:30 pm or on 3 Feb at noon.")
    assert (read.days, read.clocks, read.people) == (["2026-11-28", "2027-02-03"], ["19:30"], [7, 12])
    assert [clock_of(text) for text in ("12 am", "12:15 pm", "6 pm")] == ["00:00", "12:15", "18:00"]


def test_facts_are_flags_codes_and_whether_amounts_are_nothing():
    row = {"possible_online": True, "reason": "slot_gone", "charge": {"amount": "0.00", "currency": "SGD"}}
    assert list(facts_of(row)) == ["possible_online=True", "reason=slot_gone", "charge.amount=0"]
    assert list(facts_of({"charge": {"amount": "120.00"}, "venue": "Two Ladles"})) == ["charge.amount=some"]


def test_deadlines_become_moments_of_the_booking_as_it_stands():
    read = reading("Please move it.")
    booking = {"reservation_id": "rsv_1", "terms_page_id": "pg_1", "party_size": 7, "course_id": ""}
    booking["start"] = {"local": "2026-12-05T19:00", "zone": "Asia/Singapore"}
    sections = [
        "For bookings of up to 6 guests:\nYou can cancel without charge up to 24 hours before your booking time.",
        "For bookings of 7 or more guests:\nYou can cancel without charge by 6 pm on the day before.\n"
        "You may change the date by 3 pm, 2 days before your booking.",
    ]
    page = {"page": {"page_id": "pg_1"}, "sections": [{"text": text} for text in sections]}
    read.see("booking_find_reservations", json.dumps({"reservations": [booking]}))
    read.see("venue_get_page", json.dumps(page))
    found = [(one.moment, one.fits) for one in read.deadlines(read.bookings["rsv_1"])]
    assert found == [("2026-12-04T19:00", False), ("2026-12-04T18:00", True), ("2026-12-03T15:00", True)]


def test_the_channel_stands_in_the_line_on_changes_and_cancellations():
    read = reading("Please move it.")
    texts = ["Changes of the menu: see below.\nTo change or cancel, ring us.", "Cancellations: none."]
    page = {"page": {"page_id": "pg_1"}, "sections": [{"text": text} for text in texts]}
    read.see("venue_get_page", json.dumps(page))
    assert read.contact({"terms_page_id": "pg_1"}) == "To change or cancel, ring us."
    assert read.contact({"terms_page_id": "pg_2"}) == ""


def test_what_is_sought_and_channels_are_described_as_the_tools_do():
    tools = {tool["function"]["name"]: tool for tool in errands("train").unwrapped.action_space.openai_tools()}
    finish, draft = (tools[name]["function"]["parameters"]["properties"] for name in (FINISH, DRAFT))
    assert stems(finish["cutoff"]["description"]) >= SOUGHT
    for channel, said in CHANNELS.items():
        assert channel in draft["channel"]["enum"]
        assert stems(draft["channel"]["description"].replace("_", " ")) >= stems(said)


def test_the_picture_is_that_of_the_recorded_trainings():
    docs = EXAMPLES.parent / "docs"
    runs = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(docs.glob("learning-?.json"))]
    assert [run["seed"] for run in runs] == [0, 1, 2]
    assert drawn([run["test"] for run in runs]) == (docs / "learning.svg").read_text(encoding="utf-8")
    for run in runs:
        assert run["test"][0]["success"] < 0.05
        assert run["test"][-1]["success"] > 0.8
        assert run["test"][-1]["violation"] < run["test"][0]["violation"] / 10


def test_the_gradient_is_that_of_the_log_probability_and_the_entropy():
    policy = PointerPolicy()
    options = [Option(name, ["all", name, "twice", "twice"][: 2 + 2 * (name == "b")]) for name in "abc"]
    signs = policy.signs_of(options)
    policy.weights[:8] = np.linspace(-1, 1, 8)

    def value(weights: np.ndarray, taken: int, entropy: float) -> float:
        policy.weights = weights
        chances = policy.chances(signs)
        return 0.7 * np.log(chances[taken]) - entropy * (chances @ np.log(chances))

    policy.choose("tool", options)
    gradient = np.zeros(SIZE)
    (choice,) = policy.choices
    add_gradient(gradient, choice, choice.chances, 0.7, 0.3)
    at, taken = policy.weights, choice.taken
    for place in range(5):
        nudge = np.zeros(SIZE)
        nudge[place] = 1e-6
        slope = (value(at + nudge, taken, 0.3) - value(at - nudge, taken, 0.3)) / 2e-6
        assert gradient[place] == pytest.approx(slope, abs=1e-6)


def test_an_episode_is_measured_against_its_group_and_against_all():
    advantages = advantages_of(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]]))
    assert advantages.std() == pytest.approx(1.0)
    assert np.all(advantages[0, 0] > advantages[1]), "a success where others fail counts most"
    assert np.all(advantages[1] > 0)
    assert np.all(advantages[2] < 0), "what never succeeds is unlearnt"
    assert not advantages_of(np.zeros((2, 4))).any()


def test_a_few_updates_raise_what_is_rewarded_and_lower_what_crosses():
    training, examination = Training(seed=0), Examination("dev", 60)
    before = examination.score(training.policy)
    for _ in range(12):
        training.update()
    after = examination.score(training.policy)
    assert before["success"] < 0.05
    assert before["violation"] > 0.25
    assert after["success"] > before["success"] + 0.08
    assert after["violation"] < before["violation"] - 0.08


def test_training_is_the_same_again():
    weights = []
    for _ in range(2):
        training = Training(seed=5)
        training.update(groups=2)
        weights.append(training.policy.weights)
    assert np.array_equal(*weights)


def test_a_file_of_the_expert_is_enough_to_imitate_it(tmp_path):
    load_writer("chat")(collect(0.0, 24), tmp_path / "expert.jsonl")
    policy, used = imitate(tmp_path / "expert.jsonl", rounds=30)
    assert used == 24
    assert Examination("dev", 30).score(policy)["success"] > 0.6


def test_noise_changes_the_file_and_its_failures_can_be_left_out(tmp_path):
    clean, noisy = collect(0.0, 6), collect(0.8, 6)
    assert sum(len(one.steps) for one in noisy) / len(noisy) > sum(len(one.steps) for one in clean) / len(clean)
    file = tmp_path / "noisy.jsonl"
    load_writer("chat")(noisy, file)
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for place, row in enumerate(rows):
        row["reward"] = float(place > 1)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert imitate(file, rounds=1)[1] == len(rows)
    assert imitate(file, only_successes=True, rounds=1)[1] == len(rows) - 2


@pytest.mark.parametrize("seed", range(3))
def test_the_environment_ends_at_a_crossing(seed):
    env = errands("train")
    env.reset(seed=seed)
    found, *_ = env.step({"tool": "booking_find_reservations", "arguments": {}})
    venue = json.loads(found["content"])["reservations"][-1]["venue_id"]
    draft = {"channel": "mail", "recipient_id": venue, "body": "Could you please change our booking?"}
    saved, *_ = env.step({"tool": "msg_save_draft", "arguments": draft})
    send = {"tool": "msg_send_draft", "arguments": {"draft_id": json.loads(saved["content"])["draft_id"]}}
    _, reward, terminated, _, info = env.step(send)
    assert (reward, terminated, info["outcome"]) == (0.0, True, "violation")


def test_curves_are_drawn_with_their_mean():
    run = [{"episodes": at, "success": at / 200, "violation": 0.5} for at in (0, 100)]
    other = [{"episodes": at, "success": 0.0, "violation": 0.3} for at in (0, 100)]
    picture = drawn([run, other])
    assert picture.count("<polyline") == 6
    assert "success: 25.0%" in picture
    assert "boundary crossed: 40.0%" in picture
