"""Trace: spans by v2, read by v1, sinks by v2beta1."""

import time
import uuid

from judge import NUMBER, PROJECT, fresh, holds, judge, refusal, same, service, walk

def spans():
    return service("cloudtrace", "v2").projects().traces()


def traces():
    return service("cloudtrace", "v1").projects().traces()


def at(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))


def span(trace, **more):
    ident = uuid.uuid4().hex[:16]
    body = {
        "name": "projects/%s/traces/%s/spans/%s" % (PROJECT, trace, ident),
        "spanId": ident,
        "displayName": {"value": "GET /v1"},
        "startTime": at(-2),
        "endTime": at(-1),
    }
    body.update(more)
    return body


@judge("trace: batchWrite takes spans, and v1 reads the trace with its labels")
def _():
    trace = uuid.uuid4().hex
    root = span(trace, spanKind="SERVER", attributes={"attributeMap": {"http.status": {"intValue": "200"}, "ok": {"boolValue": True}, "path": {"stringValue": {"value": "/v1"}}}})
    child = span(trace, parentSpanId=root["spanId"], displayName={"value": "query"}, spanKind="CLIENT")
    same(spans().batchWrite(name="projects/" + PROJECT, body={"spans": [root, child]}).execute(), {})
    got = traces().get(projectId=PROJECT, traceId=trace).execute()
    by_name = {one["name"]: one for one in got["spans"]}
    same(by_name["query"]["parentSpanId"], by_name["GET /v1"]["spanId"])
    same(by_name["GET /v1"]["spanId"], str(int(root["spanId"], 16)))
    same((by_name["GET /v1"]["kind"], by_name["query"]["kind"]), ("RPC_SERVER", "RPC_CLIENT"))
    labels = by_name["GET /v1"]["labels"]
    same((labels["http.status"], labels["path"]), ("200", "/v1"))


@judge("trace: createSpan answers the span, with kind as a number too")
def _():
    trace = uuid.uuid4().hex
    body = span(trace, spanKind=2, childSpanCount=3, sameProcessAsParentSpan=True, status={"code": 5, "message": "none"})
    got = spans().spans().createSpan(name=body["name"], body=body).execute()
    same((got["spanKind"], got["childSpanCount"], got["sameProcessAsParentSpan"], got["status"]["code"]), ("SERVER", 3, True, 5))


@judge("trace: traces.list finds by the beginning of a name and by a label, in pages")
def _():
    word = fresh("word")
    made = []
    for n in range(3):
        trace = uuid.uuid4().hex
        body = span(trace, displayName={"value": word + str(n)}, attributes={"attributeMap": {"run": {"stringValue": {"value": word}}}})
        spans().batchWrite(name="projects/" + PROJECT, body={"spans": [body]}).execute()
        made.append(trace)
    for condition in ("root:" + word, "label:run run:" + word):
        found, _pages = walk(traces(), traces().list(projectId=PROJECT, filter=condition, pageSize=2), "traces")
        holds(set(made) <= {one["traceId"] for one in found}, condition, found)


@judge("trace: patchTraces writes what v1 reads")
def _():
    trace = uuid.uuid4().hex
    body = {"traces": [{"projectId": PROJECT, "traceId": trace, "spans": [{"spanId": "77", "name": "old", "kind": "RPC_SERVER", "startTime": at(-2), "endTime": at(-1), "labels": {"a": "b"}}]}]}
    service("cloudtrace", "v1").projects().patchTraces(projectId=PROJECT, body=body).execute()
    (got,) = traces().get(projectId=PROJECT, traceId=trace).execute()["spans"]
    same((got["spanId"], got["name"], got["labels"]["a"]), ("77", "old", "b"))


@judge("trace: a span without its times is 400, a trace that nobody wrote 404")
def _():
    body = span(uuid.uuid4().hex)
    del body["startTime"]
    same(refusal(spans().batchWrite(name="projects/" + PROJECT, body={"spans": [body]})).word, "INVALID_ARGUMENT")
    same(refusal(service("cloudtrace", "v1").projects().traces().get(projectId=PROJECT, traceId=uuid.uuid4().hex)).word, "NOT_FOUND")


@judge("trace: a trace sink is made, changed by its mask, listed and deleted")
def _():
    sinks = service("cloudtrace", "v2beta1").projects().traceSinks()
    parent, ident = "projects/" + NUMBER, fresh("sink")
    name = "%s/traceSinks/%s" % (parent, ident)
    body = {"name": name, "outputConfig": {"destination": "bigquery.googleapis.com/%s/datasets/a" % parent}}
    made = sinks.create(parent=parent, body=body).execute()
    holds(made["writerIdentity"], made)
    to = "bigquery.googleapis.com/%s/datasets/b" % parent
    sinks.patch(name=name, updateMask="outputConfig.destination", body={"outputConfig": {"destination": to}}).execute()
    same(sinks.get(name=name).execute()["outputConfig"]["destination"], to)
    holds(name in [one["name"] for one in sinks.list(parent=parent).execute()["sinks"]])
    sinks.delete(name=name).execute()
    same(refusal(sinks.get(name=name)).status, 404)
