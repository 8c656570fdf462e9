package main

import (
	"strings"

	admob "google.golang.org/api/admob/v1beta"
)

var publisher = "accounts/pub-7" + strings.Repeat("0", 15-len(number)) + number

// manual makes an app and an ad unit by the emulator: this client has no method for it.
func manual(name string) {
	seed("admob.accounts.apps.create", object{"parent": publisher}, object{"platform": "IOS", "manualAppInfo": object{"displayName": name}})
}

func findApp(name string) *admob.App {
	var found *admob.App
	done(ads.Accounts.Apps.List(publisher).PageSize(1).Pages(ctx, func(page *admob.ListAppsResponse) error {
		for _, one := range page.Apps {
			if one.ManualAppInfo != nil && one.ManualAppInfo.DisplayName == name {
				found = one
			}
		}
		return nil
	}))
	holds(found != nil, name)
	return found
}

func init() {
	judge("admob: an account is read and listed", func() {
		got := must(ads.Accounts.Get(publisher).Do())
		same("accounts/"+got.PublisherId, publisher)
		holds(got.CurrencyCode != "" && got.ReportingTimeZone != "", got)
		found := false
		done(ads.Accounts.List().PageSize(1).Pages(ctx, func(page *admob.ListPublisherAccountsResponse) error {
			for _, one := range page.Account {
				found = found || one.Name == publisher
			}
			return nil
		}))
		holds(found)
	})

	judge("admob: apps are walked by Pages", func() {
		first, other := fresh("App"), fresh("App")
		manual(first)
		manual(other)
		same(findApp(first).Platform, "IOS")
		holds(findApp(other).AppId != findApp(first).AppId)
	})

	judge("admob: ad units of an app are listed with their format and types", func() {
		name := fresh("App")
		manual(name)
		app := findApp(name)
		unit := object{"appId": app.AppId, "displayName": name, "adFormat": "REWARDED", "adTypes": []string{"RICH_MEDIA", "VIDEO"}}
		seed("admob.accounts.adUnits.create", object{"parent": publisher}, unit)
		var found *admob.AdUnit
		done(ads.Accounts.AdUnits.List(publisher).PageSize(2).Pages(ctx, func(page *admob.ListAdUnitsResponse) error {
			for _, one := range page.AdUnits {
				if one.DisplayName == name {
					found = one
				}
			}
			return nil
		}))
		holds(found != nil)
		same([]any{found.AppId, found.AdFormat, found.AdTypes}, []any{app.AppId, "REWARDED", []string{"RICH_MEDIA", "VIDEO"}})
	})

	judge("admob: a network report is generated", func() {
		day := &admob.Date{Year: 2026, Month: 1, Day: 1}
		report := &admob.GenerateNetworkReportRequest{ReportSpec: &admob.NetworkReportSpec{DateRange: &admob.DateRange{StartDate: day, EndDate: day}, Metrics: []string{"CLICKS"}, Dimensions: []string{"DATE"}}}
		holds(must(ads.Accounts.NetworkReport.Generate(publisher, report).Do()).Header != nil)
	})

	judge("admob: an account of nobody is refused", func() {
		same(refusal(second(ads.Accounts.Get("accounts/not-a-publisher").Do())).Code, 400)
	})
}
