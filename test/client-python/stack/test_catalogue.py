"""Every row of the catalogue, every panel and every tool is bought and read."""

import os

import anyio
import pytest
from local_wallet import LocalWallet

from sightline import AsyncSightline, Budget, Sightline
from sightline.models import PATHS, RESULTS, PanelResult

BUDGET = Budget(per_call=7, per_day=1000)
PANELS = {name for name, path in PATHS.items() if path.startswith("/api/panels/")}
TOOLS = set(PATHS) - PANELS
ROWS = os.environ.get("SIGHTLINE_TEST_ROWS", "").split()
BRAND = {"brand": "Example Desk", "niche": "help desk software for small teams"}
SPOTS = [{"topic": "Price and value"}]


def body_of(capability, stack):
    if capability == "visibility_vs_competitor":
        return {**BRAND, "competitor_brand": "Sample Support"}
    if capability == "visibility_fix_pack":
        return {**BRAND, "weak_spots": SPOTS}
    if capability == "visibility_check" or capability in PANELS:
        return BRAND
    if capability == "compare":
        return {"url": stack["good"], "competitor": stack["poor"]}
    if capability.startswith("generate_"):
        return {"url": stack["good"]}  # Of the poor site there is nothing to make them from.
    return {"url": stack["poor"]}


@pytest.fixture(scope="module")
def client(stack):
    with Sightline(base_url=stack["service"], wallet=LocalWallet(stack["key"]), budget=BUDGET) as client:
        yield client


def test_the_rows_are_those_of_the_models_and_of_the_service(prices):
    assert sorted(ROWS) == sorted(prices) == sorted(RESULTS)
    assert len(set(ROWS) - set(PATHS)) == 19
    assert PANELS and TOOLS and set(PATHS) < set(ROWS)


@pytest.mark.parametrize("capability", ROWS)
def test_a_row_is_bought_read_in_all_sizes_and_paid_once(capability, client, stack, desk, prices):
    before = desk.received
    report = client.buy(capability, **body_of(capability, stack))
    assert desk.received - before == prices[capability]
    assert (report.capability, report.raw["view"]) == (capability, "summary")
    assert report.payment is not None
    assert report.headline
    # The summary says what there is; each section has as many items as it says.
    for section in report.sections:
        items = list(report.section(section.name))
        assert section.count is None or len(items) == section.count, section.name
    for first in report.do_first:
        assert report.fix(first.id).id == first.id
    full = client.report(report.report_id, view="full")
    model = full.parse_as(RESULTS[capability])
    assert model.report_id == report.report_id
    standard = client.report(report.report_id, view="standard")
    assert standard.headline == report.headline
    assert desk.received - before == prices[capability]


@pytest.mark.parametrize("capability", ["full_audit", "visibility_check"])
def test_the_asynchronous_client_buys_with_progress(capability, stack):
    async def buy():
        wallet = LocalWallet(stack["key"])
        seen = []
        async with AsyncSightline(base_url=stack["service"], wallet=wallet, budget=BUDGET) as client:
            report = await client.buy(capability, on_progress=seen.append, **body_of(capability, stack))
            full = await client.report(report.report_id, view="full")
            name = "answers" if capability == "visibility_check" else "checks"
            return seen, report, full, [item async for item in report.section(name)]

    seen, report, full, items = anyio.run(buy)
    assert report.payment is not None
    assert full.parse_as(RESULTS[capability]).report_id == report.report_id
    assert items
    # A simulated measurement can end before its first progress is read.
    assert seen or capability == "visibility_check"
    assert [counts.done for counts in seen] == sorted(counts.done for counts in seen)


def test_a_measurement_names_what_its_fixes_are_bought_for(client):
    report = client.buy("visibility_check", **BRAND)
    full = client.report(report.report_id, view="full")
    spots = full.raw["weak_spots"]
    assert spots
    assert client.buy("visibility_fix_pack", weak_spots=spots, **BRAND).headline


def test_a_panel_says_each_engine_and_all_together(client):
    report = client.buy("visibility_panel_4", competitors=["Sample Support"], **BRAND)
    panel = client.report(report.report_id, view="full").parse_as(PanelResult)
    assert [engine.status for engine in panel.engines] == ["measured"] * 4
    assert len({engine.run_id for engine in panel.engines}) == 4
    assert panel.pooled.engines == 4
    assert panel.pooled.mention_rate.n == sum(engine.valid for engine in panel.engines)
    assert [rival.name for rival in panel.pooled.competitors] == ["Sample Support"]
    assert len(panel.differences) == 6
