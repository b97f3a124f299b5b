"""A scripted OpenAI-compatible endpoint on loopback: answers in turn, and fails in every way that real ones do."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Answer(NamedTuple):
    """What the endpoint sends back; `pieces` are sent one by one, and the connection is cut after them if `cut`."""

    pieces: tuple[bytes, ...]
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    stall_s: float = 0.0
    cut: bool = False


Script = Callable[[dict[str, Any]], Answer]
"""Takes the request's body, returns the answer."""


def said(message: dict[str, Any], cached: int = 0) -> Answer:
    """A chat completion with this message, and how many of its thousand tokens were cached."""
    counts = {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}
    tokens = {**counts, "prompt_tokens_details": {"cached_tokens": cached}}
    choice = {"index": 0, "message": {"role": "assistant", "refusal": None, **message}, "finish_reason": "stop"}
    body = {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": tokens}
    return Answer((json.dumps(body).encode(),))


def calls(*pairs: tuple[str, Any], cached: int = 0) -> Answer:
    """A message that calls these tools; arguments that are text are sent as they are."""
    return said({"content": None, "tool_calls": [call(*pair, n) for n, pair in enumerate(pairs)]}, cached)


def call(name: str, arguments: Any, number: int = 0) -> dict[str, Any]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": f"id_{number}", "type": "function", "function": {"name": name, "arguments": text}}


def text(content: str) -> Answer:
    """A message that calls nothing."""
    return said({"content": content})


def refused(status: int, message: str = "no", code: str | None = None, **headers: str) -> Answer:
    """An error, with headers such as retry_after."""
    body = {"error": {"message": message, "type": "error", "code": code}}
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Answer((json.dumps(body).encode(),), status, named)


def streamed(answer: Answer, pieces: int = 1000) -> Answer:
    """The same completion in the form that streams have, cut off after so many pieces."""
    body = json.loads(answer.pieces[0])
    message = body["choices"][0]["message"]
    deltas: list[dict[str, Any]] = [{"role": "assistant"}]
    deltas += [{"content": letter} for letter in message.get("content") or ""]
    for index, one in enumerate(message.get("tool_calls") or ()):
        function = one["function"]
        deltas.append({"tool_calls": [{**one, "index": index, "function": {"name": function["name"]}}]})
        deltas += [{"tool_calls": [{"index": index, "function": {"arguments": c}}]} for c in function["arguments"]]
    chunks: list[dict[str, Any]] = [{"choices": [{"index": 0, "delta": d, "finish_reason": None}]} for d in deltas]
    chunks += [{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}]
    chunks += [{"choices": [], "usage": body["usage"]}]
    head = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "m"}
    lines = [b"data: " + json.dumps(head | chunk).encode() + b"\n\n" for chunk in chunks] + [b"data: [DONE]\n\n"]
    return Answer(tuple(lines[:pieces]), headers=(("content-type", "text/event-stream"),), cut=pieces < len(lines))


def in_turn(*answers: Answer) -> Script:
    """Give these answers, one a request; the last one again and again."""
    left = list(answers)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


class FakeEndpoint:
    """A running endpoint: its address, and the bodies of the requests that it got."""

    def __init__(self, script: Script) -> None:
        self.requests: list[dict[str, Any]] = []
        self.most_at_once = 0
        self.script, self._lock, self._now = script, threading.Lock(), 0
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                endpoint._serve(self)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
        with self._lock:
            self.requests.append(body)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
            answer = self.script(body)
        time.sleep(answer.stall_s)
        with self._lock:
            self._now -= 1
        handler.send_response_only(answer.status)
        headers = dict([("content-type", "application/json"), *answer.headers])
        if answer.cut or len(answer.pieces) > 1:
            headers["connection"] = "close"
        else:
            headers["content-length"] = str(len(answer.pieces[0]))
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        for piece in answer.pieces:
            handler.wfile.write(piece)


@contextmanager
def endpoint(script: Script) -> Iterator[FakeEndpoint]:
    """Serve a script while the block runs."""
    fake = FakeEndpoint(script)
    fake.server.daemon_threads = True
    fake.server.handle_error = lambda *_: None  # A client that gave up waiting is no error here.
    thread = threading.Thread(target=fake.server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        fake.server.shutdown()
        fake.server.server_close()
        thread.join()
