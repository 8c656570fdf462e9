package main

import (
	"crypto/rand"
	"encoding/hex"
	"strconv"
	"time"

	tracev1 "google.golang.org/api/cloudtrace/v1"
	tracev2 "google.golang.org/api/cloudtrace/v2"
	tracesinks "google.golang.org/api/cloudtrace/v2beta1"
)

var traced = "traced-" + projectID

func random(bytes int) string {
	id := make([]byte, bytes)
	must(rand.Read(id))
	return hex.EncodeToString(id)
}

func ago(seconds int) string {
	return time.Now().Add(-time.Duration(seconds) * time.Second).UTC().Format(time.RFC3339Nano)
}

func spanOf(trace, name string) *tracev2.Span {
	id := random(8)
	return &tracev2.Span{
		Name: "projects/" + traced + "/traces/" + trace + "/spans/" + id, SpanId: id,
		DisplayName: &tracev2.TruncatableString{Value: name}, StartTime: ago(2), EndTime: ago(1),
	}
}

func writeSpans(spans ...*tracev2.Span) {
	must(traces.Projects.Traces.BatchWrite("projects/"+traced, &tracev2.BatchWriteSpansRequest{Spans: spans}).Do())
}

func init() {
	judge("trace: v1 reads the spans that v2 wrote, ids as whole numbers", func() {
		trace := random(16)
		root := spanOf(trace, "GET /v1")
		root.SpanKind = "SERVER"
		root.Attributes = &tracev2.Attributes{AttributeMap: map[string]tracev2.AttributeValue{
			"http.status": {IntValue: 200}, "path": {StringValue: &tracev2.TruncatableString{Value: "/v1"}},
		}}
		child := spanOf(trace, "query")
		child.ParentSpanId = root.SpanId
		writeSpans(root, child)
		got := must(oldTraces.Projects.Traces.Get(traced, trace).Do())
		byName := map[string]*tracev1.TraceSpan{}
		for _, span := range got.Spans {
			byName[span.Name] = span
		}
		same(byName["GET /v1"].SpanId, must(strconv.ParseUint(root.SpanId, 16, 64)))
		same(byName["query"].ParentSpanId, byName["GET /v1"].SpanId)
		same([]string{byName["GET /v1"].Kind, byName["GET /v1"].Labels["path"], byName["GET /v1"].Labels["http.status"]}, []string{"RPC_SERVER", "/v1", "200"})
	})

	judge("trace: createSpan answers the whole span", func() {
		span := spanOf(random(16), "made")
		span.ChildSpanCount, span.SameProcessAsParentSpan = 3, true
		span.Status = &tracev2.Status{Code: 5, Message: "none"}
		span.TimeEvents = &tracev2.TimeEvents{TimeEvent: []*tracev2.TimeEvent{{Time: ago(1), MessageEvent: &tracev2.MessageEvent{Id: 1, Type: "SENT", UncompressedSizeBytes: 9007199254740993}}}}
		span.Links = &tracev2.Links{Link: []*tracev2.Link{{TraceId: random(16), SpanId: random(8), Type: "PARENT_LINKED_SPAN"}}}
		got := must(traces.Projects.Traces.Spans.CreateSpan(span.Name, span).Do())
		same([]any{got.ChildSpanCount, got.SameProcessAsParentSpan, got.Status.Message}, []any{int64(3), true, "none"})
		same(*got.TimeEvents.TimeEvent[0].MessageEvent, *span.TimeEvents.TimeEvent[0].MessageEvent)
		same(*got.Links.Link[0], *span.Links.Link[0])
	})

	judge("trace: a display name is cut at 128 bytes and says how much is missing", func() {
		long := ""
		for len(long) < 200 {
			long += "0123456789"
		}
		span := spanOf(random(16), long)
		got := must(traces.Projects.Traces.Spans.CreateSpan(span.Name, span).Do())
		same([]any{len(got.DisplayName.Value), got.DisplayName.TruncatedByteCount}, []any{128, int64(72)})
	})

	judge("trace: Pages walks traces found by the root's name", func() {
		word := fresh("word")
		wanted := map[string]bool{}
		for n := 0; n < 3; n++ {
			trace := random(16)
			writeSpans(spanOf(trace, word+strconv.Itoa(n)))
			wanted[trace] = true
		}
		found := map[string]bool{}
		list := oldTraces.Projects.Traces.List(traced).Filter("root:" + word).PageSize(2).View("COMPLETE")
		done(list.Pages(ctx, func(page *tracev1.ListTracesResponse) error {
			for _, one := range page.Traces {
				found[one.TraceId] = len(one.Spans) == 1
			}
			return nil
		}))
		same(found, wanted)
	})

	judge("trace: patchTraces writes what v1 reads", func() {
		trace := random(16)
		span := &tracev1.TraceSpan{SpanId: 18446744073709551615, Name: "old", Kind: "RPC_CLIENT", StartTime: ago(2), EndTime: ago(1), Labels: map[string]string{"a": "b"}}
		body := &tracev1.Traces{Traces: []*tracev1.Trace{{ProjectId: traced, TraceId: trace, Spans: []*tracev1.TraceSpan{span}}}}
		must(oldTraces.Projects.PatchTraces(traced, body).Do())
		got := must(oldTraces.Projects.Traces.Get(traced, trace).Do()).Spans[0]
		same([]any{got.SpanId, got.Name, got.Kind, got.Labels["a"]}, []any{span.SpanId, "old", "RPC_CLIENT", "b"})
	})

	judge("trace: a span without times is 400, an unknown trace 404", func() {
		span := spanOf(random(16), "no time")
		span.StartTime = ""
		_, err := traces.Projects.Traces.BatchWrite("projects/"+traced, &tracev2.BatchWriteSpansRequest{Spans: []*tracev2.Span{span}}).Do()
		same(refusal(err).Code, 400)
		same(refusal(second(oldTraces.Projects.Traces.Get(traced, random(16)).Do())).Code, 404)
	})

	judge("trace: a trace sink is made, changed and deleted", func() {
		parent := "projects/" + number
		name, to := parent+"/traceSinks/"+fresh("sink"), "bigquery.googleapis.com/"+parent+"/datasets/"
		sinks := traceSinks.Projects.TraceSinks
		made := must(sinks.Create(parent, &tracesinks.TraceSink{Name: name, OutputConfig: &tracesinks.OutputConfig{Destination: to + "a"}}).Do())
		holds(made.WriterIdentity != "", made)
		must(sinks.Patch(name, &tracesinks.TraceSink{OutputConfig: &tracesinks.OutputConfig{Destination: to + "b"}}).UpdateMask("output_config").Do())
		same(must(sinks.Get(name).Do()).OutputConfig.Destination, to+"b")
		must(sinks.Delete(name).Do())
		same(refusal(second(sinks.Get(name).Do())).Code, 404)
	})
}
