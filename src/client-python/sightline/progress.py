"""How far the work of a purchase is."""

from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Progress:
    """Counts only: the result is not paid yet."""

    done: int
    total: Optional[int] = None
    failed: Optional[int] = None
