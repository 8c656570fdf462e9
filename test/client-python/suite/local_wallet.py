"""A wallet for tests: python3-ecdsa and pycryptodome instead of eth-account, with the same bytes as the wallets of others."""

import hashlib

from Cryptodome.Hash import keccak
from ecdsa import SECP256k1, SigningKey
from ecdsa.util import sigdecode_string, sigencode_string

from sightline.typed_data import hash_typed_data, to_checksum_address

_ORDER = SECP256k1.order


def keccak256(data: bytes) -> bytes:
    return keccak.new(digest_bits=256, data=data).digest()


def sign_digest(key: SigningKey, digest: bytes) -> bytes:
    """RFC 6979, the lower s, and the recovery id as 27 or 28."""
    signed = key.sign_digest_deterministic(digest, hashfunc=hashlib.sha256, sigencode=sigencode_string)
    r, s = sigdecode_string(signed, _ORDER)
    s = min(s, _ORDER - s)
    public = key.get_verifying_key()
    for parity in (0, 1):
        if _recover(digest, r, s, parity) == public.pubkey.point:
            return r.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([27 + parity])
    raise AssertionError("no recovery id leads back to the key")


def _recover(digest: bytes, r: int, s: int, parity: int):
    """The public point that signed: r as x, and the y of this parity."""
    curve = SECP256k1.curve
    p = curve.p()
    y = pow(pow(r, 3, p) + 7, (p + 1) // 4, p)
    y = y if y % 2 == parity else p - y
    from ecdsa.ellipticcurve import Point

    point = Point(curve, r, y, _ORDER)
    inverse = pow(r, -1, _ORDER)
    z = int.from_bytes(digest, "big")
    generator = SECP256k1.generator
    return point * (s * inverse % _ORDER) + generator * (-z * inverse % _ORDER)


class LocalWallet:
    """The port of the package: an address, and a signature over typed data."""

    def __init__(self, key: str) -> None:
        self._key = SigningKey.from_string(bytes.fromhex(key[2:]), curve=SECP256k1)
        public = self._key.get_verifying_key().to_string()
        self.address = to_checksum_address("0x" + keccak256(public)[-20:].hex())
        self.signed = 0

    def sign_typed_data(self, domain, types, message) -> str:
        self.signed += 1
        return "0x" + sign_digest(self._key, hash_typed_data(domain, types, message)).hex()
