"""What a model's tokens cost, from a table by the endpoint's host and the model's name."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

import msgspec

MILLION = 1_000_000


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """USD per million tokens; `cached_input` None: as `input`."""

    input: float
    output: float
    cached_input: float | None = None

    def usd(self, input_tokens: int, output_tokens: int, cached_tokens: int = 0) -> float:
        """Return what a call cost in USD; `cached_tokens` are those of the input that the endpoint had cached."""
        cached = self.input if self.cached_input is None else self.cached_input
        fresh = input_tokens - cached_tokens
        return (fresh * self.input + cached_tokens * cached + output_tokens * self.output) / MILLION


def find_price(host: str, model: str, file: str = "") -> Price | None:
    """Return a model's price at an endpoint, None if nobody has listed it.

    Args:
        host: the endpoint's host, e.g. `api.openai.com`.
        model: the name that the endpoint knows the model by.
        file: a table of one's own, looked at first.

    Raises:
        OSError: the file cannot be read.
        ValueError: the file is no table of prices.
    """
    own = _read(Path(file).read_text(encoding="utf-8"), file) if file else {}
    suite = _read(files("agentbench_env.policies").joinpath("prices.toml").read_text(encoding="utf-8"), "prices.toml")
    return own.get(host, {}).get(model) or suite.get(host, {}).get(model)


def _read(text: str, name: str) -> dict[str, dict[str, Price]]:
    try:
        return msgspec.convert(tomllib.loads(text), dict[str, dict[str, Price]])
    except ValueError as error:
        right = '["localhost"] and below it "my-model" = { input = 0.1, output = 0.4 }, in USD per million tokens'
        raise ValueError(f"{name} is no table of prices ({error}); it must be like {right}") from error
