"""AdMob: accounts, apps, ad units, mediation (v1beta), and the reads of v1."""

from judge import NUMBER, build, fresh, holds, judge, refusal, same, service, walk

ACCOUNT = "accounts/pub-%016d" % int(NUMBER)
NETWORK = "5450213213286189855"


def accounts():
    return service("admob", "v1beta").accounts()


def make_app(platform="ANDROID"):
    body = {"platform": platform, "manualAppInfo": {"displayName": fresh("App")}}
    return accounts().apps().create(parent=ACCOUNT, body=body).execute()


def make_unit(app):
    body = {"appId": app["appId"], "displayName": fresh("Unit"), "adFormat": "BANNER", "adTypes": ["RICH_MEDIA"]}
    return accounts().adUnits().create(parent=ACCOUNT, body=body).execute()


def make_group(unit, **more):
    body = {"displayName": fresh("Group"), "targeting": {"platform": "ANDROID", "format": "BANNER", "adUnitIds": [unit["adUnitId"]]}, "state": "ENABLED"}
    body.update(more)
    return accounts().mediationGroups().create(parent=ACCOUNT, body=body).execute()


def find_group(made):
    groups = accounts().mediationGroups()
    found, _pages = walk(groups, groups.list(parent=ACCOUNT, pageSize=3), "mediationGroups", most=60)
    return next(one for one in found if one["mediationGroupId"] == made["mediationGroupId"])


@judge("admob: an account is read, and listed")
def _():
    got = accounts().get(name=ACCOUNT).execute()
    same((got["name"], got["publisherId"]), (ACCOUNT, ACCOUNT.split("/")[1]))
    holds(ACCOUNT in [one["name"] for one in accounts().list().execute()["account"]])


@judge("admob: an app and its ad unit are made and listed by pages")
def _():
    app = make_app()
    made = [make_unit(app) for _n in range(3)]
    apps, units = accounts().apps(), accounts().adUnits()
    found, _pages = walk(apps, apps.list(parent=ACCOUNT, pageSize=1), "apps", most=60)
    holds(app["appId"] in [one["appId"] for one in found])
    found, _pages = walk(units, units.list(parent=ACCOUNT, pageSize=2), "adUnits", most=60)
    listed = {one["adUnitId"]: one for one in found}
    same([listed[one["adUnitId"]]["adFormat"] for one in made], ["BANNER"] * 3)


@judge("admob: the catalogue has ad sources with adapters for both platforms")
def _():
    sources = accounts().adSources().list(parent=ACCOUNT).execute()["adSources"]
    network = next(one for one in sources if one["adSourceId"] == NETWORK)
    holds("AdMob" in network["title"], network)
    adapters = accounts().adSources().adapters()
    other = next(one for one in sources if one["adSourceId"] != NETWORK)
    found = adapters.list(parent="%s/adSources/%s" % (ACCOUNT, other["adSourceId"])).execute()["adapters"]
    holds({"ANDROID", "IOS"} <= {one["platform"].upper() for one in found}, found)


@judge("admob: a mediation group targets ad units and has the line of the network")
def _():
    unit = make_unit(make_app())
    got = find_group(make_group(unit))
    same((got["targeting"]["adUnitIds"], got["targeting"]["format"], got["state"]), ([unit["adUnitId"]], "BANNER", "ENABLED"))
    same([one["adSourceId"] for one in got["mediationGroupLines"].values()], [NETWORK])


@judge("admob: patch adds a line under a negative number, by a mask with brackets")
def _():
    unit = make_unit(make_app())
    group = make_group(unit)
    source = next(one for one in accounts().adSources().list(parent=ACCOUNT).execute()["adSources"] if one["adSourceId"] != NETWORK)
    line = {"id": "-1", "displayName": "Line", "adSourceId": source["adSourceId"], "cpmMode": "MANUAL", "cpmMicros": "1500000", "state": "ENABLED"}
    mask = 'mediationGroupLines["-1"]'
    accounts().mediationGroups().patch(name="%s/mediationGroups/%s" % (ACCOUNT, group["mediationGroupId"]), updateMask=mask, body={"mediationGroupLines": {"-1": line}}).execute()
    lines = find_group(group)["mediationGroupLines"]
    added = [one for one in lines.values() if one["adSourceId"] == source["adSourceId"]]
    same([(one["cpmMicros"], one["cpmMode"], int(one["id"]) > 0) for one in added], [("1500000", "MANUAL", True)])
    same(len(lines), 2)


@judge("admob: enums of a group are taken as numbers too")
def _():
    unit = make_unit(make_app())
    group = make_group(unit)
    name = "%s/mediationGroups/%s" % (ACCOUNT, group["mediationGroupId"])
    accounts().mediationGroups().patch(name=name, updateMask="state", body={"state": 2}).execute()
    same(find_group(group)["state"], "DISABLED")


@judge("admob: groups are filtered by platform and by ad unit")
def _():
    unit = make_unit(make_app())
    group = make_group(unit)
    condition = 'IN(PLATFORM, "ANDROID") AND CONTAINS_ANY(AD_UNIT_IDS, "%s")' % unit["adUnitId"]
    found = accounts().mediationGroups().list(parent=ACCOUNT, filter=condition).execute()["mediationGroups"]
    same([one["mediationGroupId"] for one in found], [group["mediationGroupId"]])


@judge("admob: an ad unit maps to an adapter with its settings")
def _():
    unit = make_unit(make_app())
    source = next(one for one in accounts().adSources().list(parent=ACCOUNT).execute()["adSources"] if one["adSourceId"] != NETWORK)
    adapters = accounts().adSources().adapters().list(parent="%s/adSources/%s" % (ACCOUNT, source["adSourceId"])).execute()["adapters"]
    adapter = next(one for one in adapters if one["platform"] == "ANDROID" and "BANNER" in one["formats"])
    settings = {one["adapterConfigMetadataId"]: "value" for one in adapter.get("adapterConfigMetadata", [])}
    mappings = accounts().adUnits().adUnitMappings()
    parent = "%s/adUnits/%s" % (ACCOUNT, unit["adUnitId"].split("/")[-1])
    body = {"adapterId": adapter["adapterId"], "displayName": "Mapping", "state": "ENABLED", "adUnitConfigurations": settings}
    made = mappings.create(parent=parent, body=body).execute()
    (got,) = mappings.list(parent=parent).execute()["adUnitMappings"]
    same((got["name"], got["adapterId"], got.get("adUnitConfigurations", {})), (made["name"], adapter["adapterId"], settings))


@judge("admob: a group for an unknown format is refused with the field's name")
def _():
    body = {"displayName": "x", "targeting": {"platform": "ANDROID", "format": "HOLOGRAM"}}
    error = refusal(accounts().mediationGroups().create(parent=ACCOUNT, body=body))
    same((error.status, error.word), (400, "INVALID_ARGUMENT"))
    holds("format" in error.message.lower() or "HOLOGRAM" in error.message, error.message)


@judge("admob: v1 reads accounts, apps and ad units")
def _():
    app = make_app()
    unit = make_unit(app)
    old = build("admob", "v1").accounts()
    same(old.get(name=ACCOUNT).execute()["publisherId"], ACCOUNT.split("/")[1])
    holds(app["appId"] in [one["appId"] for one in old.apps().list(parent=ACCOUNT, pageSize=1000).execute()["apps"]])
    holds(unit["adUnitId"] in [one["adUnitId"] for one in old.adUnits().list(parent=ACCOUNT, pageSize=1000).execute()["adUnits"]])
