"""One purchase: at most one open payment, stored before it is sent, sent again until its fate is known."""

import json
import secrets
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional, Union

from ._wire import Answer, Lost, Request, Retries, Sign, Steps, Use, build_error, is_lost, read_object, send_repeatedly
from .budget import Budget
from .errors import ResultError, SightlineError, WalletError
from .models import PATHS
from .orders import MAX_EARLIER_PAYMENTS, OrderStore, SavedPayment, compute_order_key
from .payment import (
    AUTHORIZATION_TYPES,
    NONCE_BYTES,
    Terms,
    build_authorization,
    encode_payment,
    read_payee,
    read_terms,
)
from .wallet import Wallet, normalize_signature, read_address

#: Payments of one call: a second one only where the service says that the first was not taken.
MAX_PAYMENTS = 2
#: 402 to a payment where a new one would be refused for the same reason.
NOT_WORTH_SIGNING = frozenset(
    ("insufficient_funds", "invalid_signature", "authorization_not_yet_valid", "wrong_recipient", "wrong_route")
)
#: 402 to a payment that was judged and not taken: one by fresh terms is the right next step.
SIGN_AGAIN = frozenset(
    (
        "authorization_expired",
        "authorization_expires_too_soon",
        "payment_refused",
        "settlement_refused",
        "wrong_amount",
        "wrong_terms",
    )
)
REQUIRED = "payment-required"
VIEWS = ("summary", "standard", "full")


def get_sales_path(capability: str) -> str:
    """Panels and tools are sold at paths of their own."""
    return PATHS.get(capability, "/api/agent/" + capability)


@dataclass(frozen=True)
class Shop:
    """Where and how a client buys. `now`: Unix time in seconds."""

    origin: str
    wallet: Optional[Wallet]
    budget: Budget
    orders: OrderStore
    retries: Retries
    network: str
    pay_to: Optional[str]
    now: Callable[[], int] = lambda: int(time.time())


@dataclass(frozen=True)
class Order:
    """What to buy. The view is no part of it: one purchase is read in any view."""

    capability: str
    body: Mapping[str, Any]
    view: str
    streams: bool
    #: Pays again although a payment of the same order is open.
    is_new: bool
    #: Reads the result, before its payment is forgotten.
    parse: Callable[[Dict[str, Any]], Any]

    @property
    def text(self) -> str:
        """The body, the same bytes for the same members."""
        return json.dumps(self.body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    def build_request(self, origin: str) -> Request:
        return Request(
            "POST",
            "{}{}?view={}".format(origin, get_sales_path(self.capability), self.view),
            {"content-type": "application/json", "accept": "application/json"},
            self.text.encode("utf-8"),
        )


def buy(order: Order, shop: Shop) -> Steps[Any]:
    """
    The result of an order. A payment that an earlier call stored is sent first. Raises SightlineError; where
    `payment_open` is set the payment is stored, and the same call sends it again.
    """
    wallet = shop.wallet
    if wallet is None:
        raise WalletError("wallet_missing", "Buying needs a wallet", next="Give the client wallet=...")
    payer = read_address(wallet)
    key = compute_order_key(shop.origin, order.capability, payer, order.text)
    replaced: Optional[SavedPayment] = None
    for _ in range(MAX_EARLIER_PAYMENTS + 1):
        saved: Optional[SavedPayment] = yield Use(lambda: shop.orders.find(key, shop.now()))
        if saved is None:
            break
        if order.is_new:
            replaced = saved
            break
        answer = yield from _present(order, shop, saved)
        if not _is_untaken(answer):
            return (yield from _finish(order, shop, _Open(key, saved), answer))
        yield from _withdraw(shop, key, saved)
    return (yield from _pay(order, shop, _Payer(key, payer, replaced)))


@dataclass(frozen=True)
class _Open:
    """A payment of an order that is stored."""

    key: str
    payment: SavedPayment


@dataclass(frozen=True)
class _Payer:
    key: str
    address: str
    replaced: Optional[SavedPayment]


def _pay(order: Order, shop: Shop, payer: _Payer) -> Steps[Any]:
    answer: Union[Answer, Lost, None] = None
    pay_to = shop.pay_to
    for _ in range(MAX_PAYMENTS):
        # The 402 of a refused payment has fresh terms already, unless it was the last event of a stream.
        unpaid = answer
        if unpaid is None or isinstance(unpaid, Lost) or REQUIRED not in unpaid.headers:
            unpaid = yield from send_repeatedly(order.build_request(shop.origin), shop.retries)
        if isinstance(unpaid, Lost) or unpaid.status != 402:
            raise build_error(unpaid, shop.origin)
        if pay_to is None:
            pay_to = read_payee((yield from read_catalogue(shop)), shop.network)
        terms = read_terms(unpaid.headers.get(REQUIRED), shop.network, pay_to)
        shop.budget.check_price(terms.amount)
        payment = yield from _sign(terms, shop, payer.address)
        is_first = yield Use(lambda: shop.orders.save(payer.key, payment, payer.replaced))  # noqa: B023
        if not is_first:
            return (yield from _join(order, shop, payer.key))
        answer = yield from _present(order, shop, payment)
        if not _is_untaken(answer):
            return (yield from _finish(order, shop, _Open(payer.key, payment), answer))
        yield from _withdraw(shop, payer.key, payment)
        error = build_error(answer, shop.origin)
        if error.code in NOT_WORTH_SIGNING:
            raise error
    raise build_error(answer or Lost("no answer"), shop.origin)


def _sign(terms: Terms, shop: Shop, payer: str) -> Steps[SavedPayment]:
    """Counts the payment, then has it signed: what was signed may be taken, whatever is said about it later."""
    now = shop.now()
    yield Use(lambda: shop.orders.reserve(terms.amount, shop.budget.per_day_micro, now))
    message = build_authorization(terms, payer, now, secrets.token_bytes(NONCE_BYTES))
    given = yield Sign(terms.domain, AUTHORIZATION_TYPES, message)
    return SavedPayment(encode_payment(terms, message, normalize_signature(given)), now)


def _present(order: Order, shop: Shop, payment: SavedPayment) -> Steps[Union[Answer, Lost]]:
    request = order.build_request(shop.origin).add_headers(payment_signature=payment.credential)
    if order.streams:
        request = Request(
            request.method,
            request.url,
            {**request.headers, "accept": "text/event-stream"},
            request.content,
            streams=True,
        )
    return (yield from send_repeatedly(request, shop.retries))


def _is_untaken(answer: Union[Answer, Lost]) -> bool:
    """Whether the service says that it judged this payment and did not take it. A 402 of another kind saw no payment."""
    if not isinstance(answer, Answer) or answer.status != 402:
        return False
    return read_object(answer.text).get("code") in (SIGN_AGAIN | NOT_WORTH_SIGNING)


def _withdraw(shop: Shop, key: str, payment: SavedPayment) -> Steps[None]:
    yield Use(lambda: shop.orders.withdraw(key, payment))


def _join(order: Order, shop: Shop, key: str) -> Steps[Any]:
    """Another thread or process stored a payment of this order meanwhile: that one is sent, and ours is not."""
    saved: Optional[SavedPayment] = yield Use(lambda: shop.orders.find(key, shop.now()))
    if saved is not None:
        answer = yield from _present(order, shop, saved)
        if not _is_untaken(answer):
            return (yield from _finish(order, shop, _Open(key, saved), answer))
    raise SightlineError(
        "order_interrupted",
        "Another program began the same order, and its payment was not taken",
        next="Make the same call again.",
    )


def _finish(order: Order, shop: Shop, open_payment: _Open, answer: Union[Answer, Lost]) -> Steps[Any]:
    """The result, which ends the order; anything else leaves the payment stored."""
    if isinstance(answer, Lost) or answer.status != 200:
        raise build_error(answer, shop.origin, payment_open=True)
    raw = read_object(answer.text)
    try:
        result = order.parse(raw)
    except ValueError as error:
        raise ResultError(raw, str(error)) from error
    try:
        yield Use(lambda: shop.orders.forget(open_payment.key, open_payment.payment))
    except SightlineError:
        pass  # A payment that stays costs nothing: its repeat gets the stored result.
    return result


def read(request: Request, shop: Shop) -> Steps[Dict[str, Any]]:
    """The JSON object of a free address."""
    answer = yield from send_repeatedly(request, shop.retries)
    if isinstance(answer, Lost) or is_lost(answer) or answer.status != 200:
        raise build_error(answer, shop.origin)
    return read_object(answer.text)


def read_catalogue(shop: Shop) -> Steps[Dict[str, Any]]:
    request = Request("GET", shop.origin + "/api/agent/index", {"accept": "application/json"})
    return (yield from read(request, shop))


def read_dry_run(capability: str, body: Dict[str, Any], shop: Shop) -> Steps[Dict[str, Any]]:
    """What a purchase would be charged. Signs nothing."""
    url = f"{shop.origin}{get_sales_path(capability)}?dry=1"
    headers = {"accept": "application/json", "content-type": "application/json"}
    return (yield from read(Request("POST", url, headers, json.dumps(body).encode()), shop))
