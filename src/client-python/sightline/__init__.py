"""
Buy audits from a Sightline service with USDC, and read them.

    from sightline import Budget, Sightline

    client = Sightline(base_url="https://sightline.example", wallet=account, budget=Budget(per_call=2, per_day=10))
    report = client.audit("example.com")
"""

from . import models, sections
from ._wire import Retries
from .async_client import AsyncSightline
from .async_report import AsyncReport, AsyncResult
from .budget import Budget
from .client import Sightline
from .errors import (
    BudgetError,
    OrderStoreError,
    PaymentError,
    ResultError,
    SightlineError,
    TermsError,
    UnreachableError,
    WalletError,
)
from .order_files import FileOrderStore
from .orders import MemoryOrderStore, OrderStore, SavedPayment
from .progress import Progress
from .report import Report, Result
from .wallet import Wallet

__all__ = [
    "AsyncReport",
    "AsyncResult",
    "AsyncSightline",
    "Budget",
    "BudgetError",
    "FileOrderStore",
    "MemoryOrderStore",
    "OrderStore",
    "OrderStoreError",
    "PaymentError",
    "Progress",
    "Report",
    "Result",
    "ResultError",
    "Retries",
    "SavedPayment",
    "Sightline",
    "SightlineError",
    "TermsError",
    "UnreachableError",
    "Wallet",
    "WalletError",
    "models",
    "sections",
]
