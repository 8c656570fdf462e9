import json
import urllib.error
import urllib.request

import pytest
from offboard import Directory, suspend_leavers


def calls(emulator, query):
    return json.load(urllib.request.urlopen(f"{emulator}/v1/calls?{query}"))["calls"]


def test_only_leavers_are_suspended(emulator):
    directory = Directory(emulator, "any")
    assert suspend_leavers(directory, ["grace@example.com", "unknown@example.com"]) == ["grace@example.com"]
    assert directory.call("GET", "users/grace@example.com")["suspended"] is True
    assert [call["path"] for call in calls(emulator, "http_method=PATCH")] == [
        "/admin/directory/v1/users/grace@example.com"
    ]


def test_each_test_begins_with_the_seed(emulator):
    assert suspend_leavers(Directory(emulator, "any"), ["grace@example.com"]) == ["grace@example.com"]


def test_a_refused_change_is_an_error(emulator):
    fault = {"method": "directory.users.patch", "status": 403}
    urllib.request.urlopen(f"{emulator}/v1/faults", data=json.dumps(fault).encode())
    with pytest.raises(urllib.error.HTTPError):
        suspend_leavers(Directory(emulator, "any"), ["ada@example.com"])
