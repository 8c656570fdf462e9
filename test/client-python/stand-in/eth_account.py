"""What the package uses of eth-account, for machines where it cannot be installed: the same calls, by the wallet of the tests."""

from local_wallet import LocalWallet


class SignedMessage:
    def __init__(self, signature: bytes) -> None:
        self.signature = signature


class LocalAccount:
    def __init__(self, key: str) -> None:
        self._wallet = LocalWallet(key)
        self.address = self._wallet.address

    def sign_typed_data(self, domain_data=None, message_types=None, message_data=None, full_message=None) -> SignedMessage:
        if full_message is not None:
            raise ValueError("the package gives three parts")
        signed = self._wallet.sign_typed_data(domain_data, message_types, message_data)
        return SignedMessage(bytes.fromhex(signed[2:]))


class Account:
    @classmethod
    def from_key(cls, private_key: str) -> LocalAccount:
        return LocalAccount(private_key)
