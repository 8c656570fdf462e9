"""
The port to a wallet: an address, and a method that signs typed data. Accounts of `eth-account` have both, and so can
a hardware wallet or a key service.
"""

import importlib
from typing import Any, Mapping, Protocol, Sequence, Union, cast

from .errors import WalletError
from .typed_data import to_checksum_address

_SIGNATURE_BYTES = 65


class Wallet(Protocol):
    """
    Signs one payment. Integers come as int, `bytes32` as bytes, addresses with their checksum. The answer is the
    signature of 65 bytes: as hexadecimal text, as bytes, or as an object that has them as `signature`. With
    `AsyncSightline` it may be an awaitable of these.
    """

    @property
    def address(self) -> str: ...

    def sign_typed_data(
        self,
        domain: Mapping[str, Any],
        types: Mapping[str, Sequence[Mapping[str, str]]],
        message: Mapping[str, Any],
        /,
    ) -> Any: ...


def open_wallet(wallet: Union[Wallet, str]) -> Wallet:
    """A wallet as it is; a private key (0x and 64 digits) as an account of eth-account."""
    if not isinstance(wallet, str):
        return wallet
    try:
        account = importlib.import_module("eth_account").Account
    except ImportError as error:
        raise WalletError(
            "wallet_unusable",
            "A private key needs eth-account",
            next="pip install 'sightline[eth-account]', or give a wallet object of your own.",
        ) from error
    return cast(Wallet, account.from_key(wallet))


def read_address(wallet: Wallet) -> str:
    try:
        return to_checksum_address(str(wallet.address))
    except ValueError as error:
        raise WalletError("wallet_unusable", "The wallet has no address", detail=str(error)) from error


def normalize_signature(given: Any) -> str:
    """0x and 130 digits, with the recovery id as 27 or 28."""
    value = getattr(given, "signature", given)
    if isinstance(value, str):
        try:
            value = bytes.fromhex(value[2:] if value.startswith("0x") else value)
        except ValueError:
            value = b""
    if not isinstance(value, (bytes, bytearray)) or len(value) != _SIGNATURE_BYTES:
        raise WalletError("signature_unusable", "The wallet gave no signature of 65 bytes")
    recovery = value[-1] + 27 if value[-1] < 27 else value[-1]
    if recovery not in (27, 28):
        raise WalletError("signature_unusable", "The recovery id of the signature is neither 27 nor 28")
    return "0x" + bytes(value[:-1]).hex() + format(recovery, "02x")
