package main

import (
	"context"
	"os"
	"strings"
	"time"

	"golang.org/x/oauth2/google"
	admin "google.golang.org/api/admin/directory/v1"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"
)

func init() {
	judge("etag: IfNoneMatch of what was read is IsNotModified, until it changes", func() {
		group := makeGroup()
		read := must(directory.Groups.Get(group.Id).Do())
		_, err := directory.Groups.Get(group.Id).IfNoneMatch(read.Etag).Do()
		holds(googleapi.IsNotModified(err), err)
		must(directory.Groups.Patch(group.Id, &admin.Group{Description: "x"}).Do())
		same(must(directory.Groups.Get(group.Id).IfNoneMatch(read.Etag).Do()).Description, "x")
	})

	judge("etag: If-Match of an old version is 412 and changes nothing", func() {
		group := makeGroup()
		old := must(directory.Groups.Get(group.Id).Do()).Etag
		must(directory.Groups.Patch(group.Id, &admin.Group{Description: "theirs"}).Do())
		late := directory.Groups.Patch(group.Id, &admin.Group{Description: "mine"})
		late.Header().Set("If-Match", old)
		same(refusal(second(late.Do())).Code, 412)
		same(must(directory.Groups.Get(group.Id).Do()).Description, "theirs")
	})

	judge("etag: the etag of a body that is old is 412 too", func() {
		user := makeUser(nil)
		old := readUser(user.Id)
		must(directory.Users.Patch(user.Id, &admin.User{Name: &admin.UserName{GivenName: "Theirs"}}).Do())
		_, err := directory.Users.Patch(user.Id, &admin.User{Etag: old.Etag, Name: &admin.UserName{GivenName: "Mine"}}).Do()
		same(refusal(err).Code, 412)
		same(readUser(user.Id).Name.GivenName, "Theirs")
	})

	judge("fields: an answer has what was asked for", func() {
		user := makeUser(nil)
		got := must(directory.Users.Get(user.Id).Fields("primaryEmail", "name(givenName)").Do())
		same([]any{got.PrimaryEmail, got.Name.GivenName, got.Name.FamilyName, got.Id, got.Kind}, []any{user.PrimaryEmail, "Grace", "", "", ""})
	})

	judge("fields: of lists, with the token of the next page", func() {
		family := fresh("Partial")
		for n := 0; n < 3; n++ {
			makeUser(func(user *admin.User) { user.Name.FamilyName = family })
		}
		found := 0
		list := directory.Users.List().Customer(customer).Query("familyName="+family).MaxResults(1).Fields("nextPageToken", "users/id")
		done(list.Pages(ctx, func(page *admin.Users) error {
			for _, one := range page.Users {
				holds(one.Id != "" && one.PrimaryEmail == "", one)
				found++
			}
			return nil
		}))
		same(found, 3)
	})

	judge("fields: a selection that cannot be is 400", func() {
		user := makeUser(nil)
		same(refusal(second(directory.Users.Get(user.Id).Fields("nonsense").Do())).Code, 400)
	})

	judge("parameters: QuotaUser and Trace of a call are taken", func() {
		user := makeUser(nil)
		got := must(directory.Users.Get(user.Id).Do(googleapi.QuotaUser("me"), googleapi.Trace("abc")))
		same(got.Id, user.Id)
	})

	judge("retry: a fault is an Error with its code, reason and message", func() {
		user := makeUser(nil)
		fail(object{"method": "directory.users.get", "status": 503, "retryAfterS": 7, "times": 1})
		refused := refusal(second(directory.Users.Get(user.Id).Do()))
		same([]any{refused.Code, refused.Errors[0].Reason, refused.Message}, []any{503, "backendError", "Service Unavailable"})
		same(readUser(user.Id).Id, user.Id)
	})

	judge("retry: the end of a context ends a slow call, and the next one works", func() {
		user := makeUser(nil)
		fail(object{"method": "directory.users.get", "latencyMs": 3000, "times": 1})
		hurried, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
		defer cancel()
		_, err := directory.Users.Get(user.Id).Context(hurried).Do()
		same(err != nil && hurried.Err() == context.DeadlineExceeded, true)
		same(readUser(user.Id).Id, user.Id)
	})

	judge("errors: the items of an error have domain, reason and message", func() {
		_, err := directory.Users.Insert(&admin.User{PrimaryEmail: "no address"}).Do()
		refused := refusal(err)
		same(refused.Code, 400)
		holds(len(refused.Errors) > 0 && refused.Errors[0].Reason != "" && refused.Body != "", refused)
	})

	judge("errors: without a token 401", func() {
		bare := must(admin.NewService(ctx, option.WithEndpoint(url), option.WithoutAuthentication()))
		same(refusal(second(bare.Users.List().Customer("my_customer").Do())).Code, 401)
	})

	judge("keys: WithCredentialsFile takes the key file as it is", func() {
		user := makeUser(nil)
		scopes := option.WithScopes(admin.AdminDirectoryUserScope)
		signed := must(admin.NewService(ctx, option.WithEndpoint(url), option.WithCredentialsFile(keyFile), scopes))
		same(must(signed.Users.Get(user.Id).Do()).Id, user.Id)
	})

	judge("keys: a token of few scopes is refused what it may not", func() {
		group := makeGroup()
		config := must(google.JWTConfigFromJSON(must(os.ReadFile(keyFile)), admin.AdminDirectoryGroupReadonlyScope))
		narrow := must(admin.NewService(ctx, option.WithEndpoint(url), option.WithTokenSource(config.TokenSource(ctx))))
		same(must(narrow.Groups.Get(group.Id).Do()).Id, group.Id)
		same(refusal(narrow.Groups.Delete(group.Id).Do()).Code, 403)
		same(must(directory.Groups.Get(group.Id).Do()).Id, group.Id)
	})

	judge("keys: Subject acts for a user that the account may act for, and for nobody else", func() {
		user := makeUser(nil)
		config := must(google.JWTConfigFromJSON(must(os.ReadFile(keyFile)), admin.AdminDirectoryUserScope))
		config.Subject = "admin@" + domain
		acting := must(admin.NewService(ctx, option.WithEndpoint(url), option.WithTokenSource(config.TokenSource(ctx))))
		must(acting.Users.Patch(user.Id, &admin.User{Suspended: true}).Do())
		same(readUser(user.Id).Suspended, true)
		config.Subject = "nobody@" + domain
		_, err := config.TokenSource(ctx).Token()
		holds(err != nil && strings.Contains(err.Error(), "unauthorized_client"), err)
	})
}
