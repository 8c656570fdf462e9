"""What both clients are made from, checked before anything is asked."""

from typing import Any, Dict, Mapping, Optional, Union
import re

from ._compat import Model, dump_model
from ._purchase import VIEWS, Shop
from ._wire import Retries, parse_origin
from .budget import Budget
from .orders import MemoryOrderStore, OrderStore
from .payment import TOKENS
from .typed_data import to_checksum_address
from .wallet import Wallet, open_wallet

MAX_NAME_CHARS = 40


def build_shop(
    base_url: str,
    *,
    wallet: Union[Wallet, str, None],
    budget: Optional[Budget],
    orders: Optional[OrderStore],
    retries: Optional[Retries],
    network: str,
    pay_to: Optional[str],
) -> Shop:
    """Raises ValueError for what cannot be meant."""
    if network not in TOKENS:
        raise ValueError("network is one of " + ", ".join(TOKENS))
    return Shop(
        origin=parse_origin(base_url),
        wallet=None if wallet is None else open_wallet(wallet),
        budget=budget or Budget(),
        orders=orders or MemoryOrderStore(),
        retries=retries or Retries(),
        network=network,
        pay_to=None if pay_to is None else to_checksum_address(pay_to),
    )


def check_order(capability: str, view: str) -> None:
    if len(capability) > MAX_NAME_CHARS or re.match(r"[a-z0-9_]+\Z", capability) is None:
        raise ValueError("a capability is a name of the catalogue, such as full_audit")
    if view not in VIEWS:
        raise ValueError("view is one of " + ", ".join(VIEWS))


def read_body(body: Mapping[str, Any]) -> Dict[str, Any]:
    """The members that were given. Models of an earlier result, such as weak spots, become JSON again."""
    return {name: _read_value(value) for name, value in body.items() if value is not None}


def _read_value(value: Any) -> Any:
    if isinstance(value, Model):
        return dump_model(value)
    if isinstance(value, (list, tuple)):
        return [_read_value(one) for one in value]
    return value
