"""A local stack whose faults the tests choose: test/support/python/fault-desk.ts starts it."""

import json
import os
import sys
from pathlib import Path

import httpx
import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "suite"))

STACK = json.loads(os.environ.get("SIGHTLINE_TEST_STACK", "{}"))


class Desk:
    """What goes wrong, and what was paid."""

    def __init__(self) -> None:
        self._http = httpx.Client(timeout=30)

    def plan(self, *, proxy=(), settle="none") -> None:
        self._http.post(STACK["desk"], json={"proxy": list(proxy), "settle": settle}).raise_for_status()

    def read(self) -> dict:
        return self._http.get(STACK["desk"]).json()

    @property
    def received(self) -> int:
        """What the seller has, in millionths of USD."""
        return int(self.read()["received"])

    @property
    def payments(self) -> list:
        """Every paid request since the last plan, by its payment."""
        return self.read()["payments"]


@pytest.fixture
def desk():
    desk = Desk()
    desk.plan()
    yield desk
    desk.plan()


@pytest.fixture(scope="session")
def stack():
    return STACK


@pytest.fixture(scope="session")
def prices(stack):
    with httpx.Client() as http:
        index = http.get(stack["service"] + "/api/agent/index").json()
    rows = {**index["capabilities"], **index["panels"], **index["tools"]}
    return {name: int(row["amount"]) for name, row in rows.items()}
