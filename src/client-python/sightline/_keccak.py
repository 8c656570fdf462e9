"""Keccak-256 as Ethereum uses it: not the SHA3-256 of hashlib, whose padding is another."""

from typing import List

_MASK = (1 << 64) - 1
_RATE_BYTES = 136
_PADDING = 0x01
_ROUNDS = 24
_WORD_BYTES = 8
_DIGEST_BYTES = 32


def _make_round_constants() -> List[int]:
    constants = []
    register = 1
    for _ in range(_ROUNDS):
        constant = 0
        for power in range(7):
            if register & 1:
                constant |= 1 << ((1 << power) - 1)
            register = (register << 1) ^ (0x171 if register & 0x80 else 0)
        constants.append(constant)
    return constants


def _make_steps() -> List[int]:
    """How far each lane turns, and where it goes: index, then 24 pairs of them."""
    steps = []
    x, y = 1, 0
    for step in range(24):
        steps.append(((step + 1) * (step + 2) // 2) % 64)
        x, y = y, (2 * x + 3 * y) % 5
        steps.append(x + 5 * y)
    return steps


_CONSTANTS = _make_round_constants()
_STEPS = _make_steps()


def _rotate(word: int, by: int) -> int:
    return ((word << by) | (word >> (64 - by))) & _MASK


def _permute(lanes: List[int]) -> None:
    for constant in _CONSTANTS:
        columns = [lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20] for x in range(5)]
        mixed = [columns[(x + 4) % 5] ^ _rotate(columns[(x + 1) % 5], 1) for x in range(5)]
        for at in range(25):
            lanes[at] ^= mixed[at % 5]
        moving = lanes[1]
        for step in range(24):
            turn, target = _STEPS[2 * step], _STEPS[2 * step + 1]
            moving, lanes[target] = lanes[target], _rotate(moving, turn)
        for row in range(0, 25, 5):
            old = lanes[row : row + 5]
            for x in range(5):
                lanes[row + x] = old[x] ^ (~old[(x + 1) % 5] & _MASK & old[(x + 2) % 5])
        lanes[0] ^= constant


def compute_keccak256(data: bytes) -> bytes:
    """The digest of `data`, 32 bytes."""
    padded = bytearray(data)
    padded.append(_PADDING)
    padded.extend(b"\0" * (-len(padded) % _RATE_BYTES))
    padded[-1] |= 0x80
    lanes = [0] * 25
    for start in range(0, len(padded), _RATE_BYTES):
        for at in range(_RATE_BYTES // _WORD_BYTES):
            begin = start + at * _WORD_BYTES
            lanes[at] ^= int.from_bytes(padded[begin : begin + _WORD_BYTES], "little")
        _permute(lanes)
    words = [lane.to_bytes(_WORD_BYTES, "little") for lane in lanes[: _DIGEST_BYTES // _WORD_BYTES]]
    return b"".join(words)
