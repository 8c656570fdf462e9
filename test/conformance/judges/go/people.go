package main

import (
	"encoding/base64"
	"encoding/json"

	admin "google.golang.org/api/admin/directory/v1"
	"google.golang.org/api/googleapi"
)

func init() {
	judge("directory: a new user is found by address, by id and by alias", func() {
		user, alias := makeUser(nil), address("alias")
		must(directory.Users.Aliases.Insert(user.Id, &admin.Alias{Alias: alias}).Do())
		for _, key := range []string{user.PrimaryEmail, user.Id, alias} {
			same(readUser(key).Id, user.Id)
		}
	})

	judge("directory: the answer has the status of the server and its headers", func() {
		user := makeUser(nil)
		same(readUser(user.Id).ServerResponse.HTTPStatusCode, 200)
		holds(readUser(user.Id).ServerResponse.Header.Get("content-type") != "")
	})

	judge("directory: users.update keeps what is left out", func() {
		user := makeUser(func(user *admin.User) {
			user.Phones = []admin.UserPhone{{Type: "work", Value: "+1 555"}}
			user.RecoveryEmail = "grace@example.org"
		})
		must(directory.Users.Update(user.Id, &admin.User{Name: &admin.UserName{FamilyName: "Murray"}}).Do())
		got := readUser(user.Id)
		same([]string{got.Name.GivenName, got.Name.FamilyName, got.RecoveryEmail}, []string{"Grace", "Murray", "grace@example.org"})
		same(len(got.Phones.([]any)), 1)
	})

	judge("directory: NullFields of a patch clears, ForceSendFields sends false", func() {
		user := makeUser(func(user *admin.User) {
			user.Phones = []admin.UserPhone{{Type: "work", Value: "1"}}
			user.Suspended = true
		})
		same(readUser(user.Id).Suspended, true)
		must(directory.Users.Patch(user.Id, &admin.User{NullFields: []string{"Phones"}, ForceSendFields: []string{"Suspended"}}).Do())
		got := readUser(user.Id)
		same(got.Phones, nil)
		same(got.Suspended, false)
	})

	judge("directory: a list in a patch replaces the list", func() {
		user := makeUser(func(user *admin.User) {
			user.Relations = []admin.UserRelation{{Type: "mother", Value: "A"}, {Type: "friend", Value: "B"}}
		})
		must(directory.Users.Patch(user.Id, &admin.User{Relations: []admin.UserRelation{{Type: "friend", Value: "C"}}}).Do())
		same(readUser(user.Id).Relations, []any{object{"type": "friend", "value": "C"}})
	})

	judge("directory: Pages walks users in order", func() {
		family := fresh("Paged")
		for _, given := range []string{"D", "A", "E", "C", "B"} {
			makeUser(func(user *admin.User) { user.Name = &admin.UserName{GivenName: given, FamilyName: family} })
		}
		found, pages := "", 0
		list := directory.Users.List().Customer("my_customer").Query("familyName=" + family).OrderBy("givenName").MaxResults(2)
		done(list.Pages(ctx, func(page *admin.Users) error {
			pages++
			for _, user := range page.Users {
				found += user.Name.GivenName
			}
			return nil
		}))
		same(found, "ABCDE")
		same(pages, 3)
	})

	judge("directory: a user is deleted, listed by ShowDeleted and brought back", func() {
		user, living := makeUser(nil), makeUser(nil)
		done(directory.Users.Delete(user.Id).Do())
		same(refusal(second(directory.Users.Get(user.Id).Do())).Code, 404)
		ids := map[string]bool{}
		done(directory.Users.List().Customer("my_customer").ShowDeleted("true").Pages(ctx, func(page *admin.Users) error {
			for _, one := range page.Users {
				ids[one.Id] = one.DeletionTime != ""
			}
			return nil
		}))
		same([]bool{ids[user.Id], ids[living.Id]}, []bool{true, false})
		done(directory.Users.Undelete(user.Id, &admin.UserUndelete{OrgUnitPath: "/"}).Do())
		same(readUser(user.PrimaryEmail).Id, user.Id)
	})

	judge("directory: ShowDeleted that is no truth value is refused", func() {
		_, err := directory.Users.List().Customer("my_customer").ShowDeleted("bogus").Do()
		same(refusal(err).Code, 400)
	})

	judge("directory: makeAdmin gives and takes the right", func() {
		user := makeUser(nil)
		done(directory.Users.MakeAdmin(user.Id, &admin.UserMakeAdmin{Status: true}).Do())
		same(readUser(user.Id).IsAdmin, true)
		done(directory.Users.MakeAdmin(user.Id, &admin.UserMakeAdmin{ForceSendFields: []string{"Status"}}).Do())
		same(readUser(user.Id).IsAdmin, false)
	})

	judge("directory: users are found by prefix, by part and by a boolean", func() {
		word := "Zed" + fresh("x")[2:]
		user := makeUser(func(user *admin.User) {
			user.Name.GivenName = word + "tail"
			user.Suspended = true
		})
		for _, query := range []string{"givenName:" + word + "*", "givenName:" + word + "* isSuspended=true", "email:" + user.PrimaryEmail} {
			found := must(directory.Users.List().Domain(domain).Query(query).Do())
			same(len(found.Users), 1)
			same(found.Users[0].Id, user.Id)
		}
		same(len(must(directory.Users.List().Domain(domain).Query("givenName:"+word+"* isSuspended=false").Do()).Users), 0)
	})

	judge("directory: an alias is listed and gone after delete", func() {
		user, alias := makeUser(nil), address("alias")
		must(directory.Users.Aliases.Insert(user.Id, &admin.Alias{Alias: alias}).Do())
		listed := must(directory.Users.Aliases.List(user.Id).Do()).Aliases
		same(listed[0].(object)["alias"], any(alias))
		done(directory.Users.Aliases.Delete(user.Id, alias).Do())
		same(readUser(user.Id).Aliases, []string(nil))
	})

	judge("directory: a photo comes back as its bytes by Go's own decoder", func() {
		user, picture := makeUser(nil), pixel()
		must(directory.Users.Photos.Update(user.Id, &admin.UserPhoto{PhotoData: base64.URLEncoding.EncodeToString(picture)}).Do())
		got := must(directory.Users.Photos.Get(user.Id).Do())
		same(must(base64.URLEncoding.DecodeString(got.PhotoData)), picture)
		same([]int64{got.Width, got.Height}, []int64{96, 96})
		done(directory.Users.Photos.Delete(user.Id).Do())
		same(refusal(second(directory.Users.Photos.Get(user.Id).Do())).Code, 404)
	})

	judge("directory: custom fields are kept with their types", func() {
		name := "Job" + fresh("x")[2:]
		fields := []*admin.SchemaFieldSpec{
			{FieldName: "title", DisplayName: "title", FieldType: "STRING"},
			{FieldName: "share", DisplayName: "share", FieldType: "DOUBLE", NumericIndexingSpec: &admin.SchemaFieldSpecNumericIndexingSpec{MinValue: 0.5, MaxValue: 1.5}},
			{FieldName: "many", DisplayName: "many", FieldType: "STRING", MultiValued: true},
		}
		schema := must(directory.Schemas.Insert("my_customer", &admin.Schema{SchemaName: name, DisplayName: name, Fields: fields}).Do())
		read := must(directory.Schemas.Get("my_customer", schema.SchemaId).Do())
		same(*read.Fields[1].NumericIndexingSpec, admin.SchemaFieldSpecNumericIndexingSpec{MinValue: 0.5, MaxValue: 1.5})
		values := `{"title":"Admiral","share":0.75,"many":[{"value":"a"},{"value":"b","type":"work"}]}`
		user := makeUser(func(user *admin.User) {
			user.CustomSchemas = map[string]googleapi.RawMessage{name: googleapi.RawMessage(values)}
		})
		got := must(directory.Users.Get(user.Id).Projection("custom").CustomFieldMask(name).Do())
		var actual, expected object
		done(json.Unmarshal(got.CustomSchemas[name], &actual))
		done(json.Unmarshal([]byte(values), &expected))
		same(actual["title"], expected["title"])
		same(actual["share"], expected["share"])
		same(len(actual["many"].([]any)), 2)
		done(directory.Schemas.Delete("my_customer", name).Do())
	})

	judge("directory: groups.update of the address keeps name and description", func() {
		group, email := makeGroup(), address("renamed")
		must(directory.Groups.Update(group.Id, &admin.Group{Email: email}).Do())
		got := must(directory.Groups.Get(email).Do())
		same([]string{got.Id, got.Name, got.Description}, []string{group.Id, "Crew", "All hands"})
	})

	judge("directory: groups.patch clears a description that is sent empty", func() {
		group := makeGroup()
		must(directory.Groups.Patch(group.Id, &admin.Group{ForceSendFields: []string{"Description"}}).Do())
		got := must(directory.Groups.Get(group.Id).Do())
		same([]string{got.Name, got.Description}, []string{"Crew", ""})
	})

	judge("directory: a group counts its members as a whole number and is found by one", func() {
		user, group := makeUser(nil), makeGroup()
		must(directory.Members.Insert(group.Id, &admin.Member{Email: user.PrimaryEmail, Role: "MEMBER"}).Do())
		found := must(directory.Groups.List().UserKey(user.Id).Do()).Groups
		same([]any{len(found), found[0].Id, found[0].DirectMembersCount}, []any{1, group.Id, int64(1)})
	})

	judge("directory: groups are sorted by address, and walked by Pages", func() {
		word := fresh("sorted")
		for _, name := range []string{"c", "a", "b"} {
			must(directory.Groups.Insert(&admin.Group{Email: word + name + "@" + domain, Name: name}).Do())
		}
		found := ""
		list := directory.Groups.List().Customer("my_customer").Query("email:" + word + "*").OrderBy("email").SortOrder("DESCENDING").MaxResults(2)
		done(list.Pages(ctx, func(page *admin.Groups) error {
			for _, group := range page.Groups {
				found += group.Name
			}
			return nil
		}))
		same(found, "cba")
	})

	judge("directory: a member has a role, is asked for and goes", func() {
		user, group := makeUser(nil), makeGroup()
		must(directory.Members.Insert(group.Email, &admin.Member{Id: user.Id, Role: "OWNER"}).Do())
		got := must(directory.Members.Get(group.Id, user.PrimaryEmail).Do())
		same([]string{got.Email, got.Role, got.Type, got.Status}, []string{user.PrimaryEmail, "OWNER", "USER", "ACTIVE"})
		same(must(directory.Members.HasMember(group.Id, user.Id).Do()).IsMember, true)
		done(directory.Members.Delete(group.Id, user.Id).Do())
		same(must(directory.Members.HasMember(group.Id, user.Id).Do()).IsMember, false)
	})

	judge("directory: members.update of the delivery keeps the role", func() {
		user, group := makeUser(nil), makeGroup()
		must(directory.Members.Insert(group.Id, &admin.Member{Email: user.PrimaryEmail, Role: "MANAGER"}).Do())
		must(directory.Members.Update(group.Id, user.Id, &admin.Member{DeliverySettings: "DIGEST"}).Do())
		got := must(directory.Members.Get(group.Id, user.Id).Do())
		same([]string{got.Role, got.DeliverySettings}, []string{"MANAGER", "DIGEST"})
	})

	judge("directory: members of members are listed when derived ones are asked for", func() {
		user, inner, outer := makeUser(nil), makeGroup(), makeGroup()
		must(directory.Members.Insert(inner.Id, &admin.Member{Email: user.PrimaryEmail}).Do())
		must(directory.Members.Insert(outer.Id, &admin.Member{Email: inner.Email}).Do())
		direct := must(directory.Members.List(outer.Id).Do()).Members
		same([]any{len(direct), direct[0].Type}, []any{1, "GROUP"})
		ids := map[string]bool{}
		for _, member := range must(directory.Members.List(outer.Id).IncludeDerivedMembership(true).Do()).Members {
			ids[member.Id] = true
		}
		holds(ids[user.Id], ids)
	})

	judge("directory: who is there twice, or not at all, is an Error with the vendor's reason", func() {
		user := makeUser(nil)
		twice := refusal(second(directory.Users.Insert(&admin.User{PrimaryEmail: user.PrimaryEmail, Name: user.Name, Password: "correct horse battery"}).Do()))
		same([]any{twice.Code, twice.Errors[0].Reason}, []any{409, "duplicate"})
		nobody := refusal(second(directory.Users.Get(address("nobody")).Do()))
		same([]any{nobody.Code, nobody.Errors[0].Reason, nobody.Message}, []any{404, "notFound", "Resource Not Found: userKey"})
	})
}

// second drops the answer of a call that must fail.
func second[T any](_ T, err error) error { return err }

// pixel is a PNG of one pixel with a byte or two behind it, so that its base64 needs padding.
func pixel() []byte {
	data := must(base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="))
	for len(data)%3 != 1 {
		data = append(data, 0xff)
	}
	return data
}
