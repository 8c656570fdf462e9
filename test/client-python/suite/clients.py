"""Both clients behind one face, so that every rule is judged for both. Waits are counted, not waited."""

from typing import Any, List

import anyio

from local_wallet import LocalWallet
from sightline import AsyncSightline, Budget, Retries, Sightline
from sightline._drive import AsyncDriver, Driver

KEY = "0x" + "5a" * 32


def wallet() -> LocalWallet:
    return LocalWallet(KEY)


class Sync:
    name = "sync"

    def __init__(self, url: str, **settings: Any) -> None:
        self.waits: List[float] = []
        settings.setdefault("wallet", wallet())
        self.wallet = settings["wallet"]
        self.client = Sightline(base_url=url, **settings)
        self.client._driver = Driver(self.client._driver.http, self.client._shop.wallet, self.waits.append)

    def buy(self, capability: str = "full_audit", **more: Any) -> Any:
        return self.client.buy(capability, **{"url": "example.com", **more})

    def report(self, report_id: str, **more: Any) -> Any:
        return self.client.report(report_id, **more)

    def section(self, report: Any, name: str, **query: Any) -> List[Any]:
        return list(report.section(name, **query))

    def fix(self, report: Any, fix_id: str) -> Any:
        return report.fix(fix_id)

    def catalogue(self) -> Any:
        return self.client.catalogue()

    def dry_run(self, capability: str, **body: Any) -> Any:
        return self.client.dry_run(capability, **body)


class Async:
    """Each call runs in an event loop of its own, by the backend that the test names."""

    name = "async"
    backend = "asyncio"

    def __init__(self, url: str, **settings: Any) -> None:
        self.waits: List[float] = []
        settings.setdefault("wallet", wallet())
        self.wallet = settings["wallet"]
        self._url = url
        self._settings = settings

    def _run(self, work: Any) -> Any:
        async def run() -> Any:
            async with AsyncSightline(base_url=self._url, **self._settings) as client:
                async def wait(seconds: float) -> None:
                    self.waits.append(seconds)

                client._driver = AsyncDriver(client._driver.http, client._shop.wallet, wait)
                return await work(client)

        return anyio.run(run, backend=self.backend)

    def buy(self, capability: str = "full_audit", **more: Any) -> Any:
        return self._run(lambda client: client.buy(capability, **{"url": "example.com", **more}))

    def report(self, report_id: str, **more: Any) -> Any:
        return self._run(lambda client: client.report(report_id, **more))

    def section(self, report: Any, name: str, **query: Any) -> List[Any]:
        async def collect(client: AsyncSightline) -> List[Any]:
            again = await client.report(report.report_id)
            return [item async for item in again.section(name, **query)]

        return self._run(collect)

    def fix(self, report: Any, fix_id: str) -> Any:
        async def find(client: AsyncSightline) -> Any:
            return await (await client.report(report.report_id)).fix(fix_id)

        return self._run(find)

    def catalogue(self) -> Any:
        return self._run(lambda client: client.catalogue())

    def dry_run(self, capability: str, **body: Any) -> Any:
        return self._run(lambda client: client.dry_run(capability, **body))


KINDS = [Sync, Async]
RICH = Budget(per_call=5, per_day=100)
FEW = Retries(requests=3, wait_seconds=60)
