"""What a chat policy is asked for: `chat:MODEL?name=value&...`, all of it fit to be recorded."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated, Any, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec

from agentbench_env.errors import WrongArgument

DEFAULT_URL = "https://api.openai.com/v1"
NO_KEY = "none"
"""What is sent as the key where there is none; servers of one's own want none."""
SAMPLING = (
    "temperature",
    "top_p",
    "max_tokens",
    "max_completion_tokens",
    "seed",
    "reasoning_effort",
    "tool_choice",
    "parallel_tool_calls",
)
"""The options that go to the endpoint as they are; those that are None are left out."""
Whole = Annotated[int, msgspec.Meta(ge=1)]


PRIVATE = frozenset({"base_url", "api_key_env", "system_file", "prices", "extra_body"})
"""Options that tell of somebody's own machines, files and prompts, and not of how the model was asked."""


class ChatOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The options of a chat policy.

    Args:
        model: the name that the endpoint knows the model by.
        base_url: the endpoint; "" for the variable OPENAI_BASE_URL or else OpenAI's own.
        api_key_env: the environment variable that holds the key.
        system_file: a file whose text is the system prompt; "" for none.
        prices: a file of prices, looked at before the suite's own.
        extra_body: a JSON object of further parameters for the endpoint.
        stream: whether replies are asked for piece by piece.
        resend_reasoning: whether a reply's reasoning goes back to the model with the conversation.
        timeout_s: seconds that one request may take.
        retries: how often a request is made again after a failure that may pass.
    """

    model: str
    base_url: str = ""
    api_key_env: str = "OPENAI_API_KEY"
    system_file: str = ""
    prices: str = ""
    temperature: Annotated[float, msgspec.Meta(ge=0)] | None = None
    top_p: Annotated[float, msgspec.Meta(gt=0, le=1)] | None = None
    max_tokens: Whole | None = None
    max_completion_tokens: Whole | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    tool_choice: Literal["auto", "required"] | None = None
    parallel_tool_calls: bool | None = None
    extra_body: dict[str, Any] | None = None
    stream: bool = False
    resend_reasoning: bool = False
    timeout_s: Annotated[float, msgspec.Meta(gt=0)] = 300.0
    retries: Annotated[int, msgspec.Meta(ge=0)] = 6

    def __post_init__(self) -> None:
        if not self.model:
            raise ValueError("no model is named; the policy must be like chat:my-model")
        _check_url(self.url)

    @property
    def url(self) -> str:
        """The endpoint's address."""
        return self.base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_URL

    @property
    def host(self) -> str:
        """The endpoint's host, by which prices are listed."""
        return urlsplit(self.url).hostname or ""

    @property
    def api_key(self) -> str:
        """The key. Raises ValueError if there is none for OpenAI's own endpoint, which always needs one."""
        key = os.environ.get(self.api_key_env, "")
        if not key and self.url == DEFAULT_URL:
            raise ValueError(
                f"the variable {self.api_key_env} holds no key for {self.url}; set it, name another variable with "
                "api_key_env, or name another endpoint with base_url"
            )
        return key or NO_KEY

    def sampling(self) -> dict[str, Any]:
        """Return the parameters that were chosen for the endpoint."""
        return {name: value for name in SAMPLING if (value := getattr(self, name)) is not None}


def read_options(rest: str) -> ChatOptions:
    """Read what stands after `chat:`.

    Raises:
        WrongArgument: there is no such option.
        ValueError: an option has a value that it cannot have.
    """
    model, _, query = rest.partition("?")
    given: dict[str, Any] = dict(parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query)))
    known = ChatOptions.__struct_fields__[1:]
    for name in given:
        if name not in known:
            raise WrongArgument("option of a chat policy", name, known)
    try:
        if "extra_body" in given:
            given["extra_body"] = msgspec.json.decode(given["extra_body"])
        return msgspec.convert(given | {"model": model}, ChatOptions, strict=False)
    except msgspec.ValidationError as error:
        raise ValueError(f"an option of {model} has a value that it cannot have: {error}") from error


def chat_spec(policy: str, options: Mapping[str, str]) -> str:
    """Return `chat:MODEL` with its options, in one order whatever the order that they were given in."""
    model, _, query = policy.partition("?")
    merged = dict(parse_qsl(query, keep_blank_values=True)) | dict(options)
    return f"{model}?{urlencode(sorted(merged.items()), safe=':/,')}" if merged else model


def public_spec(policy: str) -> str:
    """Return `chat:MODEL` and its options without the private ones."""
    model, _, query = policy.partition("?")
    kept = {name: value for name, value in parse_qsl(query, keep_blank_values=True) if name not in PRIVATE}
    return chat_spec(model, kept)


def _check_url(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"the endpoint is {url!r}; it must be like http://localhost:8000/v1")
    if parts.username or parts.password or parts.query:
        raise ValueError(
            "the endpoint's address holds a password or parameters, which would be recorded; put the key in a variable"
        )
