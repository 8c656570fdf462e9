"""Wallets: accounts of eth-account, keys, and wallets of others."""

import sys
from pathlib import Path

import pytest
from clients import KEY, Async, Sync, wallet
from paid_service import REPORT_ID, PaidService

from sightline import WalletError


@pytest.fixture
def eth_account(monkeypatch):
    """The calls of eth-account, which is no package of Debian."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent.parent / "stand-in"))
    yield
    sys.modules.pop("eth_account", None)


def test_a_private_key_and_an_account_of_eth_account_pay(make, eth_account):
    from eth_account import Account

    with PaidService() as service:
        assert make(service.url, wallet=KEY).buy().report_id == REPORT_ID
        assert make(service.url, wallet=Account.from_key(KEY)).buy().report_id == REPORT_ID
    assert len(service.payments) == 2


def test_a_private_key_without_eth_account_says_what_to_install(make, monkeypatch):
    monkeypatch.setitem(sys.modules, "eth_account", None)
    with PaidService() as service, pytest.raises(WalletError) as refused:
        make(service.url, wallet=KEY).buy()
    assert refused.value.code == "wallet_unusable"
    assert "sightline[eth-account]" in refused.value.next
    assert KEY[2:] not in str(refused.value)


class Remote:
    """A key service that is asked over the network."""

    def __init__(self):
        self._wallet = wallet()
        self.address = self._wallet.address

    async def sign_typed_data(self, domain, types, message):
        return self._wallet.sign_typed_data(domain, types, message)


def test_the_asynchronous_client_waits_for_a_wallet():
    with PaidService() as service:
        assert Async(service.url, wallet=Remote()).buy().report_id == REPORT_ID


class Odd:
    address = "0x" + "1" * 40

    def __init__(self, answer):
        self._answer = answer

    def sign_typed_data(self, domain, types, message):
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


@pytest.mark.parametrize("answer", [None, b"", "0x00"])
def test_what_is_no_signature_is_not_sent(make, answer):
    with PaidService() as service, pytest.raises(WalletError) as refused:
        make(service.url, wallet=Odd(answer)).buy()
    assert (refused.value.code, service.paid) == ("signature_unusable", [])


def test_a_wallet_that_declines_ends_the_call_and_nothing_is_sent():
    with PaidService() as service, pytest.raises(PermissionError):
        Sync(service.url, wallet=Odd(PermissionError("declined"))).buy()
    assert service.paid == []


def test_a_wallet_without_an_address_is_refused(make):
    broken = Odd(None)
    broken.address = "nowhere"
    with PaidService() as service, pytest.raises(WalletError) as refused:
        make(service.url, wallet=broken).buy()
    assert (refused.value.code, service.unpaid) == ("wallet_unusable", [])
