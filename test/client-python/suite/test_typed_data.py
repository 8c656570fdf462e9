"""Digest and signature of a payment are those of viem, for every row of the recorded vectors."""

import json
import os
from pathlib import Path

import pytest
from local_wallet import LocalWallet, keccak256

from sightline._keccak import compute_keccak256
from sightline.errors import WalletError
from sightline.payment import AUTHORIZATION_TYPES
from sightline.typed_data import hash_typed_data, to_checksum_address
from sightline.wallet import normalize_signature

VECTORS = json.loads((Path(os.environ["SIGHTLINE_TEST_DATA"]) / "payment-vectors.json").read_text())


def test_there_are_vectors_of_two_networks():
    assert len(VECTORS) == 24
    assert {vector["domain"]["chainId"] for vector in VECTORS} == {8453, 84532}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["digest"][:10])
def test_digest_and_signature_are_those_of_viem(vector):
    message = {**vector["message"], "nonce": bytes.fromhex(vector["message"]["nonce"][2:])}
    assert "0x" + hash_typed_data(vector["domain"], AUTHORIZATION_TYPES, message).hex() == vector["digest"]
    wallet = LocalWallet(vector["key"])
    assert wallet.address == vector["message"]["from"]
    assert wallet.sign_typed_data(vector["domain"], AUTHORIZATION_TYPES, message) == vector["signature"]


@pytest.mark.parametrize("size", [*range(0, 300, 7), 135, 136, 137, 271, 272, 273, 10_000])
def test_keccak_is_that_of_pycryptodome(size):
    data = bytes(at % 251 for at in range(size))
    assert compute_keccak256(data) == keccak256(data)


@pytest.mark.parametrize(
    "address",
    ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"],
)
def test_checksums_are_those_of_eip_55(address):
    assert to_checksum_address(address.lower()) == address


@pytest.mark.parametrize("text", ["", "0x", "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x" + "g" * 40, "0x" + "0" * 39])
def test_what_is_no_address_is_refused(text):
    with pytest.raises(ValueError):
        to_checksum_address(text)


@pytest.mark.parametrize(
    ("domain", "message"),
    [
        ({"name": "a", "color": "b"}, {"amount": 1}),
        ({"name": "a"}, {"amount": -1}),
        ({"name": "a"}, {"amount": 1 << 256}),
    ],
)
def test_what_cannot_be_encoded_is_refused(domain, message):
    with pytest.raises(ValueError):
        hash_typed_data(domain, {"Order": [{"type": "uint256", "name": "amount"}]}, message)


class Signed:
    """What eth-account answers."""

    def __init__(self, signature: bytes) -> None:
        self.signature = signature


RS = "11" * 64


@pytest.mark.parametrize(
    ("given", "last"),
    [
        ("0x" + RS + "1b", "1b"),
        (RS + "1c", "1c"),
        (bytes.fromhex(RS + "00"), "1b"),
        (bytearray.fromhex(RS + "01"), "1c"),
        (Signed(bytes.fromhex(RS + "1c")), "1c"),
    ],
)
def test_signatures_of_every_spelling_become_one(given, last):
    assert normalize_signature(given) == "0x" + RS + last


@pytest.mark.parametrize("given", [None, "", "0x12", "0x" + RS, "0x" + RS + "05", "zz" * 65, bytes(66), 7])
def test_what_is_no_signature_is_refused(given):
    with pytest.raises(WalletError) as refused:
        normalize_signature(given)
    assert refused.value.code == "signature_unusable"
