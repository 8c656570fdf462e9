# frozen_string_literal: true

# Trace: spans by v2, read by v1, sinks by v2beta1.

TRACED = "traced-#{PROJECT_ID}"

def at(seconds)
  (Time.now + seconds).utc.strftime('%Y-%m-%dT%H:%M:%S.%6NZ')
end

def span_of(trace, name, **more)
  id = SecureRandom.hex(8)
  Trace::Span.new(
    name: "projects/#{TRACED}/traces/#{trace}/spans/#{id}", span_id: id, start_time: at(-2), end_time: at(-1),
    display_name: Trace::TruncatableString.new(value: name), **more
  )
end

def write_spans(*spans)
  TRACE.batch_trace_write_spans("projects/#{TRACED}", Trace::BatchWriteSpansRequest.new(spans: spans))
end

judge 'trace: v1 reads the spans that v2 wrote, ids as whole numbers' do
  trace = SecureRandom.hex(16)
  attributes = Trace::Attributes.new(attribute_map: { 'http.status' => Trace::AttributeValue.new(int_value: 200) })
  root = span_of(trace, 'GET /v1', span_kind: 'SERVER', attributes: attributes)
  child = span_of(trace, 'query', parent_span_id: root.span_id)
  write_spans(root, child)
  spans = TRACE_V1.get_project_trace(TRACED, trace).spans.to_h { |one| [one.name, one] }
  same spans['GET /v1'].span_id, root.span_id.hex
  same spans['query'].parent_span_id, spans['GET /v1'].span_id
  same [spans['GET /v1'].kind, spans['GET /v1'].labels['http.status']], %w[RPC_SERVER 200]
end

judge 'trace: create_span answers the whole span' do
  link = Trace::Link.new(trace_id: SecureRandom.hex(16), span_id: SecureRandom.hex(8), type: 'CHILD_LINKED_SPAN')
  span = span_of(
    SecureRandom.hex(16), 'made', child_span_count: 3, same_process_as_parent_span: true,
    status: Trace::Status.new(code: 5, message: 'none'), links: Trace::Links.new(link: [link])
  )
  got = TRACE.create_project_trace_span_span(span.name, span)
  same [got.child_span_count, got.same_process_as_parent_span, got.status.code], [3, true, 5]
  same [got.links.link[0].trace_id, got.links.link[0].type], [link.trace_id, 'CHILD_LINKED_SPAN']
end

judge 'trace: fetch_all walks traces found by the root\'s name' do
  word = fresh('word')
  wanted = Array.new(3) { SecureRandom.hex(16) }
  wanted.each { |trace| write_spans(span_of(trace, word)) }
  found = TRACE_V1.fetch_all(items: :traces) do |token|
    TRACE_V1.list_project_traces(TRACED, filter: "root:#{word}", page_size: 2, page_token: token)
  end
  same found.map(&:trace_id).sort, wanted.sort
end

judge 'trace: patch_project_traces writes what v1 reads' do
  trace = SecureRandom.hex(16)
  span = TraceV1::TraceSpan.new(span_id: 2**64 - 1, name: 'old', kind: 'RPC_CLIENT', start_time: at(-2), end_time: at(-1), labels: { 'a' => 'b' })
  body = TraceV1::Traces.new(traces: [TraceV1::Trace.new(project_id: TRACED, trace_id: trace, spans: [span])])
  TRACE_V1.patch_project_traces(TRACED, body)
  got = TRACE_V1.get_project_trace(TRACED, trace).spans.first
  same [got.span_id, got.name, got.labels], [2**64 - 1, 'old', { 'a' => 'b' }]
end

judge 'trace: a span without times is 400, an unknown trace 404' do
  span = span_of(SecureRandom.hex(16), 'no time')
  span.start_time = nil
  same refusal { write_spans(span) }.status_code, 400
  same refusal { TRACE_V1.get_project_trace(TRACED, SecureRandom.hex(16)) }.status_code, 404
end

judge 'trace: a trace sink is made, changed and deleted' do
  parent = "projects/#{NUMBER}"
  name = "#{parent}/traceSinks/#{fresh('sink')}"
  sink = ->(to) { TraceSinks::TraceSink.new(name: name, output_config: TraceSinks::OutputConfig.new(destination: "bigquery.googleapis.com/#{parent}/datasets/#{to}")) }
  made = TRACE_SINKS.create_project_trace_sink(parent, sink['a'])
  holds !made.writer_identity.to_s.empty?
  TRACE_SINKS.patch_project_trace_sink(name, sink['b'], update_mask: 'output_config')
  same TRACE_SINKS.get_project_trace_sink(name).output_config.destination, sink['b'].output_config.destination
  TRACE_SINKS.delete_project_trace_sink(name)
  same refusal { TRACE_SINKS.get_project_trace_sink(name) }.status_code, 404
end
