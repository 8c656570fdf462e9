"""Which network is paid on: only the one that was asked for, with the token of our table and the payee of the catalogue."""

import pytest
from clients import RICH
from paid_service import (
    HONEST,
    PAY_TO,
    POLYGON,
    POLYGON_PAY_TO,
    POLYGON_USDC,
    REPORT_ID,
    USDC,
    PaidService,
    decode,
    list_catalogue,
    problem,
    summary,
)

from sightline import MemoryOrderStore, SightlineError, TermsError

NETWORK = "eip155:137"
BOTH = list_catalogue(POLYGON)


def test_a_payment_on_polygon_is_for_its_token_and_its_payee_whatever_the_402_calls_the_token(make):
    asked = {**POLYGON, "extra": {"name": "Other Coin", "version": "9", "quote": "0011"}}
    with PaidService(on_unpaid=lambda call, n: call.ask([HONEST, asked]), catalogue=BOTH) as service:
        client = make(service.url, network=NETWORK)
        assert client.buy().report_id == REPORT_ID
    assert client.wallet.domains == [
        {"name": "USD Coin", "version": "2", "chainId": 137, "verifyingContract": POLYGON_USDC}
    ]
    sent = decode(service.payments[0])
    assert sent["accepted"] == asked
    assert sent["payload"]["authorization"]["to"].lower() == POLYGON_PAY_TO
    assert (client.wallet.signed, len(service.paid)) == (1, 1)


def test_who_asks_for_no_network_pays_on_base_wherever_its_entry_is(make):
    with PaidService(on_unpaid=lambda call, n: call.ask([POLYGON, HONEST]), catalogue=BOTH) as service:
        client = make(service.url)
        client.buy()
    assert decode(service.payments[0])["accepted"] == HONEST
    assert client.wallet.domains[0]["verifyingContract"] == USDC


def test_base_sepolia_has_a_token_of_another_name(make):
    test_net = {**HONEST, "network": "eip155:84532", "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e"}
    catalogue = {"payment": {"network": "eip155:84532", "payTo": PAY_TO}}
    with PaidService(on_unpaid=lambda call, n: call.ask([test_net]), catalogue=catalogue) as service:
        client = make(service.url, network="eip155:84532")
        client.buy()
    assert (client.wallet.domains[0]["name"], client.wallet.domains[0]["chainId"]) == ("USDC", 84532)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"network": "eip155:10"}, "wrong_network"),
        ({"asset": USDC}, "wrong_asset"),
        ({"payTo": PAY_TO}, "wrong_payee"),
        ({"payTo": "0x" + "9" * 40}, "wrong_payee"),
        ({"scheme": "upto"}, "wrong_scheme"),
        ({"amount": "0"}, "amount_invalid"),
    ],
)
def test_terms_on_polygon_that_are_not_ours_are_not_signed(make, changes, code):
    with PaidService(on_unpaid=lambda call, n: call.ask([HONEST, {**POLYGON, **changes}]), catalogue=BOTH) as service:
        client = make(service.url, network=NETWORK, budget=RICH)
        with pytest.raises(TermsError) as refused:
            client.buy()
    assert (refused.value.code, client.wallet.signed, service.paid) == (code, 0, [])


def test_a_network_that_is_closed_for_a_while_is_not_replaced_by_another(make):
    with PaidService(on_unpaid=lambda call, n: call.ask([HONEST]), catalogue=BOTH) as service:
        client = make(service.url, network=NETWORK)
        with pytest.raises(TermsError) as refused:
            client.buy()
    assert (refused.value.code, client.wallet.signed, service.paid) == ("wrong_network", 0, [])


@pytest.mark.parametrize(
    ("catalogue", "code"),
    [
        (list_catalogue(), "wrong_network"),
        ({"capabilities": {}}, "wrong_network"),
        ({"payment": "none"}, "wrong_network"),
        ({"payment": {**HONEST, "networks": [None, "eip155:137"]}}, "wrong_network"),
        ({"payment": {**HONEST, "networks": [{"network": NETWORK}]}}, "wrong_payee"),
        ({"payment": {**HONEST, "networks": [{"network": NETWORK, "payTo": None}]}}, "wrong_payee"),
    ],
)
def test_a_network_that_the_catalogue_has_no_payee_for_is_not_paid_on(make, catalogue, code):
    with PaidService(on_unpaid=lambda call, n: call.ask([HONEST, POLYGON]), catalogue=catalogue) as service:
        client = make(service.url, network=NETWORK)
        with pytest.raises(TermsError) as refused:
            client.buy()
    assert (refused.value.code, client.wallet.signed, service.paid) == (code, 0, [])


def test_on_base_the_payee_of_the_catalogue_is_the_only_one(make):
    with PaidService(on_unpaid=lambda call, n: call.ask([{**HONEST, "payTo": POLYGON_PAY_TO}])) as service:
        client = make(service.url)
        with pytest.raises(TermsError) as refused:
            client.buy()
        assert (refused.value.code, client.wallet.signed) == ("wrong_payee", 0)
        assert make(service.url, pay_to=POLYGON_PAY_TO).buy().report_id == REPORT_ID
    assert len(service.catalogues) == 1


def test_without_the_catalogue_nothing_is_signed(make):
    closed = lambda call, n: call.answer(500, problem(500, "internal_error"))
    with PaidService(on_unpaid=lambda call, n: call.ask([POLYGON]), on_catalogue=closed) as service:
        client = make(service.url, network=NETWORK)
        with pytest.raises(SightlineError) as refused:
            client.buy()
    assert (refused.value.code, refused.value.payment_open, client.wallet.signed) == ("internal_error", False, 0)


def test_an_open_payment_is_sent_again_whichever_network_is_asked_for_now(make):
    orders = MemoryOrderStore()
    scene = lambda call, n: call.answer(500, problem(500, "internal_error")) if n == 1 else call.answer(200, summary())
    with PaidService(on_paid=scene, on_unpaid=lambda call, n: call.ask([HONEST, POLYGON]), catalogue=BOTH) as service:
        with pytest.raises(SightlineError):
            make(service.url, orders=orders).buy()
        again = make(service.url, orders=orders, network=NETWORK)
        assert again.buy().report_id == REPORT_ID
    assert (len(service.payments), again.wallet.signed) == (1, 0)


@pytest.mark.parametrize("network", ["eip155:1", "polygon", "", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"])
def test_a_network_that_the_client_does_not_know_is_refused_before_anything_is_asked(make, network):
    with PaidService() as service:
        with pytest.raises(ValueError):
            make(service.url, network=network).buy()
    assert (service.unpaid, service.catalogues) == ([], [])
