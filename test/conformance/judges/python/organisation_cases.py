"""Directory: org units, customer, domains, roles, rooms."""

from judge import CUSTOMER, DOMAIN, directory, fresh, holds, judge, make_user, refusal, same, walk


def make_unit(**more):
    body = {"name": fresh("Unit"), "parentOrgUnitPath": "/", "description": "People"}
    body.update(more)
    return directory().orgunits().insert(customerId="my_customer", body=body).execute()


@judge("directory: an org unit is found by path and by id, and lists its children")
def _():
    parent = make_unit()
    child = make_unit(parentOrgUnitPath=parent["orgUnitPath"], name=fresh("In side"))
    units = directory().orgunits()
    for key in (child["orgUnitPath"].lstrip("/"), child["orgUnitId"]):
        same(units.get(customerId="my_customer", orgUnitPath=key).execute()["orgUnitId"], child["orgUnitId"])
    listed = units.list(customerId="my_customer", orgUnitPath=parent["orgUnitPath"], type="children").execute()
    same([one["name"] for one in listed["organizationUnits"]], [child["name"]])
    same(child["parentOrgUnitId"], parent["orgUnitId"])


@judge("directory: orgunits.update with the name alone keeps the description")
def _():
    unit, name = make_unit(), fresh("Renamed")
    units = directory().orgunits()
    units.update(customerId="my_customer", orgUnitPath=unit["orgUnitPath"].lstrip("/"), body={"name": name}).execute()
    got = units.get(customerId="my_customer", orgUnitPath=name).execute()
    same((got["orgUnitId"], got["description"]), (unit["orgUnitId"], "People"))


@judge("directory: orgunits.patch moves a unit with its users")
def _():
    there, unit = make_unit(), make_unit()
    user = make_user(orgUnitPath=unit["orgUnitPath"])
    body = {"parentOrgUnitPath": there["orgUnitPath"]}
    directory().orgunits().patch(customerId="my_customer", orgUnitPath=unit["orgUnitId"], body=body).execute()
    path = "%s/%s" % (there["orgUnitPath"], unit["name"])
    same(directory().users().get(userKey=user["id"]).execute()["orgUnitPath"], path)


@judge("directory: an org unit with users in it is not deleted, an empty one is")
def _():
    unit = make_unit()
    user = make_user(orgUnitPath=unit["orgUnitPath"])
    units = directory().orgunits()
    path = unit["orgUnitPath"].lstrip("/")
    holds(refusal(units.delete(customerId="my_customer", orgUnitPath=path)).status in (400, 412))
    same(units.get(customerId="my_customer", orgUnitPath=path).execute()["orgUnitId"], unit["orgUnitId"])
    directory().users().patch(userKey=user["id"], body={"orgUnitPath": "/"}).execute()
    units.delete(customerId="my_customer", orgUnitPath=path).execute()
    same(refusal(units.get(customerId="my_customer", orgUnitPath=path)).status, 404)


@judge("directory: users.list finds those of an org unit")
def _():
    unit = make_unit()
    user = make_user(orgUnitPath=unit["orgUnitPath"])
    found = directory().users().list(customer="my_customer", query="orgUnitPath='%s'" % unit["orgUnitPath"]).execute()
    same([one["id"] for one in found["users"]], [user["id"]])


@judge("directory: customers.patch changes the language and keeps the rest")
def _():
    customers = directory().customers()
    customers.patch(customerKey="my_customer", body={"phoneNumber": "+15550100", "postalAddress": {"countryCode": "NL", "organizationName": "Crew"}}).execute()
    customers.patch(customerKey=CUSTOMER, body={"language": "fr"}).execute()
    got = customers.get(customerKey="my_customer").execute()
    same((got["id"], got["language"], got["phoneNumber"], got["postalAddress"]["countryCode"]), (CUSTOMER, "fr", "+15550100", "NL"))
    same(got["customerDomain"], DOMAIN)


@judge("directory: customers.update with the language alone keeps phone and address")
def _():
    customers = directory().customers()
    customers.patch(customerKey="my_customer", body={"phoneNumber": "+15550111", "postalAddress": {"organizationName": "Crew"}}).execute()
    customers.update(customerKey="my_customer", body={"language": "de"}).execute()
    got = customers.get(customerKey="my_customer").execute()
    same((got["language"], got.get("phoneNumber"), got.get("postalAddress", {}).get("organizationName")), ("de", "+15550111", "Crew"))


@judge("directory: a domain and its alias are listed, and deleted from the inside out")
def _():
    name, alias = "%s.%s" % (fresh("d"), DOMAIN), "%s.%s" % (fresh("a"), DOMAIN)
    domains, aliases = directory().domains(), directory().domainAliases()
    made = domains.insert(customer="my_customer", body={"domainName": name}).execute()
    same(made["isPrimary"], False)
    aliases.insert(customer="my_customer", body={"parentDomainName": name, "domainAliasName": alias}).execute()
    got = domains.get(customer="my_customer", domainName=name).execute()
    same([one["domainAliasName"] for one in got["domainAliases"]], [alias])
    holds(name in [one["domainName"] for one in domains.list(customer="my_customer").execute()["domains"]])
    holds(int(made["creationTime"]) > 1_500_000_000_000, made)
    aliases.delete(customer="my_customer", domainAliasName=alias).execute()
    domains.delete(customer="my_customer", domainName=name).execute()
    same(refusal(domains.get(customer="my_customer", domainName=name)).status, 404)


@judge("directory: a role of listed privileges is assigned and listed of its user")
def _():
    privileges = directory().privileges().list(customer="my_customer").execute()["items"]
    chosen = [{"privilegeName": one["privilegeName"], "serviceId": one["serviceId"]} for one in privileges if not one.get("isOuScopable")][:1]
    chosen = chosen or [{"privilegeName": privileges[0]["privilegeName"], "serviceId": privileges[0]["serviceId"]}]
    roles, assignments = directory().roles(), directory().roleAssignments()
    role = roles.insert(customer="my_customer", body={"roleName": fresh("Role"), "rolePrivileges": chosen}).execute()
    user = make_user()
    body = {"roleId": role["roleId"], "assignedTo": user["id"], "scopeType": "CUSTOMER"}
    made = assignments.insert(customer="my_customer", body=body).execute()
    (found,) = assignments.list(customer="my_customer", userKey=user["id"]).execute()["items"]
    same((found["roleAssignmentId"], found["roleId"]), (made["roleAssignmentId"], role["roleId"]))
    assignments.delete(customer="my_customer", roleAssignmentId=made["roleAssignmentId"]).execute()
    roles.delete(customer="my_customer", roleId=role["roleId"]).execute()
    same(refusal(roles.get(customer="my_customer", roleId=role["roleId"])).status, 404)


@judge("directory: system roles are there, and walked by pages")
def _():
    roles = directory().roles()
    found, _pages = walk(roles, roles.list(customer="my_customer", maxResults=2), "items")
    holds(any(one.get("isSuperAdminRole") for one in found), len(found))
    holds(all(isinstance(one["roleId"], str) for one in found))


@judge("directory: a building keeps coordinates with fractions and its floors in order")
def _():
    buildings = directory().resources().buildings()
    body = {
        "buildingId": fresh("house"),
        "buildingName": fresh("House"),
        "floorNames": ["G", "1", "2"],
        "coordinates": {"latitude": 52.3702157, "longitude": 4.8951679},
        "address": {"regionCode": "NL", "addressLines": ["Dam 1"]},
    }
    buildings.insert(customer="my_customer", body=body).execute()
    buildings.patch(customer="my_customer", buildingId=body["buildingId"], body={"description": "Old"}).execute()
    got = buildings.get(customer="my_customer", buildingId=body["buildingId"]).execute()
    same({key: got[key] for key in ("floorNames", "coordinates", "description")}, {"floorNames": body["floorNames"], "coordinates": body["coordinates"], "description": "Old"})


@judge("directory: calendars.update keeps what is left out")
def _():
    calendars = directory().resources().calendars()
    body = {"resourceId": fresh("room"), "resourceName": "Crow's nest", "capacity": 4, "resourceType": "Room", "userVisibleDescription": "High"}
    calendars.insert(customer="my_customer", body=body).execute()
    calendars.update(customer="my_customer", calendarResourceId=body["resourceId"], body={"resourceName": "Brig"}).execute()
    got = calendars.get(customer="my_customer", calendarResourceId=body["resourceId"]).execute()
    same((got["resourceName"], got["capacity"], got["userVisibleDescription"]), ("Brig", 4, "High"))
    holds(got["resourceEmail"].endswith(".calendar.google.com"), got["resourceEmail"])


@judge("directory: calendars.list takes a query and an order")
def _():
    calendars, word = directory().resources().calendars(), fresh("Quiet")
    for at, capacity in enumerate((2, 8, 5)):
        body = {"resourceId": fresh("room"), "resourceName": "%s %d" % (word, at), "capacity": capacity}
        calendars.insert(customer="my_customer", body=body).execute()
    query = 'name:"%s*" AND NOT capacity=2' % word
    found = calendars.list(customer="my_customer", query=query, orderBy="capacity desc").execute()["items"]
    same([one["capacity"] for one in found], [8, 5])


@judge("directory: a feature is renamed, also in the rooms that have it")
def _():
    features, calendars = directory().resources().features(), directory().resources().calendars()
    name, new = fresh("Screen"), fresh("Wall")
    features.insert(customer="my_customer", body={"name": name}).execute()
    room = {"resourceId": fresh("room"), "resourceName": "R", "featureInstances": [{"feature": {"name": name}}]}
    calendars.insert(customer="my_customer", body=room).execute()
    features.rename(customer="my_customer", oldName=name, body={"newName": new}).execute()
    got = calendars.get(customer="my_customer", calendarResourceId=room["resourceId"]).execute()
    same([one["feature"]["name"] for one in got["featureInstances"]], [new])
    same(refusal(features.get(customer="my_customer", featureKey=name)).status, 404)
