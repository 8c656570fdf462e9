package main

import (
	"encoding/json"
	"strconv"

	crm "google.golang.org/api/cloudresourcemanager/v3"
)

// number is of this tenant alone, as an organization or a project has one.
var number = strconv.FormatUint(must(strconv.ParseUint(customer[1:], 16, 64))+100_000_000_000, 10)

var organization = "organizations/" + number

// finished reads what an operation that is done has made.
func finished[T any](operation *crm.Operation) T {
	holds(operation.Done && operation.Error == nil, operation)
	var made T
	done(json.Unmarshal(operation.Response, &made))
	return made
}

func makeKey() crm.TagKey {
	return finished[crm.TagKey](must(tags.TagKeys.Create(&crm.TagKey{Parent: organization, ShortName: fresh("key"), Description: "d"}).Do()))
}

func makeValue(key crm.TagKey) crm.TagValue {
	return finished[crm.TagValue](must(tags.TagValues.Create(&crm.TagValue{Parent: key.Name, ShortName: fresh("value")}).Do()))
}

func init() {
	judge("tags: a key is made, read, changed and listed", func() {
		key := makeKey()
		must(tags.TagKeys.Patch(key.Name, &crm.TagKey{Description: "e"}).UpdateMask("description").Do())
		got := must(tags.TagKeys.Get(key.Name).Do())
		same([]string{got.Description, got.ShortName, got.NamespacedName}, []string{"e", key.ShortName, number + "/" + key.ShortName})
		found := false
		done(tags.TagKeys.List().Parent(organization).PageSize(2).Pages(ctx, func(page *crm.ListTagKeysResponse) error {
			for _, one := range page.TagKeys {
				found = found || one.Name == key.Name
			}
			return nil
		}))
		holds(found)
	})

	judge("tags: an operation is read again", func() {
		operation := must(tags.TagKeys.Create(&crm.TagKey{Parent: organization, ShortName: fresh("key")}).Do())
		again := must(tags.Operations.Get(operation.Name).Do())
		same([]any{again.Done, finished[crm.TagKey](again).Name}, []any{true, finished[crm.TagKey](operation).Name})
	})

	judge("tags: a value stands under its key, and goes", func() {
		key := makeKey()
		value := makeValue(key)
		listed := must(tags.TagValues.List().Parent(key.Name).Do()).TagValues
		same([]any{len(listed), listed[0].Name}, []any{1, value.Name})
		holds(must(tags.TagValues.Delete(value.Name).Do()).Done)
		same(len(must(tags.TagValues.List().Parent(key.Name).Do()).TagValues), 0)
	})

	judge("tags: a bound value stays", func() {
		value := makeValue(makeKey())
		on := "//cloudresourcemanager.googleapis.com/projects/" + fresh("bound") + "-" + number
		binding := finished[crm.TagBinding](must(tags.TagBindings.Create(&crm.TagBinding{Parent: on, TagValue: value.Name}).Do()))
		same(refusal(second(tags.TagValues.Delete(value.Name).Do())).Code, 400)
		same(must(tags.TagBindings.List().Parent(on).Do()).TagBindings[0].TagValue, value.Name)
		must(tags.TagBindings.Delete(binding.Name).Do())
		holds(must(tags.TagValues.Delete(value.Name).Do()).Done)
	})

	judge("tags: another etag is 409, ValidateOnly changes nothing", func() {
		value := makeValue(makeKey())
		must(tags.TagValues.Delete(value.Name).ValidateOnly(true).Do())
		got := must(tags.TagValues.Get(value.Name).Do())
		same(refusal(second(tags.TagValues.Delete(value.Name).Etag("bm8=").Do())).Code, 409)
		holds(must(tags.TagValues.Delete(value.Name).Etag(got.Etag).Do()).Done)
		same(refusal(second(tags.TagValues.Get(value.Name).Do())).Code, 403)
	})

	judge("tags: a key with values is kept", func() {
		key := makeKey()
		makeValue(key)
		same(refusal(second(tags.TagKeys.Delete(key.Name).Do())).Code, 400)
		same(must(tags.TagKeys.Get(key.Name).Do()).Name, key.Name)
	})
}
