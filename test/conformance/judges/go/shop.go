package main

import "google.golang.org/api/reseller/v1"

const sku = "Google-Apps-Unlimited"

func makeCustomer() *reseller.Customer {
	return must(shop.Customers.Insert(&reseller.Customer{
		CustomerDomain: fresh("shop") + ".example.org",
		AlternateEmail: "ada@example.net",
		PhoneNumber:    "+16505550100",
		PostalAddress:  &reseller.Address{ContactName: "Ada", OrganizationName: "Crew", CountryCode: "US", PostalCode: "94043", Region: "CA", Locality: "Mountain View"},
	}).Do())
}

func subscribe(plan string) *reseller.Subscription {
	id := makeCustomer().CustomerId
	seats := &reseller.Seats{MaximumNumberOfSeats: 10}
	if plan == "ANNUAL_MONTHLY_PAY" {
		seats = &reseller.Seats{NumberOfSeats: 10}
	}
	return must(shop.Subscriptions.Insert(id, &reseller.Subscription{
		CustomerId: id, SkuId: sku, Plan: &reseller.SubscriptionPlan{PlanName: plan}, Seats: seats,
		RenewalSettings: &reseller.RenewalSettings{RenewalType: "AUTO_RENEW_MONTHLY_PAY"},
	}).Do())
}

func readSubscription(of *reseller.Subscription) *reseller.Subscription {
	return must(shop.Subscriptions.Get(of.CustomerId, of.SubscriptionId).Do())
}

func init() {
	judge("reseller: a customer is found by id and by domain, and patched", func() {
		made := makeCustomer()
		must(shop.Customers.Patch(made.CustomerId, &reseller.Customer{AlternateEmail: "eve@example.net"}).Do())
		got := must(shop.Customers.Get(made.CustomerDomain).Do())
		same([]string{got.CustomerId, got.AlternateEmail, got.PostalAddress.Locality}, []string{made.CustomerId, "eve@example.net", "Mountain View"})
	})

	judge("reseller: an annual plan is answered as ANNUAL with whole numbers for its times", func() {
		got := readSubscription(subscribe("ANNUAL_MONTHLY_PAY"))
		same([]any{got.Plan.PlanName, got.Plan.IsCommitmentPlan, got.Seats.NumberOfSeats, got.Status}, []any{"ANNUAL", true, int64(10), "ACTIVE"})
		days := (got.Plan.CommitmentInterval.EndTime - got.Plan.CommitmentInterval.StartTime) / 86_400_000
		holds(days >= 364 && days <= 367, days)
		holds(got.CreationTime > 1_500_000_000_000, got.CreationTime)
	})

	judge("reseller: seats change", func() {
		made := subscribe("FLEXIBLE")
		must(shop.Subscriptions.ChangeSeats(made.CustomerId, made.SubscriptionId, &reseller.Seats{MaximumNumberOfSeats: 30}).Do())
		same(readSubscription(made).Seats.MaximumNumberOfSeats, int64(30))
	})

	judge("reseller: a plan changes, under the id that the answer says", func() {
		made := subscribe("FLEXIBLE")
		changed := must(shop.Subscriptions.ChangePlan(made.CustomerId, made.SubscriptionId, &reseller.ChangePlanRequest{
			PlanName: "ANNUAL_MONTHLY_PAY", Seats: &reseller.Seats{NumberOfSeats: 10}, PurchaseOrderId: "po-2",
		}).Do())
		got := readSubscription(changed)
		same([]string{got.Plan.PlanName, got.PurchaseOrderId}, []string{"ANNUAL", "po-2"})
	})

	judge("reseller: renewal settings change", func() {
		made := subscribe("ANNUAL_MONTHLY_PAY")
		must(shop.Subscriptions.ChangeRenewalSettings(made.CustomerId, made.SubscriptionId, &reseller.RenewalSettings{RenewalType: "CANCEL"}).Do())
		same(readSubscription(made).RenewalSettings.RenewalType, "CANCEL")
	})

	judge("reseller: suspended, activated, cancelled", func() {
		made := subscribe("FLEXIBLE")
		must(shop.Subscriptions.Suspend(made.CustomerId, made.SubscriptionId).Do())
		got := readSubscription(made)
		same([]any{got.Status, got.SuspensionReasons}, []any{"SUSPENDED", []string{"RESELLER_INITIATED"}})
		must(shop.Subscriptions.Activate(made.CustomerId, made.SubscriptionId).Do())
		same(readSubscription(made).Status, "ACTIVE")
		done(shop.Subscriptions.Delete(made.CustomerId, made.SubscriptionId, "cancel").Do())
		for _, one := range must(shop.Subscriptions.List().CustomerId(made.CustomerId).Do()).Subscriptions {
			holds(one.Status != "ACTIVE", one.Status)
		}
	})

	judge("reseller: Pages walks subscriptions", func() {
		wanted := map[string]bool{}
		for range []int{1, 2, 3} {
			wanted[subscribe("FLEXIBLE").SubscriptionId] = true
		}
		found, pages := 0, 0
		done(shop.Subscriptions.List().MaxResults(2).Pages(ctx, func(page *reseller.Subscriptions) error {
			pages++
			for _, one := range page.Subscriptions {
				if wanted[one.SubscriptionId] {
					found++
				}
			}
			return nil
		}))
		same(found, 3)
		holds(pages > 1, pages)
	})

	judge("reseller: watch details name the accounts that are registered", func() {
		mail := fresh("robot") + "@sub.example.org"
		topic := must(shop.Resellernotify.Register().ServiceAccountEmailAddress(mail).Do()).TopicName
		got := must(shop.Resellernotify.Getwatchdetails().Do())
		same(got.TopicName, topic)
		holds(contains(got.ServiceAccountEmailAddresses, mail), got.ServiceAccountEmailAddresses)
		must(shop.Resellernotify.Unregister().ServiceAccountEmailAddress(mail).Do())
		holds(!contains(must(shop.Resellernotify.Getwatchdetails().Do()).ServiceAccountEmailAddresses, mail))
	})

	judge("reseller: a customer that is not there and one that is there are refused", func() {
		same(refusal(second(shop.Customers.Get(fresh("nobody")+".example.org").Do())).Code, 404)
		made := makeCustomer()
		again := &reseller.Customer{CustomerDomain: made.CustomerDomain, AlternateEmail: made.AlternateEmail, PostalAddress: made.PostalAddress}
		same(refusal(second(shop.Customers.Insert(again).Do())).Code, 409)
	})
}

func contains(list []string, wanted string) bool {
	for _, one := range list {
		if one == wanted {
			return true
		}
	}
	return false
}
