"""Carries out the steps of a purchase: with httpx, a clock, a wallet and an order store."""

from typing import Any, Awaitable, Callable, Dict, List, Optional, Union
import inspect
import time

import anyio
import anyio.to_thread
import httpx

from ._events import EventReader, read_progress
from ._wire import (
    CONNECT_TIMEOUT_SECONDS,
    MAX_ANSWER_BYTES,
    REQUEST_TIMEOUT_SECONDS,
    Answer,
    Lost,
    Request,
    Send,
    Sign,
    Step,
    Steps,
    T,
    Use,
    Wait,
    read_object,
)
from .progress import Progress
from .wallet import Wallet

OnProgress = Callable[[Progress], Any]
TIMEOUT = httpx.Timeout(REQUEST_TIMEOUT_SECONDS, connect=CONNECT_TIMEOUT_SECONDS)
TOO_LARGE = Lost(
    "the answer is larger than {} bytes".format(MAX_ANSWER_BYTES),
    is_final=True,
    code="answer_too_large",
    title="The answer is too large",
)


class _Reading:
    """An answer while it comes. `read` gives the progress that a piece of it says."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._pieces: List[bytes] = []
        self._size = 0
        kind = response.headers.get("content-type", "")
        self._events = EventReader() if kind.startswith("text/event-stream") else None
        self.end: Union[Answer, Lost, None] = None

    def read(self, piece: bytes) -> List[Progress]:
        self._size += len(piece)
        if self._size > MAX_ANSWER_BYTES:
            self.end = TOO_LARGE
            return []
        if self._events is None:
            self._pieces.append(piece)
            return []
        counts: List[Progress] = []
        for name, data in self._events.read(piece):
            seen = read_progress(data) if name == "progress" else None
            if seen is not None:
                counts.append(seen)
            elif name in ("result", "problem") and self.end is None:
                self.end = self._take_last(name, data)
        return counts

    def _take_last(self, name: str, data: str) -> Union[Answer, Lost]:
        if name == "result":
            return Answer(200, data, self._read_headers())
        problem = read_object(data)
        status = problem.get("status")
        if not isinstance(status, int):
            return Lost("the stream ended with a problem that has no status")
        return Answer(status, data, self._read_headers())

    def close(self) -> Union[Answer, Lost]:
        """The answer, once the connection has ended without a fault."""
        if self.end is not None:
            return self.end
        if self._events is not None:
            return Lost("the stream of events ended without a result")
        status = self._response.status_code
        if 300 <= status < 400:
            place = self._response.headers.get("location", "nowhere")
            detail = "it answers {} to {}".format(status, place)
            return Lost(detail, is_final=True, code="redirected", title="The service is somewhere else")
        return Answer(status, b"".join(self._pieces).decode("utf-8", "replace"), self._read_headers())

    def _read_headers(self) -> Dict[str, str]:
        return {name.lower(): text for name, text in self._response.headers.items()}


def _build_options(request: Request) -> Dict[str, Any]:
    return {"headers": dict(request.headers), "content": request.content, "timeout": TIMEOUT}


class Driver:
    """For the synchronous client."""

    def __init__(self, http: httpx.Client, wallet: Optional[Wallet], sleep: Callable[[float], Any] = time.sleep) -> None:
        self.http = http
        self._wallet = wallet
        self._sleep = sleep

    def run(self, steps: Steps[T], on_progress: Optional[OnProgress] = None) -> T:
        try:
            step = next(steps)
            while True:
                try:
                    value = self._carry_out(step, on_progress)
                except Exception as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(value)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    def _carry_out(self, step: Step, on_progress: Optional[OnProgress]) -> Any:
        if isinstance(step, Send):
            return self._send(step.request, on_progress)
        if isinstance(step, Wait):
            return self._sleep(step.seconds)
        if isinstance(step, Sign):
            return _require(self._wallet).sign_typed_data(step.domain, step.types, step.message)
        return step.call()

    def _send(self, request: Request, on_progress: Optional[OnProgress]) -> Union[Answer, Lost]:
        try:
            with self.http.stream(
                request.method, request.url, follow_redirects=False, **_build_options(request)
            ) as response:
                reading = _Reading(response)
                for piece in response.iter_bytes():
                    for counts in reading.read(piece):
                        if on_progress is not None:
                            on_progress(counts)
                    if reading.end is not None:
                        break
                return reading.close()
        except (httpx.TransportError, httpx.DecodingError) as error:
            return Lost("{}: {}".format(type(error).__name__, error))


class AsyncDriver:
    """For the asynchronous client: waits without holding up other tasks, under asyncio and trio."""

    def __init__(
        self,
        http: httpx.AsyncClient,
        wallet: Optional[Wallet],
        sleep: Callable[[float], Awaitable[Any]] = anyio.sleep,
    ) -> None:
        self.http = http
        self._wallet = wallet
        self._sleep = sleep

    async def run(self, steps: Steps[T], on_progress: Optional[OnProgress] = None) -> T:
        try:
            step = next(steps)
            while True:
                try:
                    value = await self._carry_out(step, on_progress)
                except Exception as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(value)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    async def _carry_out(self, step: Step, on_progress: Optional[OnProgress]) -> Any:
        if isinstance(step, Send):
            return await self._send(step.request, on_progress)
        if isinstance(step, Wait):
            return await self._sleep(step.seconds)
        if isinstance(step, Use):
            return await anyio.to_thread.run_sync(step.call)
        return await _settle(_require(self._wallet).sign_typed_data(step.domain, step.types, step.message))

    async def _send(self, request: Request, on_progress: Optional[OnProgress]) -> Union[Answer, Lost]:
        try:
            async with self.http.stream(
                request.method, request.url, follow_redirects=False, **_build_options(request)
            ) as response:
                reading = _Reading(response)
                async for piece in response.aiter_bytes():
                    for counts in reading.read(piece):
                        if on_progress is not None:
                            await _settle(on_progress(counts))
                    if reading.end is not None:
                        break
                return reading.close()
        except (httpx.TransportError, httpx.DecodingError) as error:
            return Lost("{}: {}".format(type(error).__name__, error))


def _require(wallet: Optional[Wallet]) -> Wallet:
    if wallet is None:
        raise RuntimeError("a signature was asked for without a wallet")
    return wallet


async def _settle(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value
