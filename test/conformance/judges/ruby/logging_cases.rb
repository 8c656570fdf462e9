# frozen_string_literal: true

# Logging: entries, logs, sinks, exclusions, metrics, buckets, views, files.

def write(log, *entries, **more)
  request = Logs::WriteLogEntriesRequest.new(
    log_name: "#{PROJECT}/logs/#{log}", resource: Logs::MonitoredResource.new(type: 'global'),
    entries: entries.map { |one| Logs::LogEntry.new(**one) }, **more
  )
  LOGS.write_entry_log_entries(request)
end

def read(filter, from: [PROJECT], **more)
  LOGS.fetch_all(items: :entries) do |token|
    LOGS.list_entry_log_entries(Logs::ListLogEntriesRequest.new(resource_names: from, filter: filter, page_size: 3, page_token: token, **more))
  end.to_a
end

def of(log)
  "logName=\"#{PROJECT}/logs/#{log}\""
end

def make_bucket
  bucket = fresh('bucket')
  LOGS.create_project_location_bucket("#{PROJECT}/locations/global", Logs::LogBucket.new(description: 'd'), bucket_id: bucket)
  "#{PROJECT}/locations/global/buckets/#{bucket}"
end

judge 'logging: an entry comes back as it was written' do
  log = fresh('whole')
  at = Time.now.utc.strftime('%Y-%m-%dT%H:%M:%S.123456789Z')
  payload = { 'deep' => { 'er' => [1, 2.5, nil, true] }, 'text' => 't' }
  write(
    log,
    { severity: 'WARNING', insert_id: 'one', timestamp: at, labels: { 'a' => 'b' }, json_payload: payload, trace_sampled: true,
      http_request: Logs::HttpRequest.new(request_method: 'GET', status: 200, response_size: 9_007_199_254_740_993, cache_hit: true),
      source_location: Logs::LogEntrySourceLocation.new(file: 'a.rb', line: 42) }
  )
  got = read(of(log)).first
  same [got.severity, got.insert_id, got.timestamp, got.labels, got.json_payload, got.trace_sampled], ['WARNING', 'one', at, { 'a' => 'b' }, payload, true]
  same [got.http_request.status, got.http_request.response_size, got.http_request.cache_hit, got.source_location.line], [200, 9_007_199_254_740_993, true, 42]
end

judge 'logging: the resource gets its project_id' do
  log = fresh('labelled')
  write(log, { text_payload: 'x' })
  same read(of(log)).first.resource.labels, { 'project_id' => PROJECT_ID }
end

judge 'logging: fetch_all walks entries in both orders' do
  log = fresh('paged')
  start = Time.now.utc - 60
  write(log, *%w[a b c d e].each_with_index.map { |text, at| { text_payload: text, timestamp: (start + at).strftime('%Y-%m-%dT%H:%M:%SZ') } })
  same read(of(log), order_by: 'timestamp asc').map(&:text_payload).join, 'abcde'
  same read(of(log), order_by: 'timestamp desc').map(&:text_payload).join, 'edcba'
end

judge 'logging: severities compare by rank and texts by part' do
  log = fresh('ranks')
  write(log, { severity: 'INFO', text_payload: 'i' }, { severity: 'ERROR', text_payload: 'e' }, { severity: 'ALERT', text_payload: 'alarm' })
  same read("#{of(log)} severity>=ERROR").map(&:text_payload).sort, %w[alarm e]
  same read("#{of(log)} textPayload:LAR").map(&:text_payload), %w[alarm]
end

judge 'logging: default labels of a write do not replace those of an entry' do
  log = fresh('defaults')
  write(log, { text_payload: 'x', labels: { 'a' => 'own' } }, labels: { 'a' => 'default', 'b' => 'default' })
  same read(of(log)).first.labels, { 'a' => 'own', 'b' => 'default' }
end

judge 'logging: partial_success keeps the good entries' do
  log = fresh('partial')
  same refusal { write(log, { text_payload: 'good' }, { text_payload: 'bad', log_name: 'no/such/name' }, partial_success: true) }.status_code, 400
  same read(of(log)).map(&:text_payload), %w[good]
end

judge 'logging: a filter that is none is a ClientError' do
  same refusal { read('severity>=') }.status_code, 400
end

judge 'logging: a log is listed and deleted' do
  log = "#{fresh('my')}%2Flog"
  write(log, { text_payload: 'x' })
  name = "#{PROJECT}/logs/#{log}"
  holds LOGS.list_project_logs(PROJECT).log_names.include?(name)
  LOGS.delete_project_log(name)
  holds !(LOGS.list_project_logs(PROJECT).log_names || []).include?(name)
end

judge 'logging: a sink routes to a bucket' do
  log = fresh('routed')
  bucket = make_bucket
  sink = Logs::LogSink.new(
    name: fresh('sink'), destination: "logging.googleapis.com/#{bucket}", filter: of(log),
    exclusions: [Logs::LogExclusion.new(name: 'quiet', filter: 'severity<ERROR')]
  )
  LOGS.create_project_sink(PROJECT, sink, unique_writer_identity: true)
  write(log, { severity: 'INFO', text_payload: 'i' }, { severity: 'ERROR', text_payload: 'e' })
  same read('', from: ["#{bucket}/views/_AllLogs"]).map(&:text_payload), %w[e]
end

judge 'logging: a sink is changed by its mask and deleted' do
  name = fresh('sink')
  full = "#{PROJECT}/sinks/#{name}"
  sink = Logs::LogSink.new(name: name, destination: "storage.googleapis.com/#{fresh('files')}", filter: 'severity>=ERROR', description: 'd')
  LOGS.create_project_sink(PROJECT, sink)
  sink.disabled = true
  sink.description = 'not this'
  LOGS.update_project_sink(full, sink, update_mask: 'disabled')
  got = LOGS.get_project_sink(full)
  same [got.disabled, got.description, got.filter], [true, 'd', 'severity>=ERROR']
  LOGS.delete_project_sink(full)
  same refusal { LOGS.get_project_sink(full) }.status_code, 404
end

judge 'logging: a distribution metric keeps buckets with fractions' do
  options = Logs::BucketOptions.new(exponential_buckets: Logs::Exponential.new(num_finite_buckets: 8, growth_factor: 1.4, scale: 0.01))
  metric = Logs::LogMetric.new(
    name: fresh('latency'), filter: 'httpRequest:*', value_extractor: 'EXTRACT(httpRequest.latency)', bucket_options: options,
    metric_descriptor: Logs::MetricDescriptor.new(metric_kind: 'DELTA', value_type: 'DISTRIBUTION')
  )
  LOGS.create_project_metric(PROJECT, metric)
  got = LOGS.get_project_metric("#{PROJECT}/metrics/#{metric.name}").bucket_options.exponential_buckets
  same [got.growth_factor, got.scale, got.num_finite_buckets], [1.4, 0.01, 8]
end

judge 'logging: a counter metric is made by update and deleted' do
  name = fresh('errors')
  full = "#{PROJECT}/metrics/#{name}"
  LOGS.update_project_metric(full, Logs::LogMetric.new(name: name, filter: 'severity>=ERROR'))
  same LOGS.list_project_metrics(PROJECT, page_size: 500).metrics.select { |one| one.name == name }.map(&:filter), ['severity>=ERROR']
  LOGS.delete_project_metric(full)
  same refusal { LOGS.get_project_metric(full) }.status_code, 404
end

judge 'logging: an exclusion is made, disabled and deleted' do
  name = fresh('noise')
  full = "#{PROJECT}/exclusions/#{name}"
  LOGS.create_project_exclusion(PROJECT, Logs::LogExclusion.new(name: name, filter: 'severity<INFO'))
  LOGS.patch_project_exclusion(full, Logs::LogExclusion.new(disabled: true), update_mask: 'disabled')
  got = LOGS.get_project_exclusion(full)
  same [got.disabled, got.filter], [true, 'severity<INFO']
  LOGS.delete_project_exclusion(full)
  same refusal { LOGS.get_project_exclusion(full) }.status_code, 404
end

judge 'logging: a bucket is changed, deleted and brought back' do
  name = make_bucket
  same LOGS.get_project_location_bucket(name).retention_days, 30
  LOGS.patch_project_location_bucket(name, Logs::LogBucket.new(retention_days: 5), update_mask: 'retentionDays')
  LOGS.delete_project_location_bucket(name)
  same LOGS.get_project_location_bucket(name).lifecycle_state, 'DELETE_REQUESTED'
  LOGS.undelete_project_location_bucket(name, Logs::UndeleteBucketRequest.new)
  got = LOGS.get_project_location_bucket(name)
  same [got.lifecycle_state, got.retention_days, got.description], ['ACTIVE', 5, 'd']
end

judge 'logging: a view shows a part of a bucket' do
  log = fresh('seen')
  bucket = "#{PROJECT}/locations/global/buckets/_Default"
  view = fresh('view')
  LOGS.create_project_location_bucket_view(bucket, Logs::LogView.new(filter: "LOG_ID(\"#{log}\")"), view_id: view)
  write(log, { text_payload: 'seen' })
  write(fresh('unseen'), { text_payload: 'unseen' })
  same read('', from: ["#{bucket}/views/#{view}"]).map(&:text_payload), %w[seen]
  LOGS.delete_project_location_bucket_view("#{bucket}/views/#{view}")
  same refusal { LOGS.get_project_location_bucket_view("#{bucket}/views/#{view}") }.status_code, 404
end

judge 'logging: a sink of an organization is changed and listed' do
  parent = "organizations/#{NUMBER}"
  name = fresh('sink')
  sink = Logs::LogSink.new(name: name, destination: "storage.googleapis.com/#{fresh('files')}", include_children: true)
  LOGS.create_organization_sink(parent, sink)
  found = LOGS.fetch_all(items: :sinks) { |token| LOGS.list_organization_sinks(parent, page_size: 1, page_token: token) }
  same found.select { |one| one.name == name }.map(&:include_children), [true]
end

judge 'logging: resource descriptors are walked by fetch_all' do
  found = LOGS.fetch_all(items: :resource_descriptors) { |token| LOGS.list_monitored_resource_descriptors(page_size: 10, page_token: token) }
  same found.select { |one| one.type == 'global' }.map { |one| one.labels.map(&:key) }, [['project_id']]
end

judge 'logging: a file of entries is downloaded to where the client is told' do
  log = fresh('copied')
  bucket = "#{fresh('files')}-#{NUMBER}"
  STORAGE.insert_bucket(PROJECT_ID, Storage::Bucket.new(name: bucket))
  sink = Logs::LogSink.new(name: fresh('sink'), destination: "storage.googleapis.com/#{bucket}", filter: of(log))
  LOGS.create_project_sink(PROJECT, sink)
  write(log, { text_payload: 'one' }, { text_payload: 'two' })
  objects = []
  40.times do
    objects = STORAGE.list_objects(bucket).items || []
    break unless objects.empty?

    sleep 0.25
  end
  lines = objects.flat_map do |object|
    file = StringIO.new
    STORAGE.get_object(bucket, object.name, download_dest: file)
    same file.string.bytesize, object.size
    file.string.lines.map { |line| JSON.parse(line)['textPayload'] }
  end
  same lines.sort, %w[one two]
end
