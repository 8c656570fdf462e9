"""The program under test: suspends everybody who left."""

import json
import urllib.request


class Directory:
    def __init__(self, address, token):
        self.base, self.token = f"{address}/admin/directory/v1", token

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.base}/{path}", data, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)


def suspend_leavers(directory, leavers):
    """Suspends the leavers who are still active; returns their addresses."""
    users = directory.call("GET", "users?customer=my_customer").get("users", [])
    active = [user["primaryEmail"] for user in users if not user["suspended"]]
    for address in sorted(set(active) & set(leavers)):
        directory.call("PATCH", f"users/{address}", {"suspended": True})
    return sorted(set(active) & set(leavers))
