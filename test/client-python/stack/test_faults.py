"""Faults between client and service, and between service and facilitator: every order is paid once, and answered."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import httpx
import pytest
from clients import KINDS
from local_wallet import LocalWallet

from sightline import Budget, MemoryOrderStore, PaymentError, Retries, Sightline, SightlineError

ROW = "check_health"


def make_client(kind, stack, **settings):
    client = kind(stack["service"], wallet=LocalWallet(stack["key"]), budget=Budget(per_call=1, per_day=100), **settings)
    return client


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def kind(request):
    return request.param


@pytest.mark.parametrize(
    "faults",
    [
        ["lose_request"],
        ["lose_answer"],
        ["cut_answer"],
        ["gateway"],
        ["busy", "in_progress"],
        ["lose_answer", "busy", "cut_answer", "lose_request"],
    ],
    ids="+".join,
)
@pytest.mark.parametrize("streams", [False, True], ids=["json", "events"])
def test_what_is_lost_on_the_way_is_asked_for_again_and_paid_once(kind, faults, streams, stack, desk, prices):
    desk.plan(proxy=faults)
    before = desk.received
    client = make_client(kind, stack)
    report = client.buy(ROW, url=stack["good"], on_progress=(lambda counts: None) if streams else None)
    assert report.payment["amount"] == str(prices[ROW])
    assert desk.received - before == prices[ROW]
    payments = desk.payments
    assert len(payments) == len(faults) + 1
    assert len(set(payments)) == 1
    assert client.wallet.signed == 1


def test_a_settlement_of_unknown_outcome_is_not_paid_again(kind, stack, desk, prices):
    orders = MemoryOrderStore()
    before = desk.received
    desk.plan(settle="503_text")
    with pytest.raises(SightlineError) as refused:
        make_client(kind, stack, orders=orders, retries=Retries(requests=2)).buy(ROW, url=stack["good"])
    assert (refused.value.code, refused.value.payment_open) == ("settlement_unknown", True)
    desk.plan()
    deadline = time.monotonic() + 90
    while True:
        again = make_client(kind, stack, orders=orders, retries=Retries(requests=1))
        try:
            report = again.buy(ROW, url=stack["good"])
            break
        except SightlineError as error:
            assert error.payment_open and error.retry_after, error
            assert time.monotonic() < deadline
            time.sleep(error.retry_after)
    assert again.wallet.signed == 0
    assert report.payment["amount"] == str(prices[ROW])
    assert desk.received - before == prices[ROW]


@pytest.mark.parametrize("fault", ["reset_after", "500_json_after", "settlement_pending_after"])
def test_a_settlement_that_the_facilitator_does_not_confirm_is_paid_once(kind, fault, stack, desk, prices):
    before = desk.received
    desk.plan(settle=fault)
    client = make_client(kind, stack)
    assert client.buy(ROW, url=stack["good"]).payment["amount"] == str(prices[ROW])
    assert (client.wallet.signed, desk.received - before) == (1, prices[ROW])


def test_a_wallet_without_money_is_refused_once_and_owes_nothing(kind, stack, desk):
    before = desk.received
    poor = LocalWallet("0x" + "77" * 32)
    with pytest.raises(PaymentError) as refused:
        kind(stack["service"], wallet=poor).buy(ROW, url=stack["good"])
    assert (refused.value.code, poor.signed) == ("insufficient_funds", 1)
    assert desk.received == before


PROGRAM = """
    import sys
    from local_wallet import LocalWallet
    from sightline import FileOrderStore, Sightline
    service, key, url, folder = sys.argv[1:]
    client = Sightline(base_url=service, wallet=LocalWallet(key), orders=FileOrderStore(folder))
    print(client.buy("check_health", url=url).report_id)
"""


def run_program(stack, folder):
    command = [sys.executable, "-c", textwrap.dedent(PROGRAM), stack["service"], stack["key"], stack["good"], str(folder)]
    suite = os.path.join(os.path.dirname(os.path.dirname(__file__)), "suite")
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=suite)


def test_a_program_that_is_killed_while_it_waits_pays_once_in_all(stack, desk, prices, tmp_path):
    folder = tmp_path / "orders"
    before = desk.received
    # The service does its work, and the program never sees the answer.
    desk.plan(proxy=["lose_answer"] * 20)
    first = run_program(stack, folder)
    deadline = time.monotonic() + 60
    while len(desk.payments) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    first.send_signal(signal.SIGKILL)
    assert first.wait(30) == -signal.SIGKILL
    [payment] = set(desk.payments)
    desk.plan()
    second = run_program(stack, folder)
    report_id = second.communicate(timeout=120)[0].strip()
    assert set(desk.payments) == {payment}
    assert desk.received - before == prices["check_health"]
    assert httpx.get("{}/reports/{}.json".format(stack["service"], report_id)).status_code == 200
    assert not list(folder.glob("[0-9a-f]*.json"))


def test_a_report_that_is_not_there_is_a_problem(stack):
    with Sightline(base_url=stack["service"]) as client, pytest.raises(SightlineError) as refused:
        client.report("0" * 32)
    assert (refused.value.code, refused.value.status) == ("report_not_found", 404)
    assert refused.value.next and refused.value.request_id
