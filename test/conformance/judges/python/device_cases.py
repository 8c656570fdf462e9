"""Directory: devices, passwords of applications, tokens, push channels."""

import http.server
import threading

from judge import TIMEOUT_S, directory, fresh, holds, judge, make_user, refusal, same, seed
from organisation_cases import make_unit


def enrol(**more):
    """A device that enrols itself: what no method of the vendor does."""
    serial = fresh("SN")
    body = {"serialNumber": serial, "model": "Test Book"}
    body.update(more)
    seed({"method": "emulator.chromeosdevices.enroll", "body": body})
    devices = directory().chromeosdevices().list(customerId="my_customer", query="id:" + serial).execute()["chromeosdevices"]
    same([one["serialNumber"] for one in devices], [serial])
    return devices[0]


@judge("directory: chromeosdevices.update with the org unit alone keeps notes and asset id")
def _():
    device, unit = enrol(), make_unit()
    devices = directory().chromeosdevices()
    notes = {"notes": "Mast", "annotatedAssetId": "A1", "annotatedUser": "crew"}
    devices.patch(customerId="my_customer", deviceId=device["deviceId"], body=notes).execute()
    body = {"orgUnitPath": unit["orgUnitPath"]}
    devices.update(customerId="my_customer", deviceId=device["deviceId"], body=body).execute()
    got = devices.get(customerId="my_customer", deviceId=device["deviceId"]).execute()
    same({key: got.get(key) for key in ("notes", "annotatedAssetId", "annotatedUser", "orgUnitPath")}, {**notes, **body})


@judge("directory: moveDevicesToOu moves devices")
def _():
    device, unit = enrol(), make_unit()
    devices = directory().chromeosdevices()
    devices.moveDevicesToOu(customerId="my_customer", orgUnitPath=unit["orgUnitPath"], body={"deviceIds": [device["deviceId"]]}).execute()
    same(devices.get(customerId="my_customer", deviceId=device["deviceId"]).execute()["orgUnitPath"], unit["orgUnitPath"])
    found = devices.list(customerId="my_customer", orgUnitPath=unit["orgUnitPath"]).execute()["chromeosdevices"]
    same([one["deviceId"] for one in found], [device["deviceId"]])


@judge("directory: a device is disabled and enabled again by action")
def _():
    device = enrol()
    devices = directory().chromeosdevices()
    for action, status in (("disable", "DISABLED"), ("reenable", "ACTIVE")):
        devices.action(customerId="my_customer", resourceId=device["deviceId"], body={"action": action}).execute()
        same(devices.get(customerId="my_customer", deviceId=device["deviceId"]).execute()["status"], status)


@judge("directory: a command is issued and read by its id")
def _():
    device = enrol()
    chromeos = directory().customer().devices().chromeos()
    made = chromeos.issueCommand(customerId="my_customer", deviceId=device["deviceId"], body={"commandType": "REBOOT"}).execute()
    got = chromeos.commands().get(customerId="my_customer", deviceId=device["deviceId"], commandId=made["commandId"]).execute()
    same((got["commandId"], got["type"]), (made["commandId"], "REBOOT"))


@judge("directory: a mobile device is approved, blocked and deleted")
def _():
    user = make_user()
    seed({"method": "emulator.mobiledevices.enroll", "body": {"email": [user["primaryEmail"]], "model": "Test Phone", "type": "ANDROID"}})
    devices = directory().mobiledevices()
    query = "email:" + user["primaryEmail"]
    (device,) = devices.list(customerId="my_customer", query=query).execute()["mobiledevices"]
    devices.action(customerId="my_customer", resourceId=device["resourceId"], body={"action": "block"}).execute()
    got = devices.get(customerId="my_customer", resourceId=device["resourceId"]).execute()
    same((got["status"], got["email"]), ("BLOCKED", [user["primaryEmail"]]))
    devices.delete(customerId="my_customer", resourceId=device["resourceId"]).execute()
    holds("mobiledevices" not in devices.list(customerId="my_customer", query=query).execute())


@judge("directory: a password of an application is listed with whole numbers and ended")
def _():
    user = make_user()
    seed({"method": "emulator.asps.issue", "params": {"userKey": user["id"]}, "body": {"codeId": 7, "name": "Mail"}})
    asps = directory().asps()
    (found,) = asps.list(userKey=user["id"]).execute()["items"]
    same(found["codeId"], 7)
    same(asps.get(userKey=user["id"], codeId=found["codeId"]).execute()["name"], "Mail")
    asps.delete(userKey=user["id"], codeId=found["codeId"]).execute()
    holds(not asps.list(userKey=user["id"]).execute().get("items"))


@judge("directory: a token that an application has is listed and ended")
def _():
    user = make_user()
    grant = {"clientId": "123.apps.googleusercontent.com", "displayText": "Mailer", "scopes": ["https://mail.google.com/"]}
    seed({"method": "emulator.tokens.grant", "params": {"userKey": user["id"]}, "body": grant})
    tokens = directory().tokens()
    (found,) = tokens.list(userKey=user["id"]).execute()["items"]
    same((found["clientId"], found["scopes"]), (grant["clientId"], grant["scopes"]))
    tokens.delete(userKey=user["id"], clientId=grant["clientId"]).execute()
    same(refusal(tokens.get(userKey=user["id"], clientId=grant["clientId"])).status, 404)


@judge("directory: a channel gets a sync message and a push for a new user, until it is stopped")
def _():
    with Receiver() as receiver:
        channel = {"id": fresh("channel"), "type": "web_hook", "address": receiver.url, "token": "mine"}
        made = directory().users().watch(customer="my_customer", event="add", body=channel).execute()
        user = make_user()
        same(receiver.wait_for(2)[0][0].get("X-Goog-Resource-State"), "sync")
        headers, body = receiver.wait_for(2)[1]
        same((headers["X-Goog-Resource-State"], headers["X-Goog-Channel-Token"]), ("add", "mine"))
        holds(user["id"].encode() in body, body)
        stop = {"id": channel["id"], "resourceId": made["resourceId"]}
        directory().channels().stop(body=stop).execute()
        same(refusal(directory().channels().stop(body=stop)).status, 404)


class Receiver:
    """A server on this machine that keeps what is posted to it."""

    def __enter__(self):
        self.got, self._more = [], threading.Condition()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                with outer._more:
                    outer.got.append((dict(self.headers), body))
                    outer._more.notify_all()
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_said):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d/push" % self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def wait_for(self, count):
        with self._more:
            holds(self._more.wait_for(lambda: len(self.got) >= count, TIMEOUT_S), "only %d pushes" % len(self.got))
            return [({key.title(): value for key, value in headers.items()}, body) for headers, body in self.got]

    def __exit__(self, *_error):
        self._server.shutdown()
        self._server.server_close()
