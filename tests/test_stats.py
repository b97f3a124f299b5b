"""The statistics against scipy, against enumeration, and against values that can be worked out by hand."""

from __future__ import annotations

from itertools import combinations
from math import sqrt
from statistics import fmean

import numpy as np
import pytest
from scipy import stats as peer

from agentbench_env.rollout.stats import (
    effective_n,
    holm,
    mcnemar,
    noise_floor,
    paired_bootstrap,
    pass_at,
    pass_hat,
    wilson,
)


@pytest.mark.parametrize(("successes", "n"), [(0, 1), (0, 50), (1, 2), (7, 9), (30, 30), (512, 1000)])
def test_wilson_is_scipys(successes, n):
    known = peer.binomtest(successes, n).proportion_ci(0.95, method="wilson")
    assert wilson(successes, n) == pytest.approx((known.low, known.high), abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_pass_at_and_pass_hat_are_the_shares_of_all_choices_of_k_trials(n):
    for successes in range(n + 1):
        tries = [1] * successes + [0] * (n - successes)
        for k in range(1, n + 1):
            chosen = list(combinations(tries, k))
            assert pass_at(k, [(successes, n)]) == pytest.approx(fmean(map(any, chosen)))
            assert pass_hat(k, [(successes, n)]) == pytest.approx(fmean(map(all, chosen)))


def test_pass_k_is_the_mean_over_the_instances_that_can_tell():
    instances = [(4, 4), (2, 4), (0, 4), (1, 1)]
    assert pass_at(1, instances) == pass_hat(1, instances) == pytest.approx((1 + 0.5 + 0 + 1) / 4)
    assert pass_at(2, instances) == pytest.approx((1 + 5 / 6 + 0) / 3)
    assert pass_hat(2, instances) == pytest.approx((1 + 1 / 6 + 0) / 3)
    assert pass_at(5, instances) is None
    with pytest.raises(ValueError, match="k is 0; it must be from 1"):
        pass_at(0, instances)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_pass_at_and_pass_hat_are_unbiased(k):
    rng = np.random.default_rng(5)
    drawn = [(int(c), 4) for c in rng.binomial(4, 0.3, size=40_000)]
    assert pass_at(k, drawn) == pytest.approx(1 - 0.7**k, abs=0.01)
    assert pass_hat(k, drawn) == pytest.approx(0.3**k, abs=0.01)


def test_trials_that_agree_are_worth_one_episode_and_trials_that_differ_by_chance_all():
    assert effective_n([(1, 1), (0, 1), (1, 1)]) == 3
    assert effective_n([(4, 4), (0, 4)] * 10) == pytest.approx(20)
    assert effective_n([(4, 4)] * 10) == 10, "where all succeed, nothing tells how much trials differ"
    rng = np.random.default_rng(6)
    assert effective_n([(int(c), 4) for c in rng.binomial(4, 0.5, size=5000)]) == pytest.approx(20_000, rel=0.1)
    assert effective_n([]) == 0


def test_the_interval_of_clustered_trials_covers_as_often_as_it_says():
    rng, covered = np.random.default_rng(7), 0
    for _ in range(600):
        chances = rng.choice([0.1, 0.9], size=100, p=[0.4, 0.6])
        instances = [(int(c), 4) for c in rng.binomial(4, chances)]
        n, rate = effective_n(instances), sum(c for c, _ in instances) / 400
        low, high = wilson(rate * n, n)
        covered += low <= 0.4 * 0.1 + 0.6 * 0.9 <= high
    assert 0.92 <= covered / 600 <= 0.98


def test_the_noise_floor_is_what_a_second_run_differs_by():
    rng = np.random.default_rng(8)
    chances = rng.uniform(size=200)
    rates = rng.binomial(4, chances, size=(4000, 200)).sum(axis=1) / 800
    spread = 1.96 * np.std(rates[:2000] - rates[2000:])
    floors = [noise_floor([(int(c), 4) for c in rng.binomial(4, chances)]) for _ in range(20)]
    assert fmean(floors) == pytest.approx(spread, rel=0.1)
    assert noise_floor([(2, 2), (0, 2)]) == 0
    assert noise_floor([(1, 2)]) == pytest.approx(1.96 * sqrt(2 * 0.25), abs=1e-3)
    assert noise_floor([(1, 1), (0, 1)]) is None


@pytest.mark.parametrize(("better", "worse"), [(0, 0), (0, 5), (1, 0), (5, 6), (3, 11), (40, 12), (2000, 1800)])
def test_mcnemar_is_scipys_exact_test(better, worse):
    known = peer.binomtest(better, better + worse).pvalue if better + worse else 1.0
    assert mcnemar(better, worse) == pytest.approx(known, rel=1e-9)
    assert mcnemar(worse, better) == mcnemar(better, worse)


def test_mcnemar_refuses_what_cannot_be():
    with pytest.raises(ValueError, match="must be from 0"):
        mcnemar(-1, 3)


def test_the_paired_bootstrap_is_scipys():
    rng = np.random.default_rng(9)
    differences = rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0], size=300, p=[0.1, 0.1, 0.5, 0.2, 0.1])
    known = peer.bootstrap((differences,), np.mean, method="percentile", rng=rng).confidence_interval
    assert paired_bootstrap(list(differences)) == pytest.approx((known.low, known.high), abs=0.01)
    assert paired_bootstrap(list(differences), seed=1) == paired_bootstrap(list(differences), seed=1)
    assert paired_bootstrap([0.0, 0.0]) == (0.0, 0.0)
    with pytest.raises(ValueError, match="no differences"):
        paired_bootstrap([])


def test_holm_is_the_one_of_the_books():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []
