"""The rules of a purchase: one payment for one order, sent again until its fate is known."""

import json
import threading

import pytest
from clients import FEW, RICH
from local_wallet import LocalWallet
from paid_service import HONEST, PAY_TO, PRICE, REPORT_ID, PaidService, decode, problem, summary

from sightline import (
    Budget,
    BudgetError,
    FileOrderStore,
    MemoryOrderStore,
    PaymentError,
    ResultError,
    Retries,
    Sightline,
    SightlineError,
    TermsError,
    UnreachableError,
    WalletError,
)
from sightline.models import PATHS


def test_a_purchase_is_two_requests_and_a_typed_summary(make):
    with PaidService() as service:
        report = make(service.url).buy(max_pages=3)
    assert report.scores["aeo"].score == 30
    assert report.scores["aeo"].grade == "F"
    assert report.do_first[0].id == "aeo.meta.viewport"
    assert report.counts.fail == 3
    assert report.report_id == REPORT_ID
    assert report.raw["future"] == {"colour": "blue"}
    assert [call.path for call in service.unpaid + service.paid] == ["/api/agent/full_audit?view=summary"] * 2
    assert {call.body for call in service.unpaid + service.paid} == {'{"max_pages":3,"url":"example.com"}'}


@pytest.mark.parametrize("name, path", sorted(PATHS.items()))
def test_what_has_a_path_of_its_own_is_bought_there(name, path):
    with PaidService() as service, Sightline(base_url=service.url, wallet=LocalWallet("0x" + "11" * 32)) as client:
        client.buy(name, brand="Example Desk", niche="help desk software", engines=["one", "two"])
    assert [call.path for call in service.unpaid + service.paid] == [path + "?view=summary"] * 2


def test_the_payment_is_exactly_the_price_for_a_short_time_and_repeats_the_terms(make):
    with PaidService() as service:
        client = make(service.url)
        client.buy()
    sent = decode(service.payments[0])
    authorization = sent["payload"]["authorization"]
    assert sent["x402Version"] == 2
    assert sent["accepted"] == HONEST
    assert sent["resource"]["url"].startswith("http://service.test/api/agent/full_audit")
    assert "payment-identifier" in sent["extensions"]
    assert authorization["value"] == str(PRICE)
    assert (authorization["from"], authorization["to"]) == (client.wallet.address, PAY_TO)
    assert int(authorization["validBefore"]) - int(authorization["validAfter"]) == 900
    assert len(authorization["nonce"]) == 66


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"scheme": "upto"}, "wrong_scheme"),
        ({"extra": {"assetTransferMethod": "permit2"}}, "wrong_scheme"),
        ({"network": "eip155:1"}, "wrong_network"),
        ({"network": "eip155:84532"}, "wrong_network"),
        ({"asset": "0x" + "1" * 40}, "wrong_asset"),
        ({"payTo": "somewhere"}, "wrong_payee"),
        ({"amount": "0"}, "amount_invalid"),
        ({"amount": "-1"}, "amount_invalid"),
        ({"amount": "1e3"}, "amount_invalid"),
        ({"amount": 350000}, "amount_invalid"),
        ({"amount": "9" * 13}, "amount_invalid"),
        ({"maxTimeoutSeconds": None}, "terms_unreadable"),
    ],
)
def test_terms_that_are_not_ours_are_not_signed(make, changes, code):
    with PaidService(on_unpaid=lambda call, n: call.ask([{**HONEST, **changes}])) as service:
        client = make(service.url, budget=RICH)
        with pytest.raises(TermsError) as refused:
            client.buy()
    assert refused.value.code == code
    assert (client.wallet.signed, service.paid) == (0, [])


@pytest.mark.parametrize("header", ["", "!", "bm90IGpzb24=", "W10=", "eyJ4NDAyVmVyc2lvbiI6MX0="])
def test_a_402_without_terms_is_not_signed(make, header):
    scene = lambda call, n: call.answer(402, problem(402, "payment_required"), payment_required=header)
    with PaidService(on_unpaid=scene) as service:
        client = make(service.url)
        with pytest.raises(TermsError) as refused:
            client.buy()
    assert (refused.value.code, client.wallet.signed) == ("terms_unreadable", 0)


def test_a_pinned_payee_is_the_only_one(make):
    with PaidService() as service:
        with pytest.raises(TermsError) as refused:
            make(service.url, pay_to="0x" + "22" * 20).buy()
        assert refused.value.code == "wrong_payee"
        assert make(service.url, pay_to=PAY_TO.lower()).buy().report_id == REPORT_ID


def test_the_first_entry_that_can_be_paid_is_paid(make):
    with PaidService(on_unpaid=lambda call, n: call.ask([{**HONEST, "scheme": "upto"}, HONEST])) as service:
        make(service.url).buy()
    assert decode(service.payments[0])["accepted"] == HONEST


def test_a_price_over_the_budget_of_a_call_is_not_signed(make):
    with PaidService() as service:
        client = make(service.url, budget=Budget(per_call="0.349999"))
        with pytest.raises(BudgetError) as refused:
            client.buy()
        assert (refused.value.code, client.wallet.signed, service.paid) == ("amount_above_budget", 0, [])
        assert make(service.url, budget=Budget(per_call="0.35")).buy().report_id == REPORT_ID


def test_the_budget_of_a_day_counts_every_signature(make):
    with PaidService() as service:
        client = make(service.url, budget=Budget(per_call=1, per_day=0.7), orders=MemoryOrderStore())
        client.buy(url="one.example")
        client.buy(url="two.example")
        with pytest.raises(BudgetError) as refused:
            client.buy(url="three.example")
    assert (refused.value.code, client.wallet.signed, len(service.payments)) == ("daily_limit_reached", 2, 2)


@pytest.mark.parametrize(
    "fault",
    [
        lambda call: call.drop(),
        lambda call: call.drop(b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{"),
        lambda call: call.answer(409, problem(409, "payment_in_progress"), retry_after="5"),
        lambda call: call.answer(503, problem(503, "settlement_unknown"), retry_after="2"),
        lambda call: call.answer(429, problem(429, "target_busy"), retry_after="10"),
        lambda call: call.answer(502, b"<html>bad gateway</html>", content_type="text/html"),
        lambda call: call.answer(504, b""),
    ],
    ids=["dropped", "broken_off", "409", "503", "429", "502", "504"],
)
def test_the_same_payment_is_sent_again(make, fault):
    scene = lambda call, n: fault(call) if n < 3 else call.answer(200, summary())
    with PaidService(on_paid=scene) as service:
        client = make(service.url)
        assert client.buy().report_id == REPORT_ID
    assert len(service.paid) == 3
    assert (len(service.payments), client.wallet.signed) == (1, 1)
    assert {call.body for call in service.paid} == {'{"url":"example.com"}'}
    assert len(client.waits) == 2


def test_waits_are_those_that_the_service_asks_for(make):
    scene = lambda call, n: (
        call.answer(503, problem(503, "settlement_unknown"), retry_after="7") if n == 1 else call.answer(200, summary())
    )
    with PaidService(on_paid=scene) as service:
        client = make(service.url)
        client.buy()
    assert client.waits == [7]


@pytest.mark.parametrize(
    ("status", "code", "retry_after"),
    [
        (409, "payment_already_used", None),
        (503, "engine_not_configured", None),
        (503, "service_busy", "3600"),
        (422, "target_refused", None),
        (500, "internal_error", None),
        (502, "measurement_incomplete", None),
    ],
)
def test_a_last_word_is_an_error_and_its_payment_stays_open(make, status, code, retry_after):
    more = {} if retry_after is None else {"retry_after": retry_after}
    body = problem(status, code, detail="why", next="do this", errors=[{"pointer": "/url", "message": "no"}])
    orders = MemoryOrderStore()
    with PaidService(on_paid=lambda call, n: call.answer(status, body, **more)) as service:
        client = make(service.url, orders=orders)
        with pytest.raises(SightlineError) as refused:
            client.buy()
        error = refused.value
        assert (error.code, error.status, error.title, error.detail) == (code, status, "It is " + code, "why")
        assert (error.next, error.request_id, error.payment_open) == ("do this", "r-1", True)
        assert error.retry_after == (None if retry_after is None else int(retry_after))
        assert error.errors == [{"pointer": "/url", "message": "no"}]
        assert len(service.paid) == 1
        service.on_paid = lambda call, n: call.answer(200, summary())
        assert make(service.url, orders=orders).buy().report_id == REPORT_ID
    assert len(service.payments) == 1


def test_repeats_are_bounded_and_the_order_is_stored(make):
    orders = MemoryOrderStore()
    scene = lambda call, n: call.answer(503, problem(503, "settlement_unknown"), retry_after="5")
    with PaidService(on_paid=scene) as service:
        client = make(service.url, orders=orders, retries=FEW)
        with pytest.raises(SightlineError) as refused:
            client.buy()
        assert (refused.value.code, refused.value.payment_open) == ("settlement_unknown", True)
        assert len(service.paid) == 3
        service.on_paid = lambda call, n: call.answer(200, summary())
        make(service.url, orders=orders).buy()
        assert (len(service.payments), len(service.unpaid)) == (1, 1)


def test_waits_are_bounded_in_all(make):
    scene = lambda call, n: call.answer(503, problem(503, "service_busy"), retry_after="40")
    with PaidService(on_paid=scene) as service:
        client = make(service.url, retries=Retries(requests=10, wait_seconds=100))
        with pytest.raises(SightlineError):
            client.buy()
    assert (client.waits, len(service.paid)) == ([40, 40], 3)


def test_lost_answers_end_as_unreachable_with_the_payment_stored(make):
    orders = MemoryOrderStore()
    with PaidService(on_paid=lambda call, n: call.drop()) as service:
        client = make(service.url, orders=orders, retries=FEW)
        with pytest.raises(UnreachableError) as refused:
            client.buy()
        assert (refused.value.code, refused.value.payment_open) == ("service_unreachable", True)
        assert client.waits == [1, 2]


def test_a_result_is_bought_again_by_the_next_call(make):
    orders = MemoryOrderStore()
    with PaidService() as service:
        make(service.url, orders=orders).buy()
        make(service.url, orders=orders).buy()
    assert len(service.payments) == 2


def test_views_of_one_order_share_its_payment(make):
    orders = MemoryOrderStore()
    scene = lambda call, n: call.answer(500, problem(500, "internal_error")) if n == 1 else call.answer(200, summary())
    with PaidService(on_paid=scene) as service:
        with pytest.raises(SightlineError):
            make(service.url, orders=orders).buy()
        full = make(service.url, orders=orders).buy(view="full")
    assert full.raw["report_id"] == REPORT_ID
    assert service.paid[-1].path.endswith("?view=full")
    assert len(service.payments) == 1


def test_a_402_to_a_payment_is_paid_once_more_within_the_budget(make):
    scene = lambda call, n: call.ask(code="settlement_refused") if n == 1 else call.answer(200, summary())
    with PaidService(on_paid=scene) as service:
        client = make(service.url)
        assert client.buy().report_id == REPORT_ID
    assert (len(service.payments), client.wallet.signed, len(service.unpaid)) == (2, 2, 1)


def test_a_402_to_a_payment_is_not_paid_over_the_budget_of_the_day(make):
    orders = MemoryOrderStore()
    with PaidService(on_paid=lambda call, n: call.ask(code="settlement_refused")) as service:
        client = make(service.url, orders=orders, budget=Budget(per_call=1, per_day=0.5))
        with pytest.raises(BudgetError):
            client.buy()
    assert (len(service.payments), client.wallet.signed) == (1, 1)


def test_a_second_402_is_the_last_word(make):
    orders = MemoryOrderStore()
    with PaidService(on_paid=lambda call, n: call.ask(code="settlement_refused")) as service:
        client = make(service.url, orders=orders)
        with pytest.raises(PaymentError) as refused:
            client.buy()
    assert (refused.value.code, refused.value.payment_open, client.wallet.signed) == ("settlement_refused", False, 2)


@pytest.mark.parametrize("code", ["insufficient_funds", "invalid_signature", "authorization_not_yet_valid"])
def test_what_a_new_payment_cannot_change_is_not_signed_again(make, code):
    with PaidService(on_paid=lambda call, n: call.ask(code=code)) as service:
        client = make(service.url)
        with pytest.raises(PaymentError) as refused:
            client.buy()
    assert (refused.value.code, client.wallet.signed) == (code, 1)


def test_a_stored_payment_that_was_not_taken_makes_place_for_a_new_one(make):
    orders = MemoryOrderStore()
    scenes = {1: lambda call: call.answer(500, problem(500, "internal_error")), 2: lambda call: call.ask(code="authorization_expired")}
    scene = lambda call, n: scenes.get(n, lambda c: c.answer(200, summary()))(call)
    with PaidService(on_paid=scene) as service:
        with pytest.raises(SightlineError):
            make(service.url, orders=orders).buy()
        assert make(service.url, orders=orders).buy().report_id == REPORT_ID
    assert [service.payments.index(call.payment) for call in service.paid] == [0, 0, 1]


def test_new_pays_again_and_an_unpaid_one_leaves_the_first_open(make):
    orders = MemoryOrderStore()
    with PaidService(on_paid=lambda call, n: call.answer(409, problem(409, "payment_already_used"))) as service:
        with pytest.raises(SightlineError):
            make(service.url, orders=orders).buy()
        service.on_paid = lambda call, n: call.ask(code="insufficient_funds")
        with pytest.raises(PaymentError):
            make(service.url, orders=orders).buy(new=True)
        service.on_paid = lambda call, n: call.answer(200, summary())
        make(service.url, orders=orders).buy()
    assert [service.payments.index(call.payment) for call in service.paid] == [0, 1, 0]


def test_threads_that_begin_one_order_at_once_share_its_payment(tmp_path):
    from clients import Sync

    gate = threading.Barrier(4)

    def ask_together(call, n):
        gate.wait(10)
        call.ask()

    with PaidService(on_unpaid=ask_together) as service:
        done = threading.Event()

        def pay(call, n):
            # The first payment is stored until all four have found out whose it is.
            done.wait(10)
            call.answer(200, summary())

        service.on_paid = pay
        orders = FileOrderStore(tmp_path / "orders")
        clients = [Sync(service.url, orders=orders) for _ in range(4)]
        threads = [threading.Thread(target=client.buy) for client in clients]
        for thread in threads:
            thread.start()
        while len(service.paid) < 4 and any(thread.is_alive() for thread in threads):
            threading.Event().wait(0.01)
        done.set()
        for thread in threads:
            thread.join(10)
    assert (len(service.paid), len(service.payments)) == (4, 1)


def test_a_result_of_an_unknown_form_is_not_lost(make):
    with PaidService(on_paid=lambda call, n: call.answer(200, {"report": "elsewhere"})) as service:
        with pytest.raises(ResultError) as refused:
            make(service.url).buy()
    assert refused.value.raw == {"report": "elsewhere"}
    assert (refused.value.code, refused.value.payment_open) == ("result_unreadable", True)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_are_not_followed(make, status):
    elsewhere = lambda call, n: call.answer(status, b"", location="http://127.0.0.1:9/")
    with PaidService(on_unpaid=elsewhere) as service:
        with pytest.raises(UnreachableError) as refused:
            make(service.url).buy()
        assert (refused.value.code, len(service.unpaid)) == ("redirected", 1)
        service.on_unpaid = lambda call, n: call.ask()
        service.on_paid = elsewhere
        with pytest.raises(UnreachableError) as refused:
            make(service.url).buy()
    assert (refused.value.code, refused.value.payment_open, len(service.paid)) == ("redirected", True, 1)


def test_an_answer_without_end_is_cut_off(make, monkeypatch):
    monkeypatch.setattr("sightline._drive.MAX_ANSWER_BYTES", 1000)
    with PaidService(on_paid=lambda call, n: call.answer(200, b" " * 1001)) as service:
        with pytest.raises(UnreachableError) as refused:
            make(service.url).buy()
    assert (refused.value.code, len(service.paid)) == ("answer_too_large", 1)


def test_buying_needs_a_wallet_and_reading_needs_none(make):
    with PaidService(on_read=lambda call, n: call.answer(200, summary())) as service:
        client = make(service.url, wallet=None)
        with pytest.raises(WalletError) as refused:
            client.buy()
        assert (refused.value.code, service.unpaid) == ("wallet_missing", [])
        assert client.report(REPORT_ID).headline.startswith("AEO 30")


def test_no_payment_and_no_key_is_in_a_message(make):
    body = problem(500, "internal_error")
    with PaidService(on_paid=lambda call, n: call.answer(500, body)) as service:
        with pytest.raises(SightlineError) as refused:
            make(service.url).buy()
    shown = "{0!r} {0} {1}".format(refused.value, json.dumps(refused.value.__dict__, default=str))
    assert service.payments[0] not in shown
    assert LocalWallet.__name__ not in shown


@pytest.mark.parametrize(
    "base_url",
    ["", "example.com", "ftp://a.example", "http://a.example", "https://a:b@c.example", "https://a.example/x", "https://a.example?b"],
)
def test_only_an_origin_that_no_one_on_the_way_can_change_is_taken(base_url):
    from sightline import Sightline

    with pytest.raises(ValueError):
        Sightline(base_url=base_url)


@pytest.mark.parametrize("amount", ["much", -1, float("nan"), float("inf"), None])
def test_a_budget_is_an_amount(amount):
    with pytest.raises(ValueError):
        Budget(per_call=amount)


@pytest.mark.parametrize(("capability", "view"), [("../x", "summary"), ("", "summary"), ("a" * 41, "summary"), ("full_audit", "huge")])
def test_what_is_no_capability_or_view_is_refused_before_anything_is_asked(make, capability, view):
    with PaidService() as service:
        with pytest.raises(ValueError):
            make(service.url).buy(capability, view=view)
    assert service.unpaid == []
