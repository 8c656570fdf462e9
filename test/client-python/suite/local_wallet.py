"""A wallet for tests: python3-ecdsa and pycryptodome instead of eth-account, with the same bytes as the wallets of others."""

import hashlib

from Cryptodome.Hash import keccak
from ecdsa import SECP256k1, SigningKey
from ecdsa.rfc6979 import generate_k

from sightline.typed_data import hash_typed_data, to_checksum_address

_ORDER = SECP256k1.order


def keccak256(data: bytes) -> bytes:
    return keccak.new(digest_bits=256, data=data).digest()


def sign_digest(secret: int, digest: bytes) -> bytes:
    """RFC 6979, the lower s, and the recovery id as 27 or 28."""
    nonce = generate_k(_ORDER, secret, hashlib.sha256, digest)
    point = SECP256k1.generator * nonce
    r = point.x() % _ORDER
    s = pow(nonce, -1, _ORDER) * (int.from_bytes(digest, "big") + r * secret) % _ORDER
    parity = point.y() % 2
    if s > _ORDER // 2:
        s, parity = _ORDER - s, 1 - parity
    return r.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([27 + parity])


class LocalWallet:
    """The port of the package: an address, and a signature over typed data."""

    def __init__(self, key: str) -> None:
        self._secret = int(key, 16)
        public = SigningKey.from_secret_exponent(self._secret, SECP256k1).get_verifying_key().to_string()
        self.address = to_checksum_address("0x" + keccak256(public)[-20:].hex())
        self.signed = 0
        self.domains = []

    def sign_typed_data(self, domain, types, message) -> str:
        self.signed += 1
        self.domains.append(domain)
        return "0x" + sign_digest(self._secret, hash_typed_data(domain, types, message)).hex()
