"""The synchronous client."""

from typing import Any, Dict, Literal, Optional, Union, overload

import httpx

from ._drive import Driver, OnProgress
from ._purchase import Order, Shop, buy, read_catalogue, read_dry_run
from ._reading import read_report
from ._settings import build_shop, check_order, read_body
from ._wire import Retries
from .budget import Budget
from .orders import OrderStore
from .payment import BASE
from .report import Report, Result
from .wallet import Wallet


class Sightline:
    """
    Buys from a Sightline service and reads what was bought. `wallet`: an account of eth-account, any object with
    `address` and `sign_typed_data`, or a private key; reading needs none. `orders`: where open payments are stored;
    with a FileOrderStore a program that was killed and is run again pays once. `network`: where your USDC is, Base or
    `eip155:137` (Polygon), of those that the service is paid on. `pay_to`: the only payee, if you know it better than
    the catalogue of the service. Use it as a context manager, or call `close`.
    """

    def __init__(
        self,
        *,
        base_url: str,
        wallet: Union[Wallet, str, None] = None,
        budget: Optional[Budget] = None,
        orders: Optional[OrderStore] = None,
        retries: Optional[Retries] = None,
        network: str = BASE,
        pay_to: Optional[str] = None,
        http: Optional[httpx.Client] = None,
    ) -> None:
        self._shop: Shop = build_shop(
            base_url, wallet=wallet, budget=budget, orders=orders, retries=retries, network=network, pay_to=pay_to
        )
        self._owns_http = http is None
        self._driver = Driver(http or httpx.Client(), self._shop.wallet)

    def audit(
        self,
        url: str,
        *,
        on_progress: Optional[OnProgress] = None,
        new: bool = False,
        **body: Any,
    ) -> Report:
        """Buys `full_audit` of a site: all four scores, and what to do first."""
        bought: Report = self.buy("full_audit", on_progress=on_progress, new=new, url=url, **body)
        return bought

    @overload
    def buy(
        self,
        capability: str,
        *,
        view: Literal["summary", "standard"] = ...,
        on_progress: Optional[OnProgress] = ...,
        new: bool = ...,
        **body: Any,
    ) -> Report: ...

    @overload
    def buy(
        self,
        capability: str,
        *,
        view: Literal["full"],
        on_progress: Optional[OnProgress] = ...,
        new: bool = ...,
        **body: Any,
    ) -> Result: ...

    def buy(
        self,
        capability: str,
        *,
        view: str = "summary",
        on_progress: Optional[OnProgress] = None,
        new: bool = False,
        **body: Any,
    ) -> Union[Report, Result]:
        """
        Buys a capability, a panel or a tool of the catalogue; `body` has its fields, such as `url`. An order whose payment is open is not
        paid again: the same call after any failure sends the same payment, in any view. `new=True` pays again all the
        same. `on_progress` is called with counts while the work is done. Raises SightlineError.
        """
        check_order(capability, view)
        streams = on_progress is not None
        order = Order(capability, read_body(body), view, streams, new, lambda raw: self._open(raw, view))
        bought: Union[Report, Result] = self._driver.run(buy(order, self._shop), on_progress)
        return bought

    @overload
    def report(self, report_id: str, *, view: Literal["summary", "standard"] = ...) -> Report: ...

    @overload
    def report(self, report_id: str, *, view: Literal["full"]) -> Result: ...

    def report(self, report_id: str, *, view: str = "summary") -> Union[Report, Result]:
        """A result that was bought in the last 30 days, by its id. Free."""
        raw = self._driver.run(read_report(report_id, view, self._shop))
        return self._open(raw, view)

    def dry_run(self, capability: str, **body: Any) -> Dict[str, Any]:
        """What `buy` with the same words would be charged, and whether the site answers. Free; signs nothing."""
        check_order(capability, "summary")
        return self._driver.run(read_dry_run(capability, read_body(body), self._shop))

    def catalogue(self) -> Dict[str, Any]:
        """What is sold: prices, bodies and whether each is available. Free."""
        return self._driver.run(read_catalogue(self._shop))

    def close(self) -> None:
        """Closes the connections, unless you gave the `http` client."""
        if self._owns_http:
            self._driver.http.close()

    def __enter__(self) -> "Sightline":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self, raw: Dict[str, Any], view: str) -> Union[Report, Result]:
        kind = Result if view == "full" else Report
        return kind(raw, self._shop, self._driver)
