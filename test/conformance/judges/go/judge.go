// Package main runs every case of the Go client (golang-google-api-dev) and prints one line of JSON for each:
// {"name", "ok", "detail"}. A case calls the official client and reads the effect back by another call.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"runtime"
	"strings"

	"golang.org/x/oauth2"
	admin "google.golang.org/api/admin/directory/v1"
	admob "google.golang.org/api/admob/v1beta"
	crm "google.golang.org/api/cloudresourcemanager/v3"
	tracev1 "google.golang.org/api/cloudtrace/v1"
	tracev2 "google.golang.org/api/cloudtrace/v2"
	tracesinks "google.golang.org/api/cloudtrace/v2beta1"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/logging/v2"
	"google.golang.org/api/option"
	"google.golang.org/api/reseller/v1"
)

var (
	url      = os.Getenv("JUDGE_URL")
	token    = os.Getenv("JUDGE_TOKEN")
	customer = os.Getenv("JUDGE_CUSTOMER")
	domain   = os.Getenv("JUDGE_DOMAIN")
	keyFile  = os.Getenv("JUDGE_KEY_FILE")
	ctx      = context.Background()

	made  int
	cases []func() (string, func())

	directory  *admin.Service
	shop       *reseller.Service
	logs       *logging.Service
	traces     *tracev2.Service
	oldTraces  *tracev1.Service
	traceSinks *tracesinks.Service
	tags       *crm.Service
	ads        *admob.Service
)

func judge(name string, run func()) {
	cases = append(cases, func() (string, func()) { return name, run })
}

func main() {
	at := []option.ClientOption{
		option.WithEndpoint(url),
		option.WithTokenSource(oauth2.StaticTokenSource(&oauth2.Token{AccessToken: token})),
	}
	directory = must(admin.NewService(ctx, at...))
	shop = must(reseller.NewService(ctx, at...))
	logs = must(logging.NewService(ctx, at...))
	traces = must(tracev2.NewService(ctx, at...))
	oldTraces = must(tracev1.NewService(ctx, at...))
	traceSinks = must(tracesinks.NewService(ctx, at...))
	tags = must(crm.NewService(ctx, at...))
	ads = must(admob.NewService(ctx, at...))
	lines := json.NewEncoder(os.Stdout)
	for _, one := range cases {
		name, run := one()
		detail := failure(run)
		lines.Encode(map[string]any{"name": name, "ok": detail == "", "detail": detail})
	}
}

// failure runs a case. It says what went wrong, or nothing.
func failure(run func()) (detail string) {
	defer func() {
		if problem := recover(); problem != nil {
			detail = fmt.Sprint(problem)
			if len(detail) > 1000 {
				detail = detail[:1000]
			}
		}
	}()
	run()
	return ""
}

// place is where the case that calls a helper calls it.
func place() string {
	for depth := 2; depth < 12; depth++ {
		if _, file, line, ok := runtime.Caller(depth); ok && !strings.HasSuffix(file, "/judge.go") {
			return fmt.Sprintf(" (%s:%d)", file[strings.LastIndex(file, "/")+1:], line)
		}
	}
	return ""
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err.Error() + place())
	}
	return value
}

func done(err error) {
	if err != nil {
		panic(err.Error() + place())
	}
}

func same(actual, expected any) {
	if !reflect.DeepEqual(actual, expected) {
		panic(fmt.Sprintf("%#v, expected %#v%s", actual, expected, place()))
	}
}

func holds(condition bool, said ...any) {
	if !condition {
		panic(fmt.Sprintf("does not hold: %v%s", said, place()))
	}
}

// refusal is the error that a call must end in, as its documentation says to inspect it.
func refusal(err error) *googleapi.Error {
	var refused *googleapi.Error
	if !errors.As(err, &refused) {
		panic(fmt.Sprintf("not refused: %v%s", err, place()))
	}
	return refused
}

func fresh(word string) string {
	made++
	return fmt.Sprintf("%s-go%d", word, made)
}

func address(word string) string { return fresh(word) + "@" + domain }

// emulate calls the emulator's own controls, which no client of the vendor knows.
func emulate(path string, body any) map[string]any {
	request := must(http.NewRequest("POST", url+path, bytes.NewReader(must(json.Marshal(body)))))
	request.Header.Set("authorization", "Bearer "+token)
	request.Header.Set("content-type", "application/json")
	answer := must(http.DefaultClient.Do(request))
	defer answer.Body.Close()
	var read map[string]any
	done(json.NewDecoder(answer.Body).Decode(&read))
	holds(answer.StatusCode < 300, read)
	return read
}

type object = map[string]any

func seed(method string, params, body object) {
	calls := []object{{"method": method, "params": params, "body": body}}
	for _, one := range emulate("/v1/tenants/"+customer+":seed", object{"calls": calls})["calls"].([]any) {
		holds(one.(object)["ok"] == true, one)
	}
}

func fail(fault object) { emulate("/v1/faults", fault) }

func makeUser(change func(*admin.User)) *admin.User {
	user := &admin.User{
		PrimaryEmail: address("user"),
		Name:         &admin.UserName{GivenName: "Grace", FamilyName: "Hopper"},
		Password:     "correct horse battery",
	}
	if change != nil {
		change(user)
	}
	return must(directory.Users.Insert(user).Do())
}

func readUser(key string) *admin.User { return must(directory.Users.Get(key).Do()) }

func makeGroup() *admin.Group {
	return must(directory.Groups.Insert(&admin.Group{Email: address("group"), Name: "Crew", Description: "All hands"}).Do())
}
