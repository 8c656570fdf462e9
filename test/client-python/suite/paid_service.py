"""The smallest service that sells by x402, on this machine: it answers as a scene says."""

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Optional

PAY_TO = "0x7a3F1C0D5b8E4A6f9C2d1E0B3a5c7d9E1F2A4b6c"
USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
POLYGON_PAY_TO = "0x" + "5e" * 20
POLYGON_USDC = "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359"
REPORT_ID = "0123456789abcdef0123456789abcdef"
PRICE = 350_000

HONEST = {
    "scheme": "exact",
    "network": "eip155:8453",
    "amount": str(PRICE),
    "asset": USDC,
    "payTo": PAY_TO,
    "maxTimeoutSeconds": 300,
    "extra": {"name": "USD Coin", "version": "2", "quote": "00112233445566778899aabbccddeeff"},
}

POLYGON = {**HONEST, "network": "eip155:137", "asset": POLYGON_USDC, "payTo": POLYGON_PAY_TO}


def list_catalogue(*networks: Dict[str, Any]) -> Dict[str, Any]:
    """The catalogue of a service that is paid on Base, or on Base and these."""
    paid = [{key: one[key] for key in ("network", "payTo", "asset")} for one in (HONEST, *networks)]
    return {"payment": {**paid[0], **({"networks": paid} if networks else {})}}


def summary(**members: Any) -> Dict[str, Any]:
    """A summary as the service sends it; `future` is a member that no version knows."""
    return {
        "view": "summary",
        "capability": "full_audit",
        "url": "https://example.com/",
        "report_id": REPORT_ID,
        "report_url": "https://sightline.example/reports/" + REPORT_ID,
        "headline": "AEO 30 of 100 (F). 31 of 275 checks fail.",
        "scores": {"aeo": {"score": 30, "grade": "F", "coverage": 0.93}},
        "counts": {"pass": 1, "partial": 2, "fail": 3, "not_applicable": 4, "unknown": 5},
        "do_first": [{"id": "aeo.meta.viewport", "title": "Add a viewport meta tag", "gains": {"aeo": 4}}],
        "warnings": [],
        "evidence": {"untrusted": True},
        "sections": [{"name": "checks", "count": 3}, {"name": "fixes", "count": 3}],
        "future": {"colour": "blue"},
        **members,
    }


def problem(status: int, code: str, **members: Any) -> Dict[str, Any]:
    return {"type": "about:blank", "title": "It is " + code, "status": status, "code": code, "request_id": "r-1", **members}


class Call:
    """One request. Answer it once, or drop it."""

    def __init__(self, handler: BaseHTTPRequestHandler, body: str) -> None:
        self._handler = handler
        self.method = handler.command
        self.path = handler.path
        self.body = body
        self.headers = handler.headers
        self.payment: Optional[str] = handler.headers.get("payment-signature")

    def answer(self, status: int, body: Any, **headers: str) -> None:
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        self._handler.send_response(status)
        self._handler.send_header("content-type", headers.pop("content_type", "application/json"))
        for name, value in headers.items():
            self._handler.send_header(name.replace("_", "-"), value)
        self._handler.send_header("content-length", str(len(text)))
        self._handler.end_headers()
        self._handler.wfile.write(text)

    def ask(self, accepts: Any = None, code: str = "payment_required", **members: Any) -> None:
        required = {
            "x402Version": 2,
            "resource": {"url": "http://service.test" + self.path},
            "accepts": [HONEST] if accepts is None else accepts,
            "extensions": {"payment-identifier": {"info": {"required": False}}},
        }
        header = base64.b64encode(json.dumps(required).encode()).decode()
        self.answer(402, problem(402, code, **members), payment_required=header)

    def stream(self, *pieces: bytes) -> None:
        """Events in pieces, then the end of the connection."""
        self._handler.send_response(200)
        self._handler.send_header("content-type", "text/event-stream; charset=utf-8")
        self._handler.send_header("connection", "close")
        self._handler.end_headers()
        for piece in pieces:
            self._handler.wfile.write(piece)
            self._handler.wfile.flush()
        self._handler.close_connection = True

    def drop(self, after: bytes = b"") -> None:
        """Breaks the connection, after the first bytes of an answer if there are any."""
        self._handler.wfile.write(after)
        self._handler.wfile.flush()
        self._handler.close_connection = True


Scene = Callable[[Call, int], None]


def decode(credential: str) -> Dict[str, Any]:
    return json.loads(base64.b64decode(credential))


class PaidService:
    """
    `on_paid` answers the n-th (from 1) request with a payment, `on_read` those without a price; the catalogue answers as
    `catalogue` says, or by `on_catalogue`.
    """

    def __init__(
        self,
        on_paid: Optional[Scene] = None,
        on_unpaid: Optional[Scene] = None,
        on_read: Optional[Scene] = None,
        catalogue: Optional[Dict[str, Any]] = None,
        on_catalogue: Optional[Scene] = None,
    ):
        self.on_paid: Scene = on_paid or (lambda call, n: call.answer(200, summary()))
        self.on_unpaid: Scene = on_unpaid or (lambda call, n: call.ask())
        self.on_read: Scene = on_read or (lambda call, n: call.answer(404, problem(404, "report_not_found")))
        self.on_catalogue: Scene = on_catalogue or (lambda call, n: call.answer(200, catalogue or list_catalogue()))
        self.paid: List[Call] = []
        self.unpaid: List[Call] = []
        self.reads: List[Call] = []
        self.catalogues: List[Call] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                size = int(self.headers.get("content-length") or 0)
                call = Call(self, self.rfile.read(size).decode())
                calls, scene = (service.paid, service.on_paid) if call.payment else (service.unpaid, service.on_unpaid)
                calls.append(call)
                scene(call, len(calls))

            def do_GET(self) -> None:
                call = Call(self, "")
                is_catalogue = self.path == "/api/agent/index"
                calls, scene = (service.catalogues, service.on_catalogue) if is_catalogue else (service.reads, service.on_read)
                calls.append(call)
                scene(call, len(calls))

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = "http://127.0.0.1:{}".format(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> "PaidService":
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def payments(self) -> List[str]:
        """Different payments that came."""
        return list(dict.fromkeys(call.payment for call in self.paid if call.payment))
