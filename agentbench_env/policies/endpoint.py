"""Requests to an OpenAI-compatible endpoint, made again where the failure may pass."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from random import uniform
from time import monotonic
from typing import TYPE_CHECKING, Any

from agentbench_env.errors import EndpointFault, EndpointRefused, PolicyStopped
from agentbench_env.extras import need
from agentbench_env.policies.chat_options import NO_KEY, ChatOptions
from agentbench_env.policies.replies import MOST_SHOWN, BrokenReply, Reply, read_reply, read_stream

if TYPE_CHECKING:
    import openai
    from openai import AsyncOpenAI
else:
    openai = need("openai", "chat")

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 60.0
MOST_REQUESTS = 512
"""How many requests are under way at once; more episodes wait, outside their own time, for a connection."""
PASSING_STATUS = frozenset({408, 409, 425, 429})
"""Refusals that may pass; those from 500 may, too."""
REFUSING_STATUS = {
    401: "the key in the variable {key}",
    403: "the key in the variable {key}, and whether it may use this model",
    404: "the model's name, and the base URL, which mostly ends in /v1",
}
"""Refusals that every episode would meet, and what to look at."""
OVERFLOW = re.compile(
    r"context[_ ](length|window|size)|exceed_context|maximum (context|prompt|input)|prompt is too long|too many tokens",
    re.IGNORECASE,
)
"""How endpoints say that a conversation is too long for the model."""


class _Passing(Exception):
    """A failure that may pass, and how long the endpoint asks to wait (None: it does not say)."""

    def __init__(self, reason: str, wait_s: float | None = None) -> None:
        super().__init__(reason)
        self.wait_s = wait_s


class Endpoint:
    """One model at one endpoint; many requests may be under way at once.

    Args:
        options: which model, where, and how it is asked.

    Raises:
        ValueError: the key is missing.
    """

    def __init__(self, options: ChatOptions) -> None:
        self._options = options
        self._key = options.api_key
        self._client: AsyncOpenAI | None = None
        self._room = asyncio.Semaphore(MOST_REQUESTS)

    async def complete(self, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> tuple[Reply, float]:
        """Return the model's reply and the seconds that it took, those of failed requests left out.

        Raises:
            PolicyStopped: the conversation is too long for the model.
            EndpointRefused: the endpoint refuses the key, the model or the address.
            EndpointFault: the endpoint refuses the request, or still fails after the retries.
        """
        client = self._opened()
        for attempt in range(self._options.retries + 1):
            try:
                async with self._room, asyncio.timeout(self._options.timeout_s):
                    start = monotonic()
                    reply = read_reply(await self._ask(client, messages, tools))
                    return reply, monotonic() - start
            except (_Passing, BrokenReply, TimeoutError, openai.APIConnectionError) as error:
                reason = self._hide_key(_say(error))
                if isinstance(error, BrokenReply) and OVERFLOW.search(reason):
                    raise PolicyStopped(f"context overflow: {reason}") from error
                if attempt == self._options.retries:
                    raise EndpointFault(f"{self._options.url}, asked {attempt + 1} times: {reason}") from error
                await asyncio.sleep(_pause_s(attempt, error.wait_s if isinstance(error, _Passing) else None))
        raise AssertionError("the last attempt returns or raises")

    async def close(self) -> None:
        """Close the connections; the next request opens new ones."""
        if self._client is not None:
            await self._client.close()
        # Both belong to the event loop that they were used in.
        self._client, self._room = None, asyncio.Semaphore(MOST_REQUESTS)

    def _opened(self) -> AsyncOpenAI:
        if self._client is None:
            url, timeout_s = self._options.url, self._options.timeout_s
            self._client = openai.AsyncOpenAI(api_key=self._key, base_url=url, timeout=timeout_s, max_retries=0)
        return self._client

    async def _ask(self, client: AsyncOpenAI, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> Any:
        options = self._options
        asked: dict[str, Any] = options.sampling() | {"extra_body": options.extra_body}
        asked |= {"model": options.model, "messages": messages, "tools": tools}
        completions: Any = client.chat.completions
        try:
            if options.stream:
                stream = await completions.create(**asked, stream=True, stream_options={"include_usage": True})
                async with stream:
                    return await read_stream(stream)
            raw = await completions.with_raw_response.create(**asked)
            return json.loads(raw.text)
        except openai.APIStatusError as error:
            raise self._judged(error) from error
        except openai.APIConnectionError:
            raise
        except openai.APIError as error:
            raise BrokenReply(error.message) from error
        except ValueError as error:
            raise BrokenReply(f"an answer that is not JSON: {error}") from error

    def _judged(self, error: openai.APIStatusError) -> Exception:
        """Say what a refusal means: to be tried again, too long, or never to be granted."""
        reason = self._hide_key(f"status {error.status_code}: {error.message[:MOST_SHOWN]}")
        told = f"{error.code} {error.type} {error.message}"
        limited = error.status_code == 429 or "rate_limit" in told
        if not limited and (error.status_code == 413 or OVERFLOW.search(told)):
            return PolicyStopped(f"context overflow: {reason}")
        if error.status_code in PASSING_STATUS or error.status_code >= 500:
            return _Passing(reason, _wait_s(error.response.headers))
        if look_at := REFUSING_STATUS.get(error.status_code):
            options = self._options
            look_at = look_at.format(key=options.api_key_env)
            return EndpointRefused(f"{options.url} refuses the model {options.model!r}: {reason}; check {look_at}")
        return EndpointFault(reason)

    def _hide_key(self, reason: str) -> str:
        """Leave the key out of what is recorded: some endpoints repeat it."""
        return reason if self._key == NO_KEY else reason.replace(self._key, "***")


def _wait_s(headers: Mapping[str, str]) -> float | None:
    """Read Retry-After: seconds, or a date, which is compared with the endpoint's own clock."""
    asked = headers.get("retry-after", "")
    try:
        return float(asked)
    except ValueError:
        pass
    try:
        return (parsedate_to_datetime(asked) - parsedate_to_datetime(headers.get("date", ""))).total_seconds()
    except (ValueError, TypeError):
        return None


def _pause_s(attempt: int, wait_s: float | None) -> float:
    """Return how long to wait after a failed attempt; spread, so that many episodes do not come back at once."""
    backoff = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2**attempt)
    return max(0.0, min(LONGEST_PAUSE_S, backoff if wait_s is None else wait_s)) + uniform(0, backoff / 2)


def _say(error: Exception) -> str:
    text = str(error) or "no answer in time"
    cause = error.__cause__
    return f"{text} ({cause})" if isinstance(error, openai.APIConnectionError) and cause is not None else text
