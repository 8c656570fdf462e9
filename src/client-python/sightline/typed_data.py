"""EIP-712: the 32 bytes that a wallet signs for typed data, of the types that payments have."""

from typing import Any, Dict, List, Mapping, Sequence

from ._keccak import compute_keccak256

Types = Mapping[str, Sequence[Mapping[str, str]]]

_WORD_BYTES = 32
_ADDRESS_BYTES = 20
_DOMAIN_TYPES = {
    "name": "string",
    "version": "string",
    "chainId": "uint256",
    "verifyingContract": "address",
    "salt": "bytes32",
}


def to_checksum_address(address: str) -> str:
    """The spelling of EIP-55, in which wallets take an address. Raises ValueError where it is none."""
    digits = _read_hex(address, _ADDRESS_BYTES).hex()
    digest = compute_keccak256(digits.encode("ascii")).hex()
    return "0x" + "".join(a.upper() if int(b, 16) >= 8 else a for a, b in zip(digits, digest))


def hash_typed_data(domain: Mapping[str, Any], types: Types, message: Mapping[str, Any]) -> bytes:
    """The digest to sign. `types` has the primary type alone, as for every payment."""
    if len(types) != 1:
        raise ValueError("types must have exactly one type")
    [(name, members)] = types.items()
    domain_members = [{"name": key, "type": kind} for key, kind in _DOMAIN_TYPES.items() if key in domain]
    unknown = [key for key in domain if key not in _DOMAIN_TYPES]
    if unknown:
        raise ValueError("the domain has members that EIP-712 does not know: " + ", ".join(unknown))
    domain_hash = _hash_struct("EIP712Domain", domain_members, domain)
    return compute_keccak256(b"\x19\x01" + domain_hash + _hash_struct(name, members, message))


def _hash_struct(name: str, members: Sequence[Mapping[str, str]], values: Mapping[str, Any]) -> bytes:
    listed = ",".join(member["type"] + " " + member["name"] for member in members)
    words: List[bytes] = [compute_keccak256((name + "(" + listed + ")").encode("utf-8"))]
    words.extend(_encode_word(member["type"], values[member["name"]]) for member in members)
    return compute_keccak256(b"".join(words))


def _encode_word(kind: str, value: Any) -> bytes:
    if kind == "string":
        return compute_keccak256(str(value).encode("utf-8"))
    if kind == "address":
        return _read_hex(value, _ADDRESS_BYTES).rjust(_WORD_BYTES, b"\0")
    if kind == "bytes32":
        return value if isinstance(value, bytes) and len(value) == _WORD_BYTES else _read_hex(value, _WORD_BYTES)
    if kind == "uint256":
        number = int(value)
        if number < 0 or number >> 256:
            raise ValueError("a uint256 is out of range")
        return number.to_bytes(_WORD_BYTES, "big")
    raise ValueError("the type " + kind + " is in no payment")


def _read_hex(value: Any, size: int) -> bytes:
    text = value if isinstance(value, str) else ""
    if not text.startswith("0x") or len(text) != 2 + 2 * size:
        raise ValueError("expected 0x and " + str(2 * size) + " hexadecimal digits")
    return bytes.fromhex(text[2:])


def describe_members(*pairs: str) -> List[Dict[str, str]]:
    """`"address from"` and the like as the members of a type."""
    return [{"type": kind, "name": name} for kind, _, name in (pair.partition(" ") for pair in pairs)]
