"""Reseller: customers and their subscriptions."""

from googleapiclient.errors import HttpError

from judge import DOMAIN, fresh, holds, judge, make_user, refusal, same, service, walk

SKU = "Google-Apps-Unlimited"
ADDRESS = {"contactName": "Ada", "organizationName": "Crew", "countryCode": "US", "postalCode": "94043", "region": "CA", "locality": "Mountain View", "addressLine1": "1 Way"}


def reseller():
    return service("reseller", "v1")


def make_customer():
    body = {"customerDomain": "%s.example.org" % fresh("shop"), "alternateEmail": "ada@example.net", "phoneNumber": "+16505550100", "postalAddress": ADDRESS}
    return reseller().customers().insert(body=body).execute()


def subscribe(customer, plan="ANNUAL_MONTHLY_PAY", seats=10, **more):
    counted = {"maximumNumberOfSeats": seats} if plan in ("FLEXIBLE", "TRIAL") else {"numberOfSeats": seats}
    body = {"customerId": customer["customerId"], "skuId": SKU, "plan": {"planName": plan}, "seats": counted, "purchaseOrderId": "po-1"}
    body.update(more)
    return reseller().subscriptions().insert(customerId=customer["customerId"], body=body).execute()


def read(made):
    return reseller().subscriptions().get(customerId=made["customerId"], subscriptionId=made["subscriptionId"]).execute()


def named(made):
    return {"customerId": made["customerId"], "subscriptionId": made["subscriptionId"]}


@judge("reseller: a customer is found by its id and by its domain")
def _():
    made = make_customer()
    for key in (made["customerId"], made["customerDomain"]):
        got = reseller().customers().get(customerId=key).execute()
        same((got["customerId"], got["postalAddress"]["locality"], got["kind"]), (made["customerId"], "Mountain View", "reseller#customer"))


@judge("reseller: customers.patch changes one field, and the same customer twice is 409")
def _():
    made = make_customer()
    reseller().customers().patch(customerId=made["customerId"], body={"alternateEmail": "eve@example.net"}).execute()
    got = reseller().customers().get(customerId=made["customerId"]).execute()
    same((got["alternateEmail"], got["postalAddress"]["contactName"]), ("eve@example.net", "Ada"))
    body = {"customerDomain": made["customerDomain"], "alternateEmail": "a@example.net", "postalAddress": ADDRESS}
    same(refusal(reseller().customers().insert(body=body)).status, 409)


@judge("reseller: an annual plan is answered as ANNUAL, with a commitment of a year in milliseconds as text")
def _():
    got = read(subscribe(make_customer()))
    same((got["plan"]["planName"], got["plan"]["isCommitmentPlan"], got["seats"]["numberOfSeats"]), ("ANNUAL", True, 10))
    interval = got["plan"]["commitmentInterval"]
    days = (int(interval["endTime"]) - int(interval["startTime"])) / 86_400_000
    holds(364 <= days <= 367, days)
    same((got["skuId"], got["purchaseOrderId"], got["status"]), (SKU, "po-1", "ACTIVE"))


@judge("reseller: seats of an annual plan grow, and those of a flexible plan have a maximum")
def _():
    customer = make_customer()
    annual = subscribe(customer)
    reseller().subscriptions().changeSeats(body={"numberOfSeats": 12}, **named(annual)).execute()
    same(read(annual)["seats"]["numberOfSeats"], 12)
    flexible = subscribe(make_customer(), plan="FLEXIBLE")
    reseller().subscriptions().changeSeats(body={"maximumNumberOfSeats": 30}, **named(flexible)).execute()
    same(read(flexible)["seats"]["maximumNumberOfSeats"], 30)


@judge("reseller: a flexible plan becomes an annual one, under the id that the answer says")
def _():
    made = subscribe(make_customer(), plan="FLEXIBLE")
    body = {"planName": "ANNUAL_MONTHLY_PAY", "seats": {"numberOfSeats": 10}, "purchaseOrderId": "po-2"}
    got = read(reseller().subscriptions().changePlan(body=body, **named(made)).execute())
    same((got["plan"]["planName"], got["purchaseOrderId"], got["plan"]["isCommitmentPlan"]), ("ANNUAL", "po-2", True))


@judge("reseller: renewal settings change")
def _():
    made = subscribe(make_customer(), renewalSettings={"renewalType": "AUTO_RENEW_MONTHLY_PAY"})
    same(read(made)["renewalSettings"]["renewalType"], "AUTO_RENEW_MONTHLY_PAY")
    reseller().subscriptions().changeRenewalSettings(body={"renewalType": "CANCEL"}, **named(made)).execute()
    same(read(made)["renewalSettings"]["renewalType"], "CANCEL")


@judge("reseller: a subscription is suspended with its reason and activated")
def _():
    made = subscribe(make_customer())
    reseller().subscriptions().suspend(**named(made)).execute()
    got = read(made)
    same((got["status"], got["suspensionReasons"]), ("SUSPENDED", ["RESELLER_INITIATED"]))
    reseller().subscriptions().activate(**named(made)).execute()
    same(read(made)["status"], "ACTIVE")


@judge("reseller: a trial becomes a paid service once it has a plan")
def _():
    made = subscribe(make_customer(), plan="TRIAL")
    same(read(made)["trialSettings"]["isInTrial"], True)
    same(refusal(reseller().subscriptions().startPaidService(**named(made))).status, 412)
    made = reseller().subscriptions().changePlan(body={"planName": "FLEXIBLE", "seats": {"maximumNumberOfSeats": 10}}, **named(made)).execute()
    reseller().subscriptions().startPaidService(**named(made)).execute()
    got = read(made)
    same((got["trialSettings"]["isInTrial"], got["plan"]["planName"]), (False, "FLEXIBLE"))


@judge("reseller: a cancelled subscription is gone")
def _():
    made = subscribe(make_customer(), plan="FLEXIBLE")
    reseller().subscriptions().delete(deletionType="cancel", **named(made)).execute()
    listed = reseller().subscriptions().list(customerId=made["customerId"]).execute()
    holds(made["subscriptionId"] not in [one["subscriptionId"] for one in listed.get("subscriptions", []) if one["status"] == "ACTIVE"], listed)


@judge("reseller: the client itself refuses a deletion that the document does not name")
def _():
    try:
        reseller().subscriptions().delete(customerId="C1", subscriptionId="s", deletionType="evaporate")
    except TypeError as error:
        holds("not an allowed value" in str(error), error)
    else:
        raise AssertionError("not refused")


@judge("reseller: subscriptions.list walks pages and finds by the beginning of a name")
def _():
    made = [subscribe(make_customer()) for _n in range(3)]
    subscriptions = reseller().subscriptions()
    found, pages = walk(subscriptions, subscriptions.list(maxResults=1), "subscriptions", most=60)
    holds({one["subscriptionId"] for one in made} <= {one["subscriptionId"] for one in found} and pages >= 3)
    prefix = made[0]["customerDomain"].split(".")[0] + "."
    (found,) = subscriptions.list(customerNamePrefix=prefix).execute()["subscriptions"]
    same(found["customerId"], made[0]["customerId"])


@judge("reseller: notifications name the service accounts that were registered")
def _():
    notify = reseller().resellernotify()
    mail = "%s@sub.example.org" % fresh("robot")
    topic = notify.register(serviceAccountEmailAddress=mail).execute()["topicName"]
    got = notify.getwatchdetails().execute()
    holds(mail in got["serviceAccountEmailAddresses"] and got["topicName"] == topic, got)
    notify.unregister(serviceAccountEmailAddress=mail).execute()
    holds(mail not in notify.getwatchdetails().execute().get("serviceAccountEmailAddresses", []))


@judge("reseller: an unknown product and an unknown customer are refused")
def _():
    customer = make_customer()
    try:
        subscribe(customer, skuId="no-such-sku")
        raise AssertionError("not refused")
    except HttpError as error:
        same(error.resp.status, 400)
    same(refusal(reseller().customers().get(customerId="nobody.%s" % DOMAIN)).status, 404)
