"""Tags: keys, values, bindings (Resource Manager v3)."""

from judge import NUMBER, fresh, holds, judge, refusal, same, service, walk

PARENT = "organizations/" + NUMBER


def tags():
    return service("cloudresourcemanager", "v3")


def done(operation):
    holds(operation["done"] and "error" not in operation, operation)
    return operation["response"]


def make_key(**more):
    body = {"parent": PARENT, "shortName": fresh("key"), "description": "d"}
    body.update(more)
    return done(tags().tagKeys().create(body=body).execute())


def make_value(key):
    return done(tags().tagValues().create(body={"parent": key["name"], "shortName": fresh("value")}).execute())


@judge("tags: a key is made by an operation, read, listed and changed")
def _():
    key = make_key()
    same(key["namespacedName"], NUMBER + "/" + key["shortName"])
    keys = tags().tagKeys()
    done(keys.patch(name=key["name"], updateMask="description", body={"description": "e"}).execute())
    got = keys.get(name=key["name"]).execute()
    same((got["description"], got["shortName"]), ("e", key["shortName"]))
    found, _pages = walk(keys, keys.list(parent=PARENT, pageSize=1), "tagKeys", most=60)
    holds(key["name"] in [one["name"] for one in found])


@judge("tags: an operation is read again by its name")
def _():
    operation = tags().tagKeys().create(body={"parent": PARENT, "shortName": fresh("key")}).execute()
    got = tags().operations().get(name=operation["name"]).execute()
    same((got["done"], got["response"]["name"]), (True, operation["response"]["name"]))


@judge("tags: a value stands under its key, and goes")
def _():
    key = make_key()
    value = make_value(key)
    values = tags().tagValues()
    same([one["name"] for one in values.list(parent=key["name"]).execute()["tagValues"]], [value["name"]])
    same(value["namespacedName"], "%s/%s" % (key["namespacedName"], value["shortName"]))
    done(values.delete(name=value["name"]).execute())
    holds(not values.list(parent=key["name"]).execute().get("tagValues"))
    same(refusal(values.get(name=value["name"])).status, 403)


@judge("tags: a bound value stays until its binding goes")
def _():
    value = make_value(make_key())
    on = "//cloudresourcemanager.googleapis.com/projects/%s-%s" % (fresh("bound"), NUMBER)
    binding = done(tags().tagBindings().create(body={"parent": on, "tagValue": value["name"]}).execute())
    same([one["tagValue"] for one in tags().tagBindings().list(parent=on).execute()["tagBindings"]], [value["name"]])
    same(refusal(tags().tagValues().delete(name=value["name"])).word, "FAILED_PRECONDITION")
    done(tags().tagBindings().delete(name=binding["name"]).execute())
    done(tags().tagValues().delete(name=value["name"]).execute())


@judge("tags: validateOnly deletes nothing, and another etag is 409 ABORTED")
def _():
    key = make_key()
    value = make_value(key)
    values = tags().tagValues()
    values.delete(name=value["name"], validateOnly=True).execute()
    got = values.get(name=value["name"]).execute()
    same(refusal(values.delete(name=value["name"], etag="bm8=")).word, "ABORTED")
    done(values.delete(name=value["name"], etag=got["etag"]).execute())
    holds(not values.list(parent=key["name"]).execute().get("tagValues"))


@judge("tags: the same short name twice is 409, a key with values is kept")
def _():
    key = make_key()
    make_value(key)
    same(refusal(tags().tagKeys().create(body={"parent": PARENT, "shortName": key["shortName"]})).word, "ALREADY_EXISTS")
    same(refusal(tags().tagKeys().delete(name=key["name"])).word, "FAILED_PRECONDITION")
    same(tags().tagKeys().get(name=key["name"]).execute()["name"], key["name"])
