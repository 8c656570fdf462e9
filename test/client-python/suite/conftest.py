"""What the tests share. They run against the installed package: see test/e2e/client-python."""

import pytest
from clients import KINDS


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def make(request):
    """Makes a client of each kind."""
    return request.param
