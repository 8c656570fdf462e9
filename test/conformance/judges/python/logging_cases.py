"""Logging: entries, logs, sinks, exclusions, metrics, buckets, views, saved queries, files."""

import io
import json
import time

from googleapiclient.errors import HttpError
from googleapiclient.http import MediaIoBaseDownload

from judge import PROJECT as PROJECT_ID
from judge import build, fresh, holds, judge, refusal, same, service, walk

PROJECT = "projects/" + PROJECT_ID
GLOBAL = {"type": "global"}


def logs():
    return service("logging", "v2")


def write(log, *entries, **more):
    body = {"logName": "%s/logs/%s" % (PROJECT, log), "resource": GLOBAL, "entries": list(entries)}
    body.update(more)
    return logs().entries().write(body=body).execute()


def read(condition, **more):
    body = {"resourceNames": [PROJECT], "filter": condition}
    body.update(more)
    return logs().entries().list(body=body).execute().get("entries", [])


def of(log):
    return 'logName="%s/logs/%s"' % (PROJECT, log)


@judge("logging: an entry comes back as it was written, with what the server adds")
def _():
    log = fresh("whole")
    sent = {
        "severity": "WARNING",
        "insertId": "one",
        "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.123456789Z", time.gmtime()),
        "labels": {"a": "b"},
        "jsonPayload": {"message": "hello", "part": 0.1, "list": [1, None, True], "in": {"deep": "er"}},
        "httpRequest": {"requestMethod": "GET", "status": 200, "latency": "0.250s", "responseSize": "1234", "cacheHit": True},
        "sourceLocation": {"file": "a.py", "line": "9007199254740993", "function": "f"},
        "operation": {"id": "op", "first": True},
        "trace": "%s/traces/0af7651916cd43dd8448eb211c80319c" % PROJECT,
        "spanId": "b7ad6b7169203331",
        "traceSampled": True,
    }
    write(log, sent)
    (got,) = read(of(log))
    for key, value in sent.items():
        if key != "httpRequest":
            same(got[key], value)
    same({key: got["httpRequest"][key] for key in ("status", "responseSize", "cacheHit")}, {"status": 200, "responseSize": "1234", "cacheHit": True})
    holds(got["httpRequest"]["latency"] in ("0.250s", "0.25s") and got["receiveTimestamp"], got)


@judge("logging: the resource gets its project_id, and is found by it")
def _():
    log = fresh("labelled")
    write(log, {"textPayload": "here"})
    (got,) = read(of(log))
    same(got["resource"]["labels"]["project_id"], PROJECT.split("/")[1])
    same(len(read('%s resource.labels.project_id="%s"' % (of(log), PROJECT.split("/")[1]))), 1)


@judge("logging: entries.list walks its pages, oldest first or newest first")
def _():
    log = fresh("paged")
    write(log, *[{"textPayload": "entry %d" % n} for n in range(7)])
    entries = logs().entries()

    def ordered(order):
        body = {"resourceNames": [PROJECT], "filter": of(log), "orderBy": order, "pageSize": 3}

        def following(_request, answer):
            token = answer.get("nextPageToken")
            return entries.list(body=dict(body, pageToken=token)) if token else None

        return [one["textPayload"] for one in walk(entries, entries.list(body=body), "entries", next_page=following)[0]]

    expected = ["entry %d" % n for n in range(7)]
    same(ordered("timestamp asc"), expected)
    same(sorted(ordered("timestamp desc")), expected)


@judge("logging: list_next of entries.list follows the token in the body")
def _():
    log = fresh("next")
    write(log, *[{"textPayload": str(n)} for n in range(3)])
    entries = build("logging", "v2").entries()  # A client of its own: a broken connection is not another case's.
    request = entries.list(body={"resourceNames": [PROJECT], "filter": of(log), "pageSize": 2})
    same(len(walk(entries, request, "entries")[0]), 3)


@judge("logging: severities are names or numbers, and compare by rank")
def _():
    log = fresh("ranks")
    write(log, {"severity": "INFO", "textPayload": "i"}, {"severity": 500, "textPayload": "e"}, {"severity": "CRITICAL", "textPayload": "c"}, {"textPayload": "d"})
    found = {one["textPayload"]: one.get("severity") for one in read(of(log) + " severity>=ERROR")}
    same(found, {"e": "ERROR", "c": "CRITICAL"})
    same([one["textPayload"] for one in read(of(log) + " severity=DEFAULT")], ["d"])


@judge("logging: the filter language finds what its page says it finds")
def _():
    log = fresh("filter")
    write(
        log,
        {"jsonPayload": {"name": "Ada Lovelace", "n": 3, "tags": ["x", "y"]}, "labels": {"k8s.io/pod": "web"}},
        {"jsonPayload": {"name": "Grace Hopper", "n": 12}},
        {"textPayload": "plain text of Ada"},
    )
    counts = {
        'jsonPayload.name="ada lovelace"': 1,
        "jsonPayload.name:hopper": 1,
        'jsonPayload.name=~"^Ada"': 1,
        'jsonPayload.name!~"^Ada"': 1,
        "jsonPayload.n>3": 1,
        "jsonPayload.n>=3 AND jsonPayload.n<12": 1,
        'jsonPayload.tags="y"': 1,
        'labels."k8s.io/pod"=web': 1,
        "jsonPayload.n:*": 2,
        "NOT textPayload:*": 2,
        "-jsonPayload:*": 1,
        'jsonPayload.name=("Ada Lovelace" OR "Grace Hopper")': 2,
        '"Ada"': 2,
        'SEARCH("plain")': 1,
        'log_id("%s")' % log: 3,
        "-- a comment\njsonPayload.n=12": 1,
    }
    same({one: len(read("%s AND (%s)" % (of(log), one) if "--" not in one else of(log) + " " + one)) for one in counts}, counts)


@judge("logging: a filter that is no filter is 400 INVALID_ARGUMENT")
def _():
    error = refusal(logs().entries().list(body={"resourceNames": [PROJECT], "filter": "severity>="}))
    same((error.status, error.word), (400, "INVALID_ARGUMENT"))


@judge("logging: partialSuccess keeps the good entries and says which were bad")
def _():
    log = fresh("partial")
    good, bad = {"textPayload": "good"}, {"textPayload": "bad", "timestamp": "yesterday or so"}
    try:
        write(log, good, {"logName": "projects/%s/logs/x y z?" % PROJECT, "textPayload": "bad"}, partialSuccess=True)
        raise AssertionError("not refused")
    except HttpError as error:
        holds(error.resp.status in (400, 403), error)
        holds("errors" in error.content.decode() or "details" in error.content.decode(), error.content)
    same([one["textPayload"] for one in read(of(log))], ["good"])
    same(refusal(logs().entries().write(body={"logName": PROJECT + "/logs/" + log, "resource": GLOBAL, "entries": [bad]})).status, 400)


@judge("logging: dryRun writes nothing")
def _():
    log = fresh("dry")
    write(log, {"textPayload": "x"}, dryRun=True)
    same(read(of(log)), [])


@judge("logging: a log with a slash in its id is listed and deleted")
def _():
    log = fresh("my") + "%2Flog"
    write(log, {"textPayload": "x"})
    projects_logs = logs().projects().logs()
    name = "%s/logs/%s" % (PROJECT, log)
    holds(name in projects_logs.list(parent=PROJECT).execute()["logNames"])
    projects_logs.delete(logName=name).execute()
    holds(name not in projects_logs.list(parent=PROJECT).execute().get("logNames", []))
    same(read(of(log)), [])


@judge("logging: a sink routes to a bucket what its filter says, less its exclusions")
def _():
    bucket, log = fresh("bucket"), fresh("routed")
    parent = PROJECT + "/locations/global"
    logs().projects().locations().buckets().create(parent=parent, bucketId=bucket, body={"retentionDays": 3}).execute()
    sink = {
        "name": fresh("sink"),
        "destination": "logging.googleapis.com/%s/buckets/%s" % (parent, bucket),
        "filter": of(log),
        "exclusions": [{"name": "quiet", "filter": "severity<ERROR"}],
    }
    made = logs().projects().sinks().create(parent=PROJECT, body=sink, uniqueWriterIdentity=True).execute()
    same(made["exclusions"][0]["filter"], "severity<ERROR")
    write(log, {"severity": "INFO", "textPayload": "i"}, {"severity": "ERROR", "textPayload": "e"})
    view = "%s/buckets/%s/views/_AllLogs" % (parent, bucket)
    same([one["textPayload"] for one in read("", resourceNames=[view])], ["e"])


@judge("logging: sinks.patch changes what its mask names, and sinks are listed")
def _():
    sinks = logs().projects().sinks()
    body = {"name": fresh("sink"), "destination": "storage.googleapis.com/" + fresh("files"), "filter": "severity>=ERROR", "description": "d"}
    sinks.create(parent=PROJECT, body=body).execute()
    name = "%s/sinks/%s" % (PROJECT, body["name"])
    sinks.patch(sinkName=name, updateMask="filter", body=dict(body, filter="severity>=ALERT", description="no")).execute()
    got = sinks.get(sinkName=name).execute()
    same((got["filter"], got["description"]), ("severity>=ALERT", "d"))
    holds({body["name"], "_Default", "_Required"} <= {one["name"] for one in walk(sinks, sinks.list(parent=PROJECT, pageSize=1), "sinks")[0]})
    sinks.delete(sinkName=name).execute()
    same(refusal(sinks.get(sinkName=name)).word, "NOT_FOUND")


@judge("logging: a sink of the same name is 409 ALREADY_EXISTS")
def _():
    sinks = logs().projects().sinks()
    body = {"name": fresh("sink"), "destination": "storage.googleapis.com/" + fresh("files")}
    sinks.create(parent=PROJECT, body=body).execute()
    error = refusal(sinks.create(parent=PROJECT, body=body))
    same((error.status, error.word), (409, "ALREADY_EXISTS"))


@judge("logging: a distribution metric keeps buckets with fractions")
def _():
    metrics = logs().projects().metrics()
    for options in (
        {"exponentialBuckets": {"numFiniteBuckets": 8, "growthFactor": 1.4, "scale": 0.01}},
        {"linearBuckets": {"numFiniteBuckets": 3, "width": 0.5, "offset": 0.25}},
        {"explicitBuckets": {"bounds": [0.1, 2.5, 10]}},
    ):
        body = {
            "name": fresh("latency"),
            "filter": "httpRequest:*",
            "valueExtractor": "EXTRACT(httpRequest.latency)",
            "metricDescriptor": {"metricKind": "DELTA", "valueType": "DISTRIBUTION", "unit": "s"},
            "bucketOptions": options,
        }
        metrics.create(parent=PROJECT, body=body).execute()
        got = metrics.get(metricName="%s/metrics/%s" % (PROJECT, body["name"])).execute()
        same((got["bucketOptions"], got["metricDescriptor"]["valueType"]), (options, "DISTRIBUTION"))


@judge("logging: metrics.update makes and changes a counter, and delete ends it")
def _():
    metrics, name = logs().projects().metrics(), fresh("nginx") + "/requests"
    full = "%s/metrics/%s" % (PROJECT, name.replace("/", "%2F"))
    for condition in ("severity>=ERROR", "severity>=ALERT"):
        metrics.update(metricName=full, body={"name": name, "filter": condition}).execute()
        same(metrics.get(metricName=full).execute()["filter"], condition)
    metrics.delete(metricName=full).execute()
    same(refusal(metrics.get(metricName=full)).status, 404)


@judge("logging: an exclusion is made, disabled and deleted")
def _():
    exclusions, name = logs().projects().exclusions(), fresh("noise")
    exclusions.create(parent=PROJECT, body={"name": name, "filter": "severity<INFO"}).execute()
    full = "%s/exclusions/%s" % (PROJECT, name)
    exclusions.patch(name=full, updateMask="disabled", body={"disabled": True}).execute()
    got = exclusions.get(name=full).execute()
    same((got["disabled"], got["filter"]), (True, "severity<INFO"))
    exclusions.delete(name=full).execute()
    holds(name not in [one["name"] for one in exclusions.list(parent=PROJECT).execute().get("exclusions", [])])


@judge("logging: a bucket is deleted and brought back")
def _():
    buckets, bucket = logs().projects().locations().buckets(), fresh("bucket")
    parent = PROJECT + "/locations/global"
    buckets.create(parent=parent, bucketId=bucket, body={"description": "d"}).execute()
    name = "%s/buckets/%s" % (parent, bucket)
    same(buckets.get(name=name).execute()["retentionDays"], 30)
    buckets.patch(name=name, updateMask="retentionDays", body={"retentionDays": 5}).execute()
    buckets.delete(name=name).execute()
    same(buckets.get(name=name).execute()["lifecycleState"], "DELETE_REQUESTED")
    buckets.undelete(name=name, body={}).execute()
    got = buckets.get(name=name).execute()
    same((got["lifecycleState"], got["retentionDays"], got["description"]), ("ACTIVE", 5, "d"))


@judge("logging: a view shows the part of a bucket that its filter says")
def _():
    views, log, other = logs().projects().locations().buckets().views(), fresh("seen"), fresh("unseen")
    parent, view = PROJECT + "/locations/global/buckets/_Default", fresh("view")
    views.create(parent=parent, viewId=view, body={"filter": 'LOG_ID("%s")' % log}).execute()
    for one in (log, other):
        write(one, {"textPayload": one})
    name = "%s/views/%s" % (parent, view)
    same([one["textPayload"] for one in read("", resourceNames=[name])], [log])
    views.patch(name=name, updateMask="description", body={"description": "d"}).execute()
    holds(name in [one["name"] for one in views.list(parent=parent).execute()["views"]])
    views.delete(name=name).execute()
    same(refusal(views.get(name=name)).status, 404)


@judge("logging: a saved query is kept, listed and deleted")
def _():
    queries = logs().projects().locations().savedQueries()
    parent = PROJECT + "/locations/global"
    body = {"displayName": "Errors", "visibility": "SHARED", "loggingQuery": {"filter": "severity>=ERROR", "summaryFieldStart": 3}}
    made = queries.create(parent=parent, savedQueryId=fresh("query"), body=body).execute()
    listed = queries.list(parent=parent).execute()["savedQueries"]
    same([one["loggingQuery"] for one in listed if one["name"] == made["name"]], [body["loggingQuery"]])
    queries.delete(name=made["name"]).execute()
    holds(made["name"] not in [one["name"] for one in queries.list(parent=parent).execute().get("savedQueries", [])])


@judge("logging: monitored resource descriptors name their labels, by pages")
def _():
    descriptors = logs().monitoredResourceDescriptors()
    found, pages = walk(descriptors, descriptors.list(pageSize=10), "resourceDescriptors", most=50)
    by_type = {one["type"]: {label["key"] for label in one.get("labels", [])} for one in found}
    same((by_type["global"], pages > 1), ({"project_id"}, True))
    holds({"instance_id", "zone"} <= by_type["gce_instance"])


@judge("logging: settings are nested where the document of the vendor nests them")
def _():
    holds("name" in logs().v2().getSettings(name=PROJECT).execute())


@judge("logging: entries are copied to a file, which the client downloads in ranges")
def _():
    log, bucket = fresh("copied"), fresh("files")
    service("storage", "v1").buckets().insert(project=PROJECT.split("/")[1], body={"name": bucket}).execute()
    write(log, *[{"textPayload": "line %d" % n} for n in range(20)])
    body = {"name": PROJECT + "/locations/global/buckets/_Default", "filter": of(log), "destination": "storage.googleapis.com/" + bucket}
    operation = logs().entries().copy(body=body).execute()
    for _n in range(40):
        if operation.get("done"):
            break
        time.sleep(0.1)
        operation = logs().projects().locations().operations().get(name=operation["name"]).execute()
    holds(operation.get("done") and "error" not in operation, operation)
    objects = service("storage", "v1").objects()
    names = [one["name"] for one in objects.list(bucket=bucket).execute()["items"]]
    lines = []
    for name in names:
        file = io.BytesIO()
        download = MediaIoBaseDownload(file, objects.get_media(bucket=bucket, object=name), chunksize=1024)
        done, chunks = False, 0
        while not done:
            _status, done = download.next_chunk()
            chunks += 1
        lines += [json.loads(line)["textPayload"] for line in file.getvalue().decode().splitlines()]
        size = int(objects.get(bucket=bucket, object=name).execute()["size"])
        same(len(file.getvalue()), size)
        holds(chunks == -(-size // 1024), chunks, size)
    same(sorted(lines), sorted("line %d" % n for n in range(20)))
