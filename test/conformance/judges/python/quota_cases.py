"""Cloud Quotas: Debian has no generated client of it, so Python's discovery judges it alone."""

from judge import CUSTOMER, fresh, holds, judge, refusal, same, service, walk

COMPUTE = "compute.googleapis.com"


def locations(version="v1"):
    return service("cloudquotas", version).projects().locations()


def parent():
    return "projects/%s-%s/locations/global" % (fresh("measured"), CUSTOMER.lower())


def quota(place):
    infos = locations().services().quotaInfos()
    found, _pages = walk(infos, infos.list(parent="%s/services/%s" % (place, COMPUTE), pageSize=2), "quotaInfos")
    return found[0]


def preference(**more):
    body = {"service": "example.googleapis.com", "quotaId": fresh("Calls"), "quotaConfig": {"preferredValue": "10"}, "contactEmail": "ada@example.com"}
    body.update(more)
    return body


@judge("quota: infos of a service are listed by pages and read by name")
def _():
    place = parent()
    info = quota(place)
    got = locations().services().quotaInfos().get(name=info["name"]).execute()
    same((got["quotaId"], got["service"]), (info["quotaId"], COMPUTE))
    holds(all(isinstance(one["details"]["value"], str) for one in got["dimensionsInfos"]), got)


@judge("quota: a preference is made, read, listed by a filter, and its numbers are text")
def _():
    place, preferences = parent(), locations().quotaPreferences()
    ident = fresh("mine")
    made = preferences.create(parent=place, quotaPreferenceId=ident, body=preference()).execute()
    same(made["name"], "%s/quotaPreferences/%s" % (place, ident))
    got = preferences.get(name=made["name"]).execute()
    same(got["quotaConfig"]["preferredValue"], "10")
    holds("contactEmail" not in got, got)
    listed = preferences.list(parent=place, filter='service="example.googleapis.com"').execute()["quotaPreferences"]
    same([one["name"] for one in listed], [made["name"]])


@judge("quota: patch changes the wish, and an old etag is 409 ABORTED")
def _():
    place, preferences = parent(), locations().quotaPreferences()
    made = preferences.create(parent=place, quotaPreferenceId=fresh("mine"), body=preference()).execute()
    body = {"quotaConfig": {"preferredValue": 11}, "contactEmail": "ada@example.com"}
    preferences.patch(name=made["name"], updateMask="quotaConfig.preferredValue", body=body).execute()
    same(preferences.get(name=made["name"]).execute()["quotaConfig"]["preferredValue"], "11")
    error = refusal(preferences.patch(name=made["name"], body=preference(quotaId=made["quotaId"], etag=made["etag"])))
    same((error.status, error.word), (409, "ABORTED"))


@judge("quota: validateOnly changes nothing, allowMissing makes one")
def _():
    place, preferences = parent(), locations().quotaPreferences()
    name = "%s/quotaPreferences/%s" % (place, fresh("later"))
    body = preference()
    preferences.patch(name=name, allowMissing=True, validateOnly=True, body=body).execute()
    same(refusal(preferences.get(name=name)).status, 404)
    preferences.patch(name=name, allowMissing=True, body=body).execute()
    same(preferences.get(name=name).execute()["quotaId"], body["quotaId"])


@judge("quota: a large decrease needs the check to be ignored by its name")
def _():
    place, preferences = parent(), locations().quotaPreferences()
    body = preference(quotaConfig={"preferredValue": "1000"})
    made = preferences.create(parent=place, quotaPreferenceId=fresh("mine"), body=body).execute()
    body["quotaConfig"] = {"preferredValue": "10"}
    same(refusal(preferences.patch(name=made["name"], body=body)).status, 400)
    preferences.patch(name=made["name"], ignoreSafetyChecks="QUOTA_DECREASE_PERCENTAGE_TOO_HIGH", body=body).execute()
    same(preferences.get(name=made["name"]).execute()["quotaConfig"]["preferredValue"], "10")


@judge("quota: preferences are ordered, and paged")
def _():
    place, preferences = parent(), locations().quotaPreferences()
    names = [preferences.create(parent=place, quotaPreferenceId=fresh("p"), body=preference()).execute()["name"] for _n in range(3)]
    found, pages = walk(preferences, preferences.list(parent=place, orderBy="create_time desc", pageSize=2), "quotaPreferences")
    same((sorted(one["name"] for one in found), pages), (sorted(names), 2))


@judge("quota: v1beta has preferences and infos of its own surface")
def _():
    place, preferences = parent(), locations("v1beta").quotaPreferences()
    made = preferences.create(parent=place, quotaPreferenceId=fresh("beta"), body=preference()).execute()
    same(preferences.get(name=made["name"]).execute()["quotaConfig"]["preferredValue"], "10")
    holds(locations("v1beta").services().quotaInfos().list(parent="%s/services/%s" % (place, COMPUTE)).execute()["quotaInfos"])


@judge("quota: v1beta switches the adjuster on, by name of the enum and with its etag")
def _():
    settings = locations("v1beta").quotaAdjusterSettings()
    name = parent() + "/quotaAdjusterSettings"
    before = settings.getQuotaAdjusterSettings(name=name).execute()
    holds(before["enablement"] != "ENABLED", before)
    body = {"name": name, "enablement": "ENABLED"}
    settings.updateQuotaAdjusterSettings(name=name, updateMask="enablement", body=body).execute()
    got = settings.getQuotaAdjusterSettings(name=name).execute()
    same(got["enablement"], "ENABLED")
    same(refusal(settings.updateQuotaAdjusterSettings(name=name, body=dict(body, etag="old"))).word, "ABORTED")
