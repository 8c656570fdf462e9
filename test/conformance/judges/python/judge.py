"""What the cases of the Python client share: the world they work in, and the list they stand in.

A case is a function with a name, which calls the official client and reads the effect back by another call.
Each prints one line of JSON: {"name", "ok", "detail"}.
"""

import base64
import itertools
import json
import os
import sys
import traceback
import urllib.request

import google_auth_httplib2
import httplib2
from google.oauth2.credentials import Credentials
from googleapiclient import discovery
from googleapiclient.errors import HttpError

URL = os.environ["JUDGE_URL"]
TOKEN = os.environ["JUDGE_TOKEN"]
CUSTOMER = os.environ["JUDGE_CUSTOMER"]
DOMAIN = os.environ["JUDGE_DOMAIN"]
KEY_FILE = os.environ["JUDGE_KEY_FILE"]
DISCOVERY = URL + "/discovery/v1/apis/{api}/{apiVersion}/rest"
TIMEOUT_S = 20

# A number and a name of this tenant alone: organizations and projects are of one tenant.
NUMBER = str(200_000_000_000 + int(CUSTOMER[1:], 16))
PROJECT = "by-python-" + CUSTOMER.lower()

CASES = []
_numbers = itertools.count(1)
_services = {}


def judge(name):
    def add(function):
        CASES.append((name, function))
        return function

    return add


def fresh(word):
    return "%s-py%d" % (word, next(_numbers))


def address(word="user"):
    return "%s@%s" % (fresh(word), DOMAIN)


def http(**choices):
    """A transport with the token, as the client's documentation makes one."""
    return google_auth_httplib2.AuthorizedHttp(Credentials(TOKEN), http=httplib2.Http(timeout=TIMEOUT_S, **choices))


def service(name, version):
    """The client of an API, built from the discovery document that is served, once."""
    if (name, version) not in _services:
        _services[name, version] = build(name, version)
    return _services[name, version]


def build(name, version, **choices):
    choices.setdefault("http", http())
    return discovery.build(name, version, discoveryServiceUrl=DISCOVERY, cache_discovery=False, **choices)


def directory():
    return service("admin", "directory_v1")


class Refused(Exception):
    def __init__(self, status, error):
        Exception.__init__(self, "%s %s" % (status, error))
        self.status = status
        self.message = error.get("message")
        self.word = error.get("status")
        self.reason = (error.get("errors") or [{}])[0].get("reason")


def refusal(request):
    """The error that a request must end in."""
    try:
        answer = request.execute()
    except HttpError as error:
        return Refused(error.resp.status, json.loads(error.content.decode())["error"])
    raise AssertionError("not refused: %r" % (answer,))


def same(actual, expected):
    if actual != expected:
        raise AssertionError("%r, expected %r" % (actual, expected))


def holds(condition, *said):
    if not condition:
        raise AssertionError("does not hold: %r" % (said,))


def emulate(path, body=None, method=None):
    """A call of the emulator's own controls, which no client of the vendor knows."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"authorization": "Bearer " + TOKEN, "content-type": "application/json"}
    request = urllib.request.Request(URL + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
        return json.loads(answer.read().decode() or "{}")


def seed(*calls):
    made = emulate("/v1/tenants/%s:seed" % CUSTOMER, {"calls": list(calls)})["calls"]
    holds(all(one["ok"] for one in made), made)


def fail(**fault):
    return emulate("/v1/faults", fault)


def make_user(**more):
    body = {
        "primaryEmail": address(),
        "name": {"givenName": "Grace", "familyName": "Hopper"},
        "password": "correct horse battery",
    }
    body.update(more)
    return directory().users().insert(body=body).execute()


def make_group(**more):
    body = {"email": address("group"), "name": "Crew", "description": "All hands"}
    body.update(more)
    return directory().groups().insert(body=body).execute()


def walk(collection, request, key, most=20, next_page=None):
    """All items of all pages, by the client's own `list_next`."""
    items, pages = [], 0
    while request is not None:
        pages += 1
        holds(pages <= most, "endless pages")
        answer = request.execute()
        items += answer.get(key, [])
        request = (next_page or collection.list_next)(request, answer)
    return items, pages


def decode(text):
    """Web-safe base64 as Python's own decoder takes it."""
    return base64.urlsafe_b64decode(text)


def run():
    for name, function in CASES:
        try:
            function()
            line = {"name": name, "ok": True, "detail": ""}
        except Exception as error:  # A case may fail in any way; it is reported, and the next one runs.
            place = traceback.extract_tb(sys.exc_info()[2])[-1]
            detail = "%s: %s (%s:%d)" % (type(error).__name__, error, os.path.basename(place.filename), place.lineno)
            line = {"name": name, "ok": False, "detail": detail[:1000]}
        print(json.dumps(line), flush=True)
