"""How much may be signed for, judged on the price of the 402 before anything is signed."""

from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal, InvalidOperation
from typing import Union

from .errors import BudgetError

Usd = Union[int, float, str, Decimal]

MICRO_PER_USD = 1_000_000
#: USD for one call unless you say otherwise: what official x402 clients pay too.
DEFAULT_PER_CALL = 1
#: USD in one day (UTC) unless you say otherwise.
DEFAULT_PER_DAY = 20


def convert_to_micro(amount: Usd) -> int:
    """USD in millionths, rounded down: no limit is exceeded by rounding."""
    try:
        micro = (Decimal(str(amount)) * MICRO_PER_USD).to_integral_value(rounding=ROUND_DOWN)
        number = int(micro)
    except (InvalidOperation, ValueError, OverflowError):
        raise ValueError("a budget is a number of USD, such as 2 or 0.35") from None
    if number < 0:
        raise ValueError("a budget cannot be negative")
    return number


def format_usd(micro: int) -> str:
    return "{}.{:06d} USD".format(micro // MICRO_PER_USD, micro % MICRO_PER_USD)


@dataclass(frozen=True)
class Budget:
    """USD at most for one call, and in one day (UTC) for all calls that share an order store."""

    per_call: Usd = DEFAULT_PER_CALL
    per_day: Usd = DEFAULT_PER_DAY

    def __post_init__(self) -> None:
        convert_to_micro(self.per_call)
        convert_to_micro(self.per_day)

    @property
    def per_day_micro(self) -> int:
        return convert_to_micro(self.per_day)

    def check_price(self, micro: int) -> None:
        """Raises BudgetError where one call must not cost this much."""
        most = convert_to_micro(self.per_call)
        if micro > most:
            raise BudgetError(
                "amount_above_budget",
                "The price is over the budget of a call",
                detail="the price is {}, the budget of a call is {}".format(format_usd(micro), format_usd(most)),
                next="Give the client a larger Budget(per_call=...).",
            )


def refuse_day(sum_micro: int, limit_micro: int) -> BudgetError:
    return BudgetError(
        "daily_limit_reached",
        "The budget of the day is used up",
        detail="{} would be signed for today, the budget of a day is {}".format(
            format_usd(sum_micro), format_usd(limit_micro)
        ),
        next="Wait until midnight UTC, or give the client a larger Budget(per_day=...).",
    )
