"""What goes wrong, as exceptions. Program against `code`, which never changes its meaning."""

from typing import Any, Dict, List, Mapping, Optional


class SightlineError(Exception):
    """
    A refusal of the service (RFC 9457), or of this library before it asked.

    `code`: what happened, for programs. `status`: of the answer; None where there is none. `next`: what to do.
    `payment_open`: a signed payment may have been or may yet be taken. The same call sends the same payment again,
    from the order store, so that you pay once.
    """

    def __init__(
        self,
        code: str,
        title: str,
        *,
        status: Optional[int] = None,
        detail: Optional[str] = None,
        next: Optional[str] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[int] = None,
        errors: Optional[List[Dict[str, Any]]] = None,
        problem: Optional[Mapping[str, Any]] = None,
        payment_open: bool = False,
    ) -> None:
        super().__init__(code + ": " + (detail or title))
        self.code = code
        self.status = status
        self.title = title
        self.detail = detail
        self.next = next
        self.request_id = request_id
        self.retry_after = retry_after
        self.errors = errors or []
        self.problem = dict(problem or {})
        self.payment_open = payment_open


class BudgetError(SightlineError):
    """The price is over a budget. Nothing was signed. `code`: `amount_above_budget` or `daily_limit_reached`."""


class TermsError(SightlineError):
    """The 402 asks for a payment that this library does not make. Nothing was signed."""


class UnreachableError(SightlineError):
    """No answer, or a broken one, after every repeat. `code`: `service_unreachable`, `redirected`, `answer_too_large`."""


class PaymentError(SightlineError):
    """The service answers 402 to a payment: it was not taken."""


class OrderStoreError(SightlineError):
    """The order store cannot be used, so nothing was signed. `code`: `orders_unavailable`."""


class WalletError(SightlineError):
    """There is no wallet, or it gave no signature. `code`: `wallet_missing`, `wallet_unusable`, `signature_unusable`."""


class ResultError(SightlineError):
    """The service answers 200 with a result that this version cannot read. `raw` has it; it is paid for."""

    def __init__(self, raw: Mapping[str, Any], detail: str) -> None:
        super().__init__(
            "result_unreadable",
            "The result has another form than this version knows",
            status=200,
            detail=detail,
            next="Read `raw`, or update the package and make the same call again: it sends the same payment.",
            payment_open=True,
        )
        self.raw = dict(raw)
