"""What holds for every interface: discovery, batch, override, entity tags, retries, partial answers, keys."""

import json
import shutil
import tempfile
import time

import google_auth_httplib2
import httplib2
from google.auth.exceptions import RefreshError
from google.oauth2 import service_account
from google.oauth2.credentials import Credentials
from googleapiclient.errors import HttpError
from googleapiclient.http import BatchHttpRequest
from judge import CUSTOMER, DOMAIN, KEY_FILE, TIMEOUT_S, TOKEN, URL, address, build, directory, fail, fresh, holds, http, judge, make_group, make_user, refusal, same, service


def method_names(resource):
    return [name for name in dir(resource) if not name.startswith("_")]


EXPECTED = {
    ("admin", "directory_v1"): ("users", "groups", "members", "orgunits", "chromeosdevices", "roles", "resources", "schemas"),
    ("reseller", "v1"): ("customers", "subscriptions", "resellernotify"),
    ("logging", "v2"): ("entries", "projects", "folders", "organizations", "billingAccounts", "monitoredResourceDescriptors", "sinks"),
    ("cloudtrace", "v1"): ("projects",),
    ("cloudtrace", "v2"): ("projects",),
    ("cloudtrace", "v2beta1"): ("projects",),
    ("cloudquotas", "v1"): ("projects", "folders", "organizations"),
    ("cloudquotas", "v1beta"): ("projects", "folders", "organizations"),
    ("cloudresourcemanager", "v3"): ("tagKeys", "tagValues", "tagBindings", "operations"),
    ("admob", "v1beta"): ("accounts",),
    ("storage", "v1"): ("objects",),
    ("drive", "v3"): ("files",),
}


def judge_build(name, version):
    resources = method_names(build(name, version))
    holds(set(EXPECTED[name, version]) <= set(resources), resources)


@judge("discovery: the client builds Directory, Reseller and Drive from their documents")
def _():
    for name, version in (("admin", "directory_v1"), ("reseller", "v1"), ("drive", "v3")):
        judge_build(name, version)


@judge("discovery: the client builds Logging, Resource Manager and Storage from their documents")
def _():
    for name, version in (("logging", "v2"), ("cloudresourcemanager", "v3"), ("storage", "v1")):
        judge_build(name, version)


@judge("discovery: the client builds all of Trace and Quotas with projects at their root")
def _():
    for name, version in EXPECTED:
        if name in ("cloudtrace", "cloudquotas"):
            judge_build(name, version)


@judge("discovery: the client builds AdMob from its document")
def _():
    judge_build("admob", "v1beta")


@judge("discovery: every listed API is built by its own address")
def _():
    listed = json.loads(http().request(URL + "/discovery/v1/apis")[1].decode())
    holds(len(listed["items"]) >= len(EXPECTED), listed)
    for one in listed["items"]:
        holds(method_names(build(one["name"], one["version"])), one)
        document = json.loads(http().request(one["discoveryRestUrl"])[1].decode())
        same((document["name"], document["version"]), (one["name"], one["version"]))
        holds(document["rootUrl"] == URL + "/", document["rootUrl"])


@judge("discovery: an API that is not served is told so")
def _():
    try:
        build("nothing", "v9", http=NoOther())
    except Exception as error:  # The client then asks the vendor's own address, which this transport does not.
        holds("nothing" in str(error), error)
    else:
        raise AssertionError("not refused")


class NoOther:
    """A transport that reaches the judged origin alone."""

    def request(self, uri, *rest, **named):
        if not uri.startswith(URL):
            return httplib2.Response({"status": "404"}), b"{}"
        return http().request(uri, *rest, **named)


def batch(requests, uri=URL + "/batch"):
    answers = {}

    def keep(ident, answer, error):
        answers[ident] = (answer, error)

    order = BatchHttpRequest(callback=keep, batch_uri=uri)
    for at, request in enumerate(requests):
        order.add(request, request_id="part %d" % at)
    order.execute(http=http())
    return [answers["part %d" % at] for at in range(len(requests))]


@judge("batch: a hundred calls come back to their own callbacks")
def _():
    group = make_group()
    members = directory().members()
    mails = [address("many").replace(DOMAIN, "example.org") for _n in range(100)]
    answers = batch([members.insert(groupKey=group["id"], body={"email": mail}) for mail in mails])
    same([answer["email"] for answer, _error in answers], mails)
    same(directory().groups().get(groupKey=group["id"]).execute()["directMembersCount"], "100")


@judge("batch: one part that fails leaves the others, and is the client's own error")
def _():
    user = make_user()
    users = directory().users()
    answers = batch([users.get(userKey=user["id"]), users.get(userKey=address("nobody")), users.patch(userKey=user["id"], body={"suspended": True})])
    same((answers[0][1], answers[2][1]), (None, None))
    holds(isinstance(answers[1][1], HttpError) and answers[1][1].resp.status == 404, answers[1])
    same(users.get(userKey=user["id"]).execute()["suspended"], True)


@judge("batch: new_batch_http_request uses the path of the document")
def _():
    user, got = make_user(), []
    order = directory().new_batch_http_request(callback=lambda _ident, answer, error: got.append((answer, error)))
    order.add(directory().users().get(userKey=user["id"]))
    order.execute(http=http())
    same([(answer["id"], error) for answer, error in got], [(user["id"], None)])


@judge("batch: the path of one API and version takes calls of it, and empty answers")
def _():
    user = make_user()
    answers = batch([directory().users().delete(userKey=user["id"])], uri=URL + "/batch/admin/directory_v1")
    same(answers[0][1], None)
    same(refusal(directory().users().get(userKey=user["id"])).status, 404)


@judge("override: a GET whose address is too long is sent as a POST and understood")
def _():
    user = make_user()
    nested = {
        "addresses": "country countryCode customType extendedAddress formatted locality poBox postalCode primary region streetAddress type",
        "organizations": "costCenter customType department description domain fullTimeEquivalent location name primary symbol title type",
        "locations": "area buildingId customType deskCode floorName floorSection type",
        "posixAccounts": "accountId gecos gid homeDirectory operatingSystemType primary shell systemId uid username",
        "sshPublicKeys": "expirationTimeUsec fingerprint key",
        "externalIds": "customType type value",
        "keywords": "customType type value",
        "relations": "customType type value",
        "websites": "customType primary type value",
        "languages": "customLanguage languageCode",
        "ims": "customProtocol customType im primary protocol type",
        "emails": "address customType primary type",
        "phones": "customType primary type value",
        "name": "displayName familyName fullName givenName",
        "gender": "addressMeAs customGender type",
        "notes": "contentType value",
    }
    names = ["primaryEmail", "thumbnailPhotoEtag", "lastLoginTime"] + ["%s/%s" % (outer, inner) for outer in nested for inner in nested[outer].split()]
    request = directory().users().get(userKey=user["id"], fields=",".join(names), quotaUser="x" * 40)
    holds(len(request.uri) > 2048, len(request.uri), len(names))
    got = request.execute()
    same((request.method, got["primaryEmail"], "id" in got), ("POST", user["primaryEmail"], False))


@judge("override: X-HTTP-Method-Override makes a PATCH of a POST")
def _():
    user = make_user()
    headers = {"x-http-method-override": "PATCH", "content-type": "application/json"}
    response, content = http().request("%s/admin/directory/v1/users/%s" % (URL, user["id"]), "POST", json.dumps({"suspended": True}), headers)
    same(response.status, 200)
    got = directory().users().get(userKey=user["id"]).execute()
    same((got["suspended"], got["name"]["givenName"]), (True, "Grace"))


@judge("etag: the cache of the transport is asked again and answered 304, until the thing changes")
def _():
    user = make_user()
    folder = tempfile.mkdtemp()
    try:
        cached = build("admin", "directory_v1", http=http(cache=folder)).users()
        first = cached.get(userKey=user["id"])
        first.execute()
        asked = {}
        again = cached.get(userKey=user["id"])
        again.add_response_callback(lambda response: asked.update(status=response.status, cached=response.fromcache))
        same((again.execute()["id"], asked["cached"]), (user["id"], True))
        directory().users().patch(userKey=user["id"], body={"suspended": True}).execute()
        same(cached.get(userKey=user["id"]).execute()["suspended"], True)
    finally:
        shutil.rmtree(folder)


@judge("etag: If-None-Match of what was read is 304")
def _():
    group = make_group()
    etag = directory().groups().get(groupKey=group["id"]).execute()["etag"]
    request = directory().groups().get(groupKey=group["id"])
    request.headers["If-None-Match"] = etag
    try:
        request.execute()
        raise AssertionError("not 304")
    except HttpError as error:
        same(error.resp.status, 304)
    directory().groups().patch(groupKey=group["id"], body={"description": "x"}).execute()
    request = directory().groups().get(groupKey=group["id"])
    request.headers["If-None-Match"] = etag
    same(request.execute()["description"], "x")


@judge("etag: If-Match of an old version is 412 and changes nothing")
def _():
    group = make_group()
    old = directory().groups().get(groupKey=group["id"]).execute()["etag"]
    directory().groups().patch(groupKey=group["id"], body={"description": "theirs"}).execute()
    request = directory().groups().patch(groupKey=group["id"], body={"description": "mine"})
    request.headers["If-Match"] = old
    same(refusal(request).status, 412)
    same(directory().groups().get(groupKey=group["id"]).execute()["description"], "theirs")
    request = directory().groups().patch(groupKey=group["id"], body={"description": "mine"})
    request.headers["If-Match"] = directory().groups().get(groupKey=group["id"]).execute()["etag"]
    same(request.execute()["description"], "mine")


def patient(request):
    """The bits for tests that the client has: waits are counted and not waited."""
    waited = []
    request._sleep, request._rand = waited.append, lambda: 1
    return request, waited


@judge("retry: 503 is tried again until it is answered")
def _():
    user = make_user()
    fail(method="directory.users.get", status=503, times=2)
    request, waited = patient(directory().users().get(userKey=user["id"]))
    same((request.execute(num_retries=3)["id"], len(waited)), (user["id"], 2))


@judge("retry: 429 is tried again, and too few tries are the error")
def _():
    user = make_user()
    fail(method="directory.users.get", status=429, times=2)
    request, _waited = patient(directory().users().get(userKey=user["id"]))
    try:
        request.execute(num_retries=1)
        raise AssertionError("not refused")
    except HttpError as error:
        same(error.resp.status, 429)
    same(directory().users().get(userKey=user["id"]).execute()["id"], user["id"])


@judge("retry: 403 rateLimitExceeded is tried again, 403 forbidden is not")
def _():
    group = make_group()
    fail(method="directory.groups.get", status=403, reason="rateLimitExceeded", times=1)
    request, waited = patient(directory().groups().get(groupKey=group["id"]))
    same((request.execute(num_retries=2)["id"], len(waited)), (group["id"], 1))
    fail(method="directory.groups.get", status=403, times=1)
    request, waited = patient(directory().groups().get(groupKey=group["id"]))
    try:
        request.execute(num_retries=2)
        raise AssertionError("not refused")
    except HttpError as error:
        same((error.resp.status, waited), (403, []))


@judge("retry: a write that failed with 503 was not made")
def _():
    mail = address("group")
    fail(method="directory.groups.insert", status=503, times=1)
    request, _waited = patient(directory().groups().insert(body={"email": mail, "name": "n"}))
    same(request.execute(num_retries=2)["email"], mail)


@judge("retry: a slow answer is one that the transport gives up on")
def _():
    user = make_user()
    fail(method="directory.users.get", latencyMs=3000, times=1)
    hurried = google_auth_httplib2.AuthorizedHttp(Credentials(TOKEN), http=httplib2.Http(timeout=0.5))
    started = time.monotonic()
    request, waited = patient(directory().users().get(userKey=user["id"]))
    same((request.execute(http=hurried, num_retries=2)["id"], len(waited)), (user["id"], 1))
    holds(time.monotonic() - started < TIMEOUT_S)


@judge("fields: an answer has what was asked for and no more")
def _():
    family = fresh("Partial")
    user = make_user(name={"givenName": "A", "familyName": family})
    got = directory().users().list(customer=CUSTOMER, query="familyName=" + family, fields="users(primaryEmail,name/givenName)").execute()
    same(got, {"users": [{"primaryEmail": user["primaryEmail"], "name": {"givenName": "A"}}]})


@judge("fields: of an answer to a write too, and one that cannot be is 400")
def _():
    user = make_user()
    got = directory().users().patch(userKey=user["id"], fields="suspended", body={"suspended": True}).execute()
    same(got, {"suspended": True})
    same(refusal(directory().users().get(userKey=user["id"], fields="nonsense")).status, 400)


@judge("parameters: the usual ones are taken, one that the document lacks is refused by the client")
def _():
    user = make_user()
    got = directory().users().get(userKey=user["id"], prettyPrint=False, quotaUser="me", key="any", x__xgafv="2").execute()
    same(got["id"], user["id"])
    try:
        directory().users().get(userKey=user["id"], colour="red")
        raise AssertionError("not refused")
    except TypeError:
        pass


@judge("errors: a field of a wrong type is 400 by name")
def _():
    user = make_user()
    error = refusal(directory().users().patch(userKey=user["id"], body={"suspended": "perhaps"}))
    same(error.status, 400)
    holds("suspended" in error.message, error.message)
    same(directory().users().get(userKey=user["id"]).execute()["suspended"], False)


@judge("errors: without a token 401, and the client says so")
def _():
    request = directory().users().list(customer="my_customer")
    try:
        request.execute(http=httplib2.Http(timeout=TIMEOUT_S))
        raise AssertionError("not refused")
    except HttpError as error:
        same((error.resp.status, "www-authenticate" in error.resp), (401, True))


@judge("keys: a key file works with google.oauth2.service_account as it is")
def _():
    scopes = ["https://www.googleapis.com/auth/admin.directory.user"]
    credentials = service_account.Credentials.from_service_account_file(KEY_FILE, scopes=scopes)
    signed = google_auth_httplib2.AuthorizedHttp(credentials, http=httplib2.Http(timeout=TIMEOUT_S))
    user = make_user()
    same(build("admin", "directory_v1", http=signed).users().get(userKey=user["id"]).execute()["id"], user["id"])
    holds(credentials.valid)


@judge("keys: a scope that was not asked for is 403 with the client's own error")
def _():
    scopes = ["https://www.googleapis.com/auth/admin.directory.group.readonly"]
    credentials = service_account.Credentials.from_service_account_file(KEY_FILE, scopes=scopes)
    signed = google_auth_httplib2.AuthorizedHttp(credentials, http=httplib2.Http(timeout=TIMEOUT_S))
    narrow = build("admin", "directory_v1", http=signed)
    group = make_group()
    same(narrow.groups().get(groupKey=group["id"]).execute()["id"], group["id"])
    error = refusal(narrow.groups().delete(groupKey=group["id"]))
    same(error.status, 403)
    same(directory().groups().get(groupKey=group["id"]).execute()["id"], group["id"])


@judge("keys: with_subject acts for a user that the account may act for, and for nobody else")
def _():
    scopes = ["https://www.googleapis.com/auth/admin.directory.user"]
    own = service_account.Credentials.from_service_account_file(KEY_FILE, scopes=scopes)
    signed = google_auth_httplib2.AuthorizedHttp(own.with_subject("admin@" + DOMAIN), http=httplib2.Http(timeout=TIMEOUT_S))
    user = make_user()
    users = build("admin", "directory_v1", http=signed).users()
    users.patch(userKey=user["id"], body={"suspended": True}).execute()
    same(directory().users().get(userKey=user["id"]).execute()["suspended"], True)
    other = google_auth_httplib2.AuthorizedHttp(own.with_subject("nobody@" + DOMAIN), http=httplib2.Http(timeout=TIMEOUT_S))
    try:
        build("admin", "directory_v1", http=other).users().get(userKey=user["id"]).execute()
        raise AssertionError("not refused")
    except RefreshError as error:
        holds("unauthorized_client" in str(error), error)
