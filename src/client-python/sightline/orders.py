"""
Payments that were signed, and whose result has not reached the caller yet. Each is stored before it is sent, so that
a repeat after any failure sends the same payment. The store also counts what was signed in a day.
"""

import hashlib
import threading
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Dict, List, Mapping, Optional, Protocol

from .budget import refuse_day

#: What a repeat can still get: results are stored for 30 days.
MAX_ORDER_AGE_SECONDS = 31 * 24 * 60 * 60
#: Open payments of one order that are stored behind the newest.
MAX_EARLIER_PAYMENTS = 8


@dataclass(frozen=True)
class SavedPayment:
    """A payment that is ready to be sent. `credential`: the PAYMENT-SIGNATURE header. Treat it like a password."""

    credential: str = field(repr=False)
    saved_at: int


class OrderStore(Protocol):
    """Where open payments are. Several threads or processes may use one store at the same time."""

    def find(self, key: str, now: int) -> Optional[SavedPayment]:
        """The newest open payment of an order that is not too old to be answered."""

    def save(self, key: str, payment: SavedPayment, replaced: Optional[SavedPayment] = None) -> bool:
        """Stores a payment before `replaced`, or where there is none. False: another one was first, so send that."""

    def withdraw(self, key: str, payment: SavedPayment) -> None:
        """Gives up a payment that was not taken and never will be: the one before it is open again."""

    def forget(self, key: str, payment: SavedPayment) -> None:
        """Forgets an order whose result has reached the caller, if this is its payment."""

    def reserve(self, micro: int, limit: int, now: int) -> None:
        """Counts a signature over `micro` today (UTC). Raises BudgetError where the sum would pass `limit`."""


def compute_order_key(origin: str, capability: str, payer: str, body: str) -> str:
    text = "\n".join((origin, capability, payer.lower(), body))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def format_day(now: int) -> str:
    return datetime.fromtimestamp(now, timezone.utc).strftime("%Y-%m-%d")


def add_to_day(seen: Mapping[str, int], micro: int, limit: int, now: int) -> Dict[str, int]:
    """The sum of today with `micro`; sums of other days are dropped."""
    day = format_day(now)
    total = seen.get(day, 0) + micro
    if total > limit:
        raise refuse_day(total, limit)
    return {day: total}


Payments = List[SavedPayment]


def put_first(seen: Payments, payment: SavedPayment, replaced: Optional[SavedPayment]) -> Optional[Payments]:
    """The payments of an order with a new one in front; None where another was faster."""
    newest = seen[0].credential if seen else None
    if newest != (None if replaced is None else replaced.credential):
        return None
    return [payment, *seen][: MAX_EARLIER_PAYMENTS + 1]


def drop_first(seen: Payments, payment: SavedPayment) -> Payments:
    return seen[1:] if is_newest(seen, payment) else seen


def is_newest(seen: Payments, payment: SavedPayment) -> bool:
    return bool(seen) and seen[0].credential == payment.credential


class MemoryOrderStore:
    """Orders in this process. A program that is killed forgets them: use a FileOrderStore where that matters."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._orders: Dict[str, Payments] = {}
        self._days: Dict[str, int] = {}

    def find(self, key: str, now: int) -> Optional[SavedPayment]:
        with self._lock:
            seen = self._orders.get(key)
            if not seen:
                return None
            if now - seen[0].saved_at < MAX_ORDER_AGE_SECONDS:
                return seen[0]
            del self._orders[key]
            return None

    def save(self, key: str, payment: SavedPayment, replaced: Optional[SavedPayment] = None) -> bool:
        with self._lock:
            after = put_first(self._orders.get(key, []), payment, replaced)
            if after is not None:
                self._orders[key] = after
            return after is not None

    def withdraw(self, key: str, payment: SavedPayment) -> None:
        with self._lock:
            self._keep(key, drop_first(self._orders.get(key, []), payment))

    def forget(self, key: str, payment: SavedPayment) -> None:
        with self._lock:
            if is_newest(self._orders.get(key, []), payment):
                self._keep(key, [])

    def reserve(self, micro: int, limit: int, now: int) -> None:
        with self._lock:
            self._days = add_to_day(self._days, micro, limit, now)

    def _keep(self, key: str, payments: Payments) -> None:
        if payments:
            self._orders[key] = payments
        else:
            self._orders.pop(key, None)
