"""Directory: users, aliases, photos, groups, members."""

import base64

from judge import CUSTOMER, DOMAIN, address, decode, directory, fresh, holds, judge, make_group, make_user, refusal, same, walk

PICTURE = bytes(range(250, 256)) * 11 + b"\xfb\xff\xfe"


@judge("directory: a new user is found by address, by id and by alias")
def _():
    user = make_user()
    alias = address("alias")
    directory().users().aliases().insert(userKey=user["id"], body={"alias": alias}).execute()
    for key in (user["primaryEmail"], user["id"], alias):
        same(directory().users().get(userKey=key).execute()["id"], user["id"])


@judge("directory: a password is taken and never shown")
def _():
    user = make_user(password="8f0a4b2c" * 4, hashFunction="MD5", changePasswordAtNextLogin=True)
    got = directory().users().get(userKey=user["id"], projection="full").execute()
    holds("password" not in got and "hashFunction" not in got, got)
    same(got["changePasswordAtNextLogin"], True)


@judge("directory: users.update keeps what is left out, as its documentation says")
def _():
    user = make_user(phones=[{"type": "work", "value": "+1 555"}], orgUnitPath="/")
    directory().users().update(userKey=user["id"], body={"name": {"familyName": "Murray"}}).execute()
    got = directory().users().get(userKey=user["id"]).execute()
    same((got["name"]["givenName"], got["name"]["familyName"]), ("Grace", "Murray"))
    same(got["phones"], [{"type": "work", "value": "+1 555"}])


@judge("directory: users.patch replaces a list whole, and null clears it")
def _():
    user = make_user(emails=[{"type": "home", "address": "a@example.org"}], phones=[{"type": "work", "value": "1"}, {"type": "home", "value": "2"}])
    directory().users().patch(userKey=user["id"], body={"phones": [{"type": "home", "value": "3"}]}).execute()
    same(directory().users().get(userKey=user["id"]).execute()["phones"], [{"type": "home", "value": "3"}])
    directory().users().patch(userKey=user["id"], body={"phones": None}).execute()
    holds(not directory().users().get(userKey=user["id"]).execute().get("phones"))


@judge("directory: users.list walks its pages by list_next, in order")
def _():
    family = fresh("Paged")
    for given in ("D", "A", "E", "C", "B"):
        make_user(name={"givenName": given, "familyName": family})
    users = directory().users()
    request = users.list(customer="my_customer", query="familyName='%s'" % family, orderBy="givenName", maxResults=2)
    found, pages = walk(users, request, "users")
    same([one["name"]["givenName"] for one in found], list("ABCDE"))
    same(pages, 3)


@judge("directory: users.list sorts downwards and filters by domain")
def _():
    family = fresh("Sorted")
    for given in "AB":
        make_user(name={"givenName": given, "familyName": family})
    found = directory().users().list(domain=DOMAIN, query="familyName=" + family, orderBy="givenName", sortOrder="DESCENDING").execute()
    same([one["name"]["givenName"] for one in found["users"]], ["B", "A"])


@judge("directory: users.list finds by prefix, by part and by a boolean field")
def _():
    word = fresh("Zed").replace("-", "")
    user = make_user(name={"givenName": word + "tail", "familyName": "F"}, suspended=True)
    for query in ("givenName:%s*" % word, "email:%s" % user["primaryEmail"], "givenName:%s* isSuspended=true" % word):
        same([one["id"] for one in directory().users().list(customer=CUSTOMER, query=query).execute()["users"]], [user["id"]])
    holds("users" not in directory().users().list(customer=CUSTOMER, query="givenName:%s* isSuspended=false" % word).execute())


@judge("directory: users.list takes isGuest beside isSuspended, in Python's own spelling of False")
def _():
    user = make_user()
    query = "isSuspended=False isGuest=False email:%s" % user["primaryEmail"]
    same([one["id"] for one in directory().users().list(customer="my_customer", query=query).execute()["users"]], [user["id"]])


@judge("directory: showDeleted=True lists the deleted, and undelete brings one back")
def _():
    user, living = make_user(), make_user()
    directory().users().delete(userKey=user["id"]).execute()
    gone = directory().users().list(customer="my_customer", showDeleted=True, maxResults=500).execute().get("users", [])
    ids = [one["id"] for one in gone]
    holds(user["id"] in ids and living["id"] not in ids, len(ids))
    holds(all("deletionTime" in one for one in gone))
    directory().users().undelete(userKey=user["id"], body={"orgUnitPath": "/"}).execute()
    same(directory().users().get(userKey=user["primaryEmail"]).execute()["id"], user["id"])


@judge("directory: showDeleted=False lists the living")
def _():
    user, living = make_user(), make_user()
    directory().users().delete(userKey=user["id"]).execute()
    users = directory().users()
    found, _pages = walk(users, users.list(customer="my_customer", showDeleted=False, maxResults=500), "users")
    ids = [one["id"] for one in found]
    holds(living["id"] in ids and user["id"] not in ids)


@judge("directory: makeAdmin gives and takes the right")
def _():
    user = make_user()
    for status in (True, False):
        same(directory().users().makeAdmin(userKey=user["id"], body={"status": status}).execute(), "")
        same(directory().users().get(userKey=user["id"]).execute()["isAdmin"], status)


@judge("directory: a suspended user has a reason, and loses it when active again")
def _():
    user = make_user()
    directory().users().patch(userKey=user["id"], body={"suspended": True}).execute()
    got = directory().users().get(userKey=user["id"]).execute()
    same((got["suspended"], got["suspensionReason"]), (True, "ADMIN"))
    directory().users().patch(userKey=user["id"], body={"suspended": False}).execute()
    holds("suspensionReason" not in directory().users().get(userKey=user["id"]).execute())


@judge("directory: an alias is listed with its kind, and gone after delete")
def _():
    user, alias = make_user(), address("alias")
    aliases = directory().users().aliases()
    aliases.insert(userKey=user["id"], body={"alias": alias}).execute()
    (found,) = aliases.list(userKey=user["id"]).execute()["aliases"]
    same((found["alias"], found["primaryEmail"], found["kind"]), (alias, user["primaryEmail"], "admin#directory#alias"))
    aliases.delete(userKey=user["id"], alias=alias).execute()
    same(refusal(directory().users().get(userKey=alias)).status, 404)


@judge("directory: a photo comes back as the bytes that were sent, by Python's own decoder")
def _():
    user = make_user()
    photos = directory().users().photos()
    sent = {"photoData": base64.urlsafe_b64encode(png()).decode(), "mimeType": "PNG"}
    photos.update(userKey=user["id"], body=sent).execute()
    got = photos.get(userKey=user["id"]).execute()
    same(decode(got["photoData"]), png())
    holds("thumbnailPhotoUrl" in directory().users().get(userKey=user["id"]).execute())
    photos.delete(userKey=user["id"]).execute()
    same(refusal(photos.get(userKey=user["id"])).status, 404)


def png():
    """A PNG of one pixel, with bytes after its end so that its length is no multiple of three."""
    head = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    data = base64.b64decode(head)
    return data + b"\xff" * (1 + (1 - len(data)) % 3)


@judge("directory: custom fields of a schema are kept, masked and searched")
def _():
    name = fresh("Job").replace("-", "")
    fields = [
        {"fieldName": "title", "fieldType": "STRING", "readAccessType": "ALL_DOMAIN_USERS"},
        {"fieldName": "level", "fieldType": "INT64", "numericIndexingSpec": {"minValue": 1, "maxValue": 9.5}},
        {"fieldName": "share", "fieldType": "DOUBLE"},
        {"fieldName": "boss", "fieldType": "BOOL"},
    ]
    fields = [dict(one, displayName=one["fieldName"]) for one in fields]
    schemas = directory().schemas()
    made = schemas.insert(customerId="my_customer", body={"schemaName": name, "displayName": name, "fields": fields}).execute()
    same(schemas.get(customerId="my_customer", schemaKey=made["schemaId"]).execute()["schemaName"], name)
    user = make_user(customSchemas={name: {"title": "Admiral", "level": 7, "share": 0.25, "boss": True}})
    users = directory().users()
    got = users.get(userKey=user["id"], projection="custom", customFieldMask=name).execute()["customSchemas"][name]
    same((got["title"], got["share"], got["boss"], int(got["level"])), ("Admiral", 0.25, True, 7))
    holds("customSchemas" not in users.get(userKey=user["id"]).execute())
    found = users.list(customer="my_customer", query="%s.title='Admiral'" % name).execute()["users"]
    same([one["id"] for one in found], [user["id"]])
    schemas.delete(customerId="my_customer", schemaKey=name).execute()
    same(refusal(schemas.get(customerId="my_customer", schemaKey=name)).status, 404)


@judge("directory: groups.update with the address alone keeps name and description")
def _():
    group = make_group()
    email = address("renamed")
    directory().groups().update(groupKey=group["id"], body={"email": email}).execute()
    got = directory().groups().get(groupKey=email).execute()
    same((got["id"], got["name"], got["description"]), (group["id"], "Crew", "All hands"))


@judge("directory: groups.patch changes one field")
def _():
    group = make_group()
    directory().groups().patch(groupKey=group["email"], body={"description": "Few hands"}).execute()
    got = directory().groups().get(groupKey=group["id"]).execute()
    same((got["name"], got["description"]), ("Crew", "Few hands"))


@judge("directory: groups.list of a member, by query, and the count of members as text")
def _():
    user, group = make_user(), make_group()
    make_group()
    directory().members().insert(groupKey=group["id"], body={"email": user["primaryEmail"]}).execute()
    (found,) = directory().groups().list(userKey=user["primaryEmail"]).execute()["groups"]
    same((found["id"], found["directMembersCount"]), (group["id"], "1"))
    (found,) = directory().groups().list(customer="my_customer", query="email=" + group["email"]).execute()["groups"]
    same(found["id"], group["id"])


@judge("directory: an alias of a group leads to the group")
def _():
    group, alias = make_group(), address("crew")
    directory().groups().aliases().insert(groupKey=group["id"], body={"alias": alias}).execute()
    same(directory().groups().get(groupKey=alias).execute()["id"], group["id"])
    same([one["alias"] for one in directory().groups().aliases().list(groupKey=group["id"]).execute()["aliases"]], [alias])


@judge("directory: a member has a role, changes it, is asked for and goes")
def _():
    user, group = make_user(), make_group()
    members = directory().members()
    made = members.insert(groupKey=group["email"], body={"email": user["primaryEmail"], "role": "MANAGER"}).execute()
    same((made["type"], made["role"], made["id"]), ("USER", "MANAGER", user["id"]))
    members.patch(groupKey=group["email"], memberKey=user["id"], body={"role": "OWNER"}).execute()
    same([one["email"] for one in members.list(groupKey=group["id"], roles="OWNER").execute()["members"]], [user["primaryEmail"]])
    same(members.hasMember(groupKey=group["id"], memberKey=user["id"]).execute()["isMember"], True)
    members.delete(groupKey=group["id"], memberKey=user["id"]).execute()
    same(members.hasMember(groupKey=group["id"], memberKey=user["id"]).execute()["isMember"], False)


@judge("directory: members.update keeps the role when only the delivery is sent")
def _():
    user, group = make_user(), make_group()
    members = directory().members()
    members.insert(groupKey=group["id"], body={"email": user["primaryEmail"], "role": "OWNER"}).execute()
    members.update(groupKey=group["id"], memberKey=user["id"], body={"delivery_settings": "NONE"}).execute()
    got = members.get(groupKey=group["id"], memberKey=user["id"]).execute()
    same((got["role"], got["delivery_settings"]), ("OWNER", "NONE"))


@judge("directory: a member of a member is listed where includeDerivedMembership is asked")
def _():
    user, inner, outer = make_user(), make_group(), make_group()
    members = directory().members()
    members.insert(groupKey=inner["id"], body={"email": user["primaryEmail"]}).execute()
    members.insert(groupKey=outer["id"], body={"email": inner["email"]}).execute()
    direct = members.list(groupKey=outer["id"]).execute()["members"]
    same([one["id"] for one in direct], [inner["id"]])
    found = members.list(groupKey=outer["id"], includeDerivedMembership=True).execute()["members"]
    holds(user["id"] in [one["id"] for one in found], found)


@judge("directory: members.list walks its pages")
def _():
    group = make_group()
    members = directory().members()
    for _n in range(5):
        members.insert(groupKey=group["id"], body={"email": address("guest").replace(DOMAIN, "example.org")}).execute()
    found, pages = walk(members, members.list(groupKey=group["id"], maxResults=2), "members")
    same((len({one["email"] for one in found}), pages), (5, 3))


@judge("directory: the same member twice is 409 duplicate")
def _():
    user, group = make_user(), make_group()
    members = directory().members()
    members.insert(groupKey=group["id"], body={"email": user["primaryEmail"]}).execute()
    error = refusal(members.insert(groupKey=group["id"], body={"email": user["primaryEmail"]}))
    same((error.status, error.reason, error.message), (409, "duplicate", "Member already exists."))


@judge("directory: an address that is taken is 409 duplicate")
def _():
    user = make_user()
    body = {"primaryEmail": user["primaryEmail"], "name": {"givenName": "A", "familyName": "B"}, "password": "correct horse battery"}
    error = refusal(directory().users().insert(body=body))
    same((error.status, error.reason, error.message), (409, "duplicate", "Entity already exists."))


@judge("directory: somebody who is not there is 404 notFound with the vendor's words")
def _():
    error = refusal(directory().users().get(userKey=address("nobody")))
    same((error.status, error.reason, error.message), (404, "notFound", "Resource Not Found: userKey"))


@judge("directory: signOut and verification codes work on a user")
def _():
    user = make_user()
    directory().users().signOut(userKey=user["id"]).execute()
    codes = directory().verificationCodes()
    codes.generate(userKey=user["id"]).execute()
    first = codes.list(userKey=user["id"]).execute()["items"]
    same(len(first), 10)
    codes.generate(userKey=user["id"]).execute()
    holds({one["verificationCode"] for one in first} != {one["verificationCode"] for one in codes.list(userKey=user["id"]).execute()["items"]})
    codes.invalidate(userKey=user["id"]).execute()
    holds(not codes.list(userKey=user["id"]).execute().get("items"))
