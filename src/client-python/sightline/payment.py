"""x402 version 2, scheme `exact` by EIP-3009: reads a 402, says what to sign, and makes the header."""

import base64
import binascii
import json
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional

from .errors import TermsError
from .typed_data import describe_members, to_checksum_address

BASE = "eip155:8453"


@dataclass(frozen=True)
class Token:
    """USDC of a network: its contract, and the name and version under which payments of it are signed."""

    asset: str
    name: str
    version: str = "2"


#: By network: all that is ever signed for. Every network counts only where it was asked for.
TOKENS: Mapping[str, Token] = {
    BASE: Token("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "USD Coin"),
    "eip155:137": Token("0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", "USD Coin"),
    "eip155:84532": Token("0x036CbD53842c5426634e7929541eC2318f3dCF7e", "USDC"),
}
#: Longest life of a payment that is signed, in seconds.
MAX_AUTHORIZATION_SECONDS = 300
#: A payment is valid from so many seconds ago, for clocks that differ.
VALID_BEFORE_NOW_SECONDS = 600
#: Longest PAYMENT-REQUIRED that is read, and the most ways to pay in it.
MAX_REQUIRED_CHARS = 64 * 1024
MAX_ACCEPTS = 20
NONCE_BYTES = 32
MAX_AMOUNT_DIGITS = 12

AUTHORIZATION_TYPES = {
    "TransferWithAuthorization": describe_members(
        "address from",
        "address to",
        "uint256 value",
        "uint256 validAfter",
        "uint256 validBefore",
        "bytes32 nonce",
    )
}


@dataclass(frozen=True)
class Terms:
    """What one entry of `accepts` asks for, judged. `required`: the whole 402, of which the payment repeats parts."""

    required: Mapping[str, Any]
    accepted: Mapping[str, Any]
    network: str
    amount: int
    pay_to: str
    timeout: int

    @property
    def domain(self) -> Dict[str, Any]:
        """Of our table: what the 402 says of the token is not signed."""
        token = TOKENS[self.network]
        return {
            "name": token.name,
            "version": token.version,
            "chainId": int(self.network.split(":")[1]),
            "verifyingContract": token.asset,
        }


def read_payee(catalogue: Mapping[str, Any], network: str) -> str:
    """Who is paid on a network, by the catalogue of the service. Raises TermsError."""
    payment = catalogue.get("payment")
    payment = payment if isinstance(payment, dict) else {}
    further = payment.get("networks")
    listed = [one for one in further if isinstance(one, dict)] if isinstance(further, list) else [payment]
    for one in listed:
        if one.get("network") != network:
            continue
        try:
            return to_checksum_address(str(one.get("payTo")))
        except ValueError:
            raise _refuse("wrong_payee", "the catalogue names no payee on " + network) from None
    names = ", ".join(str(one.get("network")) for one in listed[:MAX_ACCEPTS])
    raise _refuse("wrong_network", "the service is not paid on {}, but on {}".format(network, names))


def read_terms(header: Optional[str], network: str, pay_to: str) -> Terms:
    """The first way to pay that is ours: scheme, network, asset and payee. Raises TermsError."""
    required = _decode(header)
    accepts = required.get("accepts") if required is not None else None
    if required is None or required.get("x402Version") != 2 or not isinstance(accepts, list) or not accepts:
        raise _refuse("terms_unreadable", "the 402 has no readable PAYMENT-REQUIRED header of x402 version 2")
    refusals: List[TermsError] = []
    for entry in accepts[:MAX_ACCEPTS]:
        try:
            return _judge(required, entry, network, pay_to)
        except TermsError as refusal:
            refusals.append(refusal)
    # Entries of other networks are for others: what is wrong with that of ours says more.
    raise next((refusal for refusal in refusals if refusal.code != "wrong_network"), refusals[0])


def _refuse(code: str, detail: str) -> TermsError:
    return TermsError(code, "These terms are not paid", status=402, detail=detail)


def _judge(required: Mapping[str, Any], entry: Any, network: str, pay_to: str) -> Terms:
    if not isinstance(entry, dict):
        raise _refuse("terms_unreadable", "an entry of accepts is no object")
    extra = entry.get("extra")
    extra = extra if isinstance(extra, dict) else {}
    if entry.get("scheme") != "exact" or extra.get("assetTransferMethod", "eip3009") != "eip3009":
        raise _refuse("wrong_scheme", "only the scheme exact by EIP-3009 is paid")
    if entry.get("network") != network:
        raise _refuse("wrong_network", "only payments on {} are made, not on {!r}".format(network, entry.get("network")))
    if str(entry.get("asset")).lower() != TOKENS[network].asset.lower():
        raise _refuse("wrong_asset", "the asset {!r} is not USDC".format(entry.get("asset")))
    try:
        payee = to_checksum_address(str(entry.get("payTo")))
    except ValueError:
        raise _refuse("wrong_payee", "payTo is no address") from None
    if payee.lower() != pay_to.lower():
        raise _refuse("wrong_payee", "the payee is {}, and {} is the one to pay".format(payee, pay_to))
    amount = entry.get("amount")
    if not isinstance(amount, str) or not amount.isascii() or not amount.isdigit():
        raise _refuse("amount_invalid", "the amount is no whole number")
    if len(amount) > MAX_AMOUNT_DIGITS or int(amount) == 0:
        raise _refuse("amount_invalid", "the amount is zero, or larger than any price")
    timeout = entry.get("maxTimeoutSeconds")
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or timeout < 1:
        raise _refuse("terms_unreadable", "maxTimeoutSeconds is no number of seconds")
    seconds = min(int(timeout), MAX_AUTHORIZATION_SECONDS)
    return Terms(required, entry, network, int(amount), payee, seconds)


def _decode(header: Optional[str]) -> Optional[Dict[str, Any]]:
    if header is None or len(header) > MAX_REQUIRED_CHARS:
        return None
    try:
        decoded = json.loads(base64.b64decode(header, validate=True))
    except (ValueError, binascii.Error, RecursionError):
        return None
    return decoded if isinstance(decoded, dict) else None


def build_authorization(terms: Terms, payer: str, now: int, nonce: bytes) -> Dict[str, Any]:
    """The message to sign: exactly the price, for a short time."""
    return {
        "from": payer,
        "to": terms.pay_to,
        "value": terms.amount,
        "validAfter": now - VALID_BEFORE_NOW_SECONDS,
        "validBefore": now + terms.timeout,
        "nonce": nonce,
    }


def encode_payment(terms: Terms, authorization: Mapping[str, Any], signature: str) -> str:
    """The PAYMENT-SIGNATURE header."""
    wire = {
        key: value if key in ("from", "to") else "0x" + value.hex() if key == "nonce" else str(value)
        for key, value in authorization.items()
    }
    payload: Dict[str, Any] = {
        "x402Version": 2,
        "payload": {"authorization": wire, "signature": signature},
        "accepted": terms.accepted,
    }
    # Service and facilitator read them back: the address that is paid for, and the extensions of the 402.
    for key in ("resource", "extensions"):
        if terms.required.get(key) is not None:
            payload[key] = terms.required[key]
    text = json.dumps(payload, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(text.encode("utf-8")).decode("ascii")
