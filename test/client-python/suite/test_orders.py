"""Order stores: both have the same rules, and files survive what memory does not."""

import os
import signal
import stat
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from paid_service import PaidService, summary

from sightline import BudgetError, FileOrderStore, MemoryOrderStore, OrderStoreError, SavedPayment
from sightline.orders import MAX_EARLIER_PAYMENTS, MAX_ORDER_AGE_SECONDS, compute_order_key

NOW = int(time.time())  # Files have the time of this machine.
DAY = 24 * 60 * 60
KEY = "a" * 64
FIRST, SECOND, THIRD = (SavedPayment(name, NOW) for name in ("first", "second", "third"))


@pytest.fixture(params=["memory", "file"])
def store(request, tmp_path):
    return MemoryOrderStore() if request.param == "memory" else FileOrderStore(tmp_path / "orders")


def test_an_order_is_found_until_it_is_forgotten(store):
    assert store.find(KEY, NOW) is None
    assert store.save(KEY, FIRST)
    assert store.find(KEY, NOW) == FIRST
    assert store.find("b" * 64, NOW) is None
    store.forget(KEY, SECOND)
    assert store.find(KEY, NOW) == FIRST
    store.forget(KEY, FIRST)
    assert store.find(KEY, NOW) is None
    store.forget(KEY, FIRST)


def test_the_first_of_two_is_the_one(store):
    assert store.save(KEY, FIRST)
    assert not store.save(KEY, SECOND)
    assert store.find(KEY, NOW) == FIRST


def test_a_payment_that_was_replaced_is_open_again_when_the_new_one_is_withdrawn(store):
    store.save(KEY, FIRST)
    assert not store.save(KEY, THIRD, replaced=SECOND)
    assert store.save(KEY, SECOND, replaced=FIRST)
    assert store.find(KEY, NOW) == SECOND
    store.withdraw(KEY, FIRST)
    assert store.find(KEY, NOW) == SECOND
    store.withdraw(KEY, SECOND)
    assert store.find(KEY, NOW) == FIRST
    store.withdraw(KEY, FIRST)
    assert store.find(KEY, NOW) is None


def test_earlier_payments_are_bounded(store):
    previous = None
    for number in range(MAX_EARLIER_PAYMENTS + 5):
        payment = SavedPayment(str(number), NOW)
        assert store.save(KEY, payment, previous)
        previous = payment
    found = 0
    while True:
        seen = store.find(KEY, NOW)
        if seen is None:
            break
        store.withdraw(KEY, seen)
        found += 1
    assert found == MAX_EARLIER_PAYMENTS + 1


def test_an_order_that_no_repeat_can_get_is_dropped(store):
    store.save(KEY, FIRST)
    assert store.find(KEY, NOW + MAX_ORDER_AGE_SECONDS - 1) == FIRST
    assert store.find(KEY, NOW + MAX_ORDER_AGE_SECONDS) is None
    assert store.find(KEY, NOW) is None


def test_a_day_has_a_sum(store):
    store.reserve(60, 100, NOW)
    with pytest.raises(BudgetError):
        store.reserve(41, 100, NOW)
    store.reserve(40, 100, NOW)
    with pytest.raises(BudgetError):
        store.reserve(1, 100, NOW)
    store.reserve(100, 100, NOW + DAY)


def test_threads_share_the_sum_of_a_day(store):
    refused = []

    def reserve():
        for _ in range(10):
            try:
                store.reserve(1, 25, NOW)
            except BudgetError as error:
                refused.append(error)

    threads = [threading.Thread(target=reserve) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 25


def test_orders_differ_by_what_is_bought_where_and_by_whom():
    given = ("https://a.example", "full_audit", "0xAB", "{}")
    keys = {compute_order_key(*given)} | {
        compute_order_key(*(text + "x" if at == changed else text for at, text in enumerate(given))) for changed in range(4)
    }
    assert len(keys) == 5
    assert compute_order_key("https://a.example", "full_audit", "0xab", "{}") in keys


def test_files_are_for_their_owner_alone(tmp_path):
    folder = tmp_path / "deep" / "orders"
    store = FileOrderStore(folder)
    store.save(KEY, FIRST)
    store.reserve(1, 2, NOW)
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    assert {stat.S_IMODE(entry.stat().st_mode) for entry in os.scandir(folder)} == {0o600}


@pytest.mark.parametrize("spoil", ["mode", "content", "version", "link", "sums", "nested"])
def test_what_cannot_be_trusted_is_an_error_and_no_empty_store(tmp_path, spoil):
    folder = tmp_path / "orders"
    store = FileOrderStore(folder)
    store.save(KEY, FIRST)
    store.reserve(1, 2, NOW)
    file = folder / (KEY + ".json")
    if spoil == "mode":
        file.chmod(0o666)
    if spoil == "content":
        file.write_text("{")
    if spoil == "version":
        file.write_text('{"version":2,"payments":[]}')
    if spoil == "nested":
        file.write_text('{"version":1,"payments":[{"credential":5}]}')
    if spoil == "link":
        file.rename(tmp_path / "elsewhere")
        file.symlink_to(tmp_path / "elsewhere")
    if spoil == "sums":
        (folder / "spending.json").write_text('{"2027-01-15":"none"}')
    with pytest.raises(OrderStoreError) as refused:
        if spoil == "sums":
            store.reserve(1, 2, NOW)
        store.find(KEY, NOW)
    assert refused.value.code == "orders_unavailable"


def test_nothing_is_signed_without_a_store_that_works(make, tmp_path):
    (tmp_path / "orders").write_text("a file where the folder should be")
    with PaidService() as service:
        client = make(service.url, orders=FileOrderStore(tmp_path / "orders"))
        with pytest.raises(OrderStoreError):
            client.buy()
    assert (client.wallet.signed, service.paid) == (0, [])


def test_old_files_are_swept_and_others_stay(tmp_path):
    store = FileOrderStore(tmp_path)
    os.chmod(tmp_path, 0o700)
    store.save("b" * 64, FIRST)
    old = NOW - MAX_ORDER_AGE_SECONDS - 10
    os.utime(tmp_path / ("b" * 64 + ".json"), (old, old))
    (tmp_path / ".draft-left").write_text("")
    os.utime(tmp_path / ".draft-left", (old, old))
    store.save(KEY, SavedPayment("new", NOW))
    assert sorted(entry.name for entry in os.scandir(tmp_path)) == [".lock", KEY + ".json"]


PROGRAM = """
    import sys
    from clients import wallet
    from sightline import FileOrderStore, Sightline
    client = Sightline(base_url=sys.argv[1], wallet=wallet(), orders=FileOrderStore(sys.argv[2]))
    print(client.buy("full_audit", url="example.com").report_id)
"""


def run_program(url, folder):
    command = [sys.executable, "-c", textwrap.dedent(PROGRAM), url, str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=os.path.dirname(__file__))


def test_a_killed_program_that_is_run_again_sends_the_same_payment(tmp_path):
    arrived, gone = threading.Event(), threading.Event()

    def hold(call, n):
        if n > 1:
            return call.answer(200, summary())
        arrived.set()
        gone.wait(30)
        return call.drop()

    with PaidService(on_paid=hold) as service:
        first = run_program(service.url, tmp_path / "orders")
        assert arrived.wait(30)
        first.send_signal(signal.SIGKILL)
        assert first.wait(30) == -signal.SIGKILL
        gone.set()
        second = run_program(service.url, tmp_path / "orders")
        assert second.communicate(timeout=60)[0].strip() == summary()["report_id"]
    assert (len(service.paid), len(service.payments), len(service.unpaid)) == (2, 1, 1)
