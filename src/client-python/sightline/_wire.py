"""
Requests, answers and repeats, without a network: a purchase is a generator of steps, which the clients carry out.
So the rules are written once for the synchronous and the asynchronous client.
"""

import json
import re
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Dict, Generator, Mapping, Optional, Type, TypeVar, Union
from urllib.parse import urlsplit

from .errors import PaymentError, SightlineError, UnreachableError

T = TypeVar("T")

#: Longest wait for one answer in seconds: the longest run takes 120 s, and its settlement some more.
REQUEST_TIMEOUT_SECONDS = 180.0
CONNECT_TIMEOUT_SECONDS = 15.0
#: Largest answer that is read, in bytes.
MAX_ANSWER_BYTES = 16 * 1024 * 1024
#: Longest single wait that a service may ask for, in seconds. Where it asks for more, the call ends with its word.
MAX_RETRY_AFTER_SECONDS = 60
#: Waits after answers that were lost, in seconds; the last one repeats.
LOST_ANSWER_WAITS = (1, 2, 4, 8)
#: Statuses on which the same request with the same payment is right, if the answer says when.
COME_BACK = (409, 429, 503)
#: Statuses of proxies in front of a service whose answer was lost.
LOST_BEHIND_PROXY = (502, 504)
MAX_TEXT_CHARS = 300


@dataclass(frozen=True)
class Retries:
    """Limits of the repeats of one request. It is the same payment each time, so repeats cost nothing."""

    requests: int = 12
    wait_seconds: float = 240.0


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    #: They hold the payment.
    headers: Mapping[str, str] = field(repr=False)
    content: Optional[bytes] = None
    #: Whether progress is wanted: the answer may be a stream of events.
    streams: bool = False

    def add_headers(self, **headers: str) -> "Request":
        return replace(self, headers={**self.headers, **{name.replace("_", "-"): text for name, text in headers.items()}})


@dataclass(frozen=True)
class Answer:
    """An answer that was read to its end. `headers` in lower case."""

    status: int
    text: str
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Lost:
    """No answer, or one that broke off: what was done with the request is not known."""

    detail: str
    #: Whether a repeat would end the same way.
    is_final: bool = False
    code: str = "service_unreachable"
    title: str = "The service does not answer"


@dataclass(frozen=True)
class Send:
    request: Request


@dataclass(frozen=True)
class Wait:
    seconds: float


@dataclass(frozen=True)
class Sign:
    domain: Mapping[str, Any]
    types: Mapping[str, Any]
    message: Mapping[str, Any]


@dataclass(frozen=True)
class Use:
    """A call of the order store, which may wait for a disk or a lock."""

    call: Callable[[], Any]


Step = Union[Send, Wait, Sign, Use]
Steps = Generator[Step, Any, T]


def parse_origin(base_url: str) -> str:
    """
    The origin of a service. Plain http is for this machine only: elsewhere anyone on the way could change payee and
    price. Raises ValueError.
    """
    url = urlsplit(base_url)
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ValueError("base_url is an http(s) URL, such as https://sightline.example")
    if url.username is not None or url.password is not None or url.path not in ("", "/") or url.query or url.fragment:
        raise ValueError("base_url is an origin, without a path, a query or a user name")
    if url.scheme == "http" and not is_loopback(url.hostname):
        raise ValueError("base_url must be https: plain http is for this machine only")
    host = "[" + url.hostname + "]" if ":" in url.hostname else url.hostname
    return url.scheme + "://" + host + ("" if url.port is None else ":" + str(url.port))


def is_loopback(host: str) -> bool:
    name = host.lower().rstrip(".")
    return name in ("localhost", "::1") or name.endswith(".localhost") or re.match(r"127(\.\d{1,3}){3}\Z", name) is not None


def send_repeatedly(request: Request, retries: Retries) -> Steps[Union[Answer, Lost]]:
    """Sends one request again while the service asks to come back, or does not answer. Gives the last word."""
    waited = 0.0
    lost = 0
    for sent in range(1, max(1, retries.requests) + 1):
        answer: Union[Answer, Lost] = yield Send(request)
        seconds = _compute_wait(answer, lost)
        if seconds is None or sent >= retries.requests or waited + seconds > retries.wait_seconds:
            return answer
        lost = lost + 1 if is_lost(answer) else 0
        yield Wait(seconds)
        waited += seconds
    return answer


def is_lost(answer: Union[Answer, Lost]) -> bool:
    return isinstance(answer, Lost) or (answer.status in LOST_BEHIND_PROXY and "code" not in read_object(answer.text))


def _compute_wait(answer: Union[Answer, Lost], lost: int) -> Optional[float]:
    if isinstance(answer, Lost) and answer.is_final:
        return None
    if is_lost(answer):
        return LOST_ANSWER_WAITS[min(lost, len(LOST_ANSWER_WAITS) - 1)]
    if isinstance(answer, Answer) and answer.status in COME_BACK:
        seconds = read_retry_after(answer)
        return None if seconds is None or seconds > MAX_RETRY_AFTER_SECONDS else max(seconds, 1)
    return None


def read_retry_after(answer: Answer) -> Optional[int]:
    """Seconds: of the header, or of the body where the problem came as the last event of a stream."""
    given = answer.headers.get("retry-after") or read_object(answer.text).get("retry_after_s")
    text = str(given)
    return int(text) if re.match(r"\d{1,6}\Z", text, re.ASCII) else None


def read_object(text: str) -> Dict[str, Any]:
    """The JSON object of an answer; empty where it is none."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def build_error(answer: Union[Answer, Lost], origin: str, *, payment_open: bool = False) -> SightlineError:
    """The refusal that an answer is. An answer that is no problem document has the code `http_<status>`."""
    if isinstance(answer, Lost):
        return UnreachableError(
            answer.code,
            answer.title,
            detail="{}: {}".format(origin, answer.detail),
            next="Make the same call again: it sends the same payment." if payment_open else "Make the same call again.",
            payment_open=payment_open,
        )
    body = read_object(answer.text)
    code = _read_text(body, "code") or "http_{}".format(answer.status)
    errors = body.get("errors")
    kind: Type[SightlineError] = PaymentError if answer.status == 402 else SightlineError
    return kind(
        code,
        _read_text(body, "title") or "The service answers {}".format(answer.status),
        status=answer.status,
        detail=_read_text(body, "detail") or (None if body else answer.text[:MAX_TEXT_CHARS] or None),
        next=_read_text(body, "next"),
        request_id=_read_text(body, "request_id") or answer.headers.get("x-request-id"),
        retry_after=read_retry_after(answer),
        errors=[one for one in errors if isinstance(one, dict)] if isinstance(errors, list) else None,
        problem=body,
        payment_open=payment_open,
    )


def _read_text(body: Mapping[str, Any], name: str) -> Optional[str]:
    value = body.get(name)
    return value if isinstance(value, str) and value else None
