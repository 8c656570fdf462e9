package main

import (
	"encoding/json"
	"sort"
	"strings"
	"time"

	"google.golang.org/api/googleapi"
	"google.golang.org/api/logging/v2"
)

var projectID = "by-go-" + strings.ToLower(customer)

var project = "projects/" + projectID

func writeTo(log string, entries ...*logging.LogEntry) {
	must(logs.Entries.Write(&logging.WriteLogEntriesRequest{
		LogName: project + "/logs/" + log, Resource: &logging.MonitoredResource{Type: "global"}, Entries: entries,
	}).Do())
}

func readBy(filter string, from ...string) []*logging.LogEntry {
	if len(from) == 0 {
		from = []string{project}
	}
	found := []*logging.LogEntry{}
	list := logs.Entries.List(&logging.ListLogEntriesRequest{ResourceNames: from, Filter: filter, PageSize: 3})
	done(list.Pages(ctx, func(page *logging.ListLogEntriesResponse) error {
		found = append(found, page.Entries...)
		return nil
	}))
	return found
}

func logOf(log string) string { return `logName="` + project + "/logs/" + log + `"` }

func textsOf(entries []*logging.LogEntry) []string {
	texts := []string{}
	for _, one := range entries {
		texts = append(texts, one.TextPayload)
	}
	sort.Strings(texts)
	return texts
}

func makeBucket() string {
	bucket := fresh("bucket")
	parent := project + "/locations/global"
	must(logs.Projects.Locations.Buckets.Create(parent, &logging.LogBucket{Description: "d"}).BucketId(bucket).Do())
	return parent + "/buckets/" + bucket
}

func init() {
	judge("logging: an entry comes back as it was written", func() {
		log := fresh("whole")
		sent := &logging.LogEntry{
			Severity: "WARNING", InsertId: "one", Labels: map[string]string{"a": "b"}, TraceSampled: true,
			Timestamp:      time.Now().UTC().Format("2006-01-02T15:04:05.000000000Z"),
			JsonPayload:    googleapi.RawMessage(`{"deep":{"er":[1,2.5,null,true]},"text":"t"}`),
			HttpRequest:    &logging.HttpRequest{RequestMethod: "GET", Status: 200, ResponseSize: 9007199254740993, CacheHit: true},
			SourceLocation: &logging.LogEntrySourceLocation{File: "a.go", Line: 42, Function: "f"},
			Operation:      &logging.LogEntryOperation{Id: "op", First: true},
		}
		writeTo(log, sent)
		found := readBy(logOf(log))
		same(len(found), 1)
		got := found[0]
		same([]any{got.Severity, got.InsertId, got.Timestamp, got.TraceSampled}, []any{"WARNING", "one", sent.Timestamp, true})
		same(*got.HttpRequest, *sent.HttpRequest)
		same(*got.SourceLocation, *sent.SourceLocation)
		same(*got.Operation, *sent.Operation)
		var actual, expected any
		done(json.Unmarshal(got.JsonPayload, &actual))
		done(json.Unmarshal(sent.JsonPayload, &expected))
		same(actual, expected)
	})

	judge("logging: the resource gets its project_id", func() {
		log := fresh("labelled")
		writeTo(log, &logging.LogEntry{TextPayload: "x"})
		same(readBy(logOf(log))[0].Resource.Labels, map[string]string{"project_id": projectID})
		same(len(readBy(logOf(log)+` resource.labels.project_id="`+projectID+`"`)), 1)
	})

	judge("logging: Pages walks entries in both orders", func() {
		log := fresh("paged")
		start := time.Now().Add(-time.Minute)
		for n, text := range []string{"a", "b", "c", "d", "e"} {
			writeTo(log, &logging.LogEntry{TextPayload: text, Timestamp: start.Add(time.Duration(n) * time.Second).Format(time.RFC3339Nano)})
		}
		for order, expected := range map[string]string{"timestamp asc": "abcde", "timestamp desc": "edcba"} {
			found := ""
			list := logs.Entries.List(&logging.ListLogEntriesRequest{ResourceNames: []string{project}, Filter: logOf(log), OrderBy: order, PageSize: 2})
			done(list.Pages(ctx, func(page *logging.ListLogEntriesResponse) error {
				for _, one := range page.Entries {
					found += one.TextPayload
				}
				return nil
			}))
			same(found, expected)
		}
	})

	judge("logging: severities compare by rank and texts by part", func() {
		log := fresh("ranks")
		writeTo(log, &logging.LogEntry{Severity: "INFO", TextPayload: "i"}, &logging.LogEntry{Severity: "ERROR", TextPayload: "e"}, &logging.LogEntry{Severity: "ALERT", TextPayload: "alarm"})
		same(textsOf(readBy(logOf(log)+" severity>=ERROR")), []string{"alarm", "e"})
		same(textsOf(readBy(logOf(log)+" textPayload:LAR")), []string{"alarm"})
		same(textsOf(readBy(logOf(log)+` textPayload=~"^[ei]$" AND NOT severity=INFO`)), []string{"e"})
	})

	judge("logging: partialSuccess keeps the good entries", func() {
		log := fresh("partial")
		_, err := logs.Entries.Write(&logging.WriteLogEntriesRequest{
			LogName: project + "/logs/" + log, Resource: &logging.MonitoredResource{Type: "global"}, PartialSuccess: true,
			Entries: []*logging.LogEntry{{TextPayload: "good"}, {TextPayload: "bad", LogName: "no/such/name"}},
		}).Do()
		same(refusal(err).Code, 400)
		same(textsOf(readBy(logOf(log))), []string{"good"})
	})

	judge("logging: a filter that is none is a 400 with a message", func() {
		_, err := logs.Entries.List(&logging.ListLogEntriesRequest{ResourceNames: []string{project}, Filter: "severity>="}).Do()
		refused := refusal(err)
		same(refused.Code, 400)
		holds(refused.Message != "", refused)
	})

	judge("logging: a log is listed and deleted", func() {
		log := fresh("my") + "%2Flog"
		writeTo(log, &logging.LogEntry{TextPayload: "x"})
		name := project + "/logs/" + log
		holds(contains(must(logs.Projects.Logs.List(project).Do()).LogNames, name))
		must(logs.Projects.Logs.Delete(name).Do())
		holds(!contains(must(logs.Projects.Logs.List(project).Do()).LogNames, name))
	})

	judge("logging: a sink routes to a bucket", func() {
		log, bucket := fresh("routed"), makeBucket()
		sink := &logging.LogSink{
			Name: fresh("sink"), Destination: "logging.googleapis.com/" + bucket, Filter: logOf(log),
			Exclusions: []*logging.LogExclusion{{Name: "quiet", Filter: "severity<ERROR"}},
		}
		must(logs.Projects.Sinks.Create(project, sink).UniqueWriterIdentity(true).Do())
		writeTo(log, &logging.LogEntry{Severity: "INFO", TextPayload: "i"}, &logging.LogEntry{Severity: "ERROR", TextPayload: "e"})
		same(textsOf(readBy("", bucket+"/views/_AllLogs")), []string{"e"})
	})

	judge("logging: sinks.update without a mask, with one, and disabled", func() {
		sinks, name := logs.Projects.Sinks, fresh("sink")
		full, to := project+"/sinks/"+name, "storage.googleapis.com/"+fresh("files")
		must(sinks.Create(project, &logging.LogSink{Name: name, Destination: to, Filter: "severity>=ERROR", Description: "d"}).Do())
		must(sinks.Update(full, &logging.LogSink{Name: name, Destination: to, Disabled: true}).UpdateMask("disabled").Do())
		got := must(sinks.Get(full).Do())
		same([]any{got.Disabled, got.Filter, got.Description}, []any{true, "severity>=ERROR", "d"})
		must(sinks.Patch(full, &logging.LogSink{Name: name, Destination: to, ForceSendFields: []string{"Disabled"}}).UpdateMask("disabled").Do())
		same(must(sinks.Get(full).Do()).Disabled, false)
		must(sinks.Delete(full).Do())
		same(refusal(second(sinks.Get(full).Do())).Code, 404)
	})

	judge("logging: metrics keep buckets with fractions", func() {
		for _, options := range []*logging.BucketOptions{
			{ExponentialBuckets: &logging.Exponential{NumFiniteBuckets: 8, GrowthFactor: 1.4, Scale: 0.01}},
			{LinearBuckets: &logging.Linear{NumFiniteBuckets: 3, Width: 0.5, Offset: 0.25}},
			{ExplicitBuckets: &logging.Explicit{Bounds: []float64{0.1, 2.5, 10}}},
		} {
			metric := &logging.LogMetric{
				Name: fresh("latency"), Filter: "httpRequest:*", ValueExtractor: "EXTRACT(httpRequest.latency)", BucketOptions: options,
				MetricDescriptor: &logging.MetricDescriptor{MetricKind: "DELTA", ValueType: "DISTRIBUTION"},
			}
			must(logs.Projects.Metrics.Create(project, metric).Do())
			same(must(logs.Projects.Metrics.Get(project+"/metrics/"+metric.Name).Do()).BucketOptions, options)
		}
	})

	judge("logging: a counter metric is made by update, listed and deleted", func() {
		name := fresh("errors")
		full := project + "/metrics/" + name
		must(logs.Projects.Metrics.Update(full, &logging.LogMetric{Name: name, Filter: "severity>=ERROR"}).Do())
		got := must(logs.Projects.Metrics.Get(full).Do())
		same([]string{got.Filter, got.MetricDescriptor.MetricKind, got.MetricDescriptor.ValueType}, []string{"severity>=ERROR", "DELTA", "INT64"})
		must(logs.Projects.Metrics.Delete(full).Do())
		same(refusal(second(logs.Projects.Metrics.Get(full).Do())).Code, 404)
	})

	judge("logging: an exclusion is made, disabled and deleted", func() {
		exclusions, name := logs.Projects.Exclusions, fresh("noise")
		full := project + "/exclusions/" + name
		must(exclusions.Create(project, &logging.LogExclusion{Name: name, Filter: "severity<INFO"}).Do())
		must(exclusions.Patch(full, &logging.LogExclusion{Disabled: true}).UpdateMask("disabled").Do())
		got := must(exclusions.Get(full).Do())
		same([]any{got.Disabled, got.Filter}, []any{true, "severity<INFO"})
		must(exclusions.Delete(full).Do())
		same(refusal(second(exclusions.Get(full).Do())).Code, 404)
	})

	judge("logging: a bucket is changed, deleted and brought back", func() {
		buckets, name := logs.Projects.Locations.Buckets, makeBucket()
		same(must(buckets.Get(name).Do()).RetentionDays, int64(30))
		must(buckets.Patch(name, &logging.LogBucket{RetentionDays: 5}).UpdateMask("retentionDays").Do())
		must(buckets.Delete(name).Do())
		same(must(buckets.Get(name).Do()).LifecycleState, "DELETE_REQUESTED")
		must(buckets.Undelete(name, &logging.UndeleteBucketRequest{}).Do())
		got := must(buckets.Get(name).Do())
		same([]any{got.LifecycleState, got.RetentionDays, got.Description}, []any{"ACTIVE", int64(5), "d"})
	})

	judge("logging: a view shows a part of a bucket", func() {
		log, other, view := fresh("seen"), fresh("unseen"), fresh("view")
		bucket := project + "/locations/global/buckets/_Default"
		views := logs.Projects.Locations.Buckets.Views
		must(views.Create(bucket, &logging.LogView{Filter: `LOG_ID("` + log + `")`}).ViewId(view).Do())
		writeTo(log, &logging.LogEntry{TextPayload: "seen"})
		writeTo(other, &logging.LogEntry{TextPayload: "unseen"})
		same(textsOf(readBy("", bucket+"/views/"+view)), []string{"seen"})
		must(views.Delete(bucket + "/views/" + view).Do())
		same(refusal(second(views.Get(bucket+"/views/"+view).Do())).Code, 404)
	})

	judge("logging: locations and resource descriptors are walked by Pages", func() {
		types, places := map[string]bool{}, map[string]bool{}
		done(logs.MonitoredResourceDescriptors.List().PageSize(10).Pages(ctx, func(page *logging.ListMonitoredResourceDescriptorsResponse) error {
			for _, one := range page.ResourceDescriptors {
				types[one.Type] = true
			}
			return nil
		}))
		done(logs.Projects.Locations.List(project).PageSize(5).Pages(ctx, func(page *logging.ListLocationsResponse) error {
			for _, one := range page.Locations {
				places[one.LocationId] = true
			}
			return nil
		}))
		holds(types["global"] && types["gce_instance"] && places["global"], len(types), len(places))
	})
}
