import { describe, expect, test } from 'vitest';
import {
  createFilterMatcher,
  parseFilter,
  sample,
  findViewFilterProblem,
} from '../../../../src/management/core/filter/index.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';

const ENTRY: JsonObject = {
  logName: 'projects/p/logs/cloudaudit.googleapis.com%2Factivity',
  timestamp: '2026-01-02T03:04:05.000000006Z',
  severity: 'ERROR',
  insertId: 'Abc',
  labels: { 'k8s.io/name': 'Shop', env_name: 'prod' },
  resource: { type: 'gce_instance', labels: { zone: 'us-1' } },
  httpRequest: { status: 503, requestSize: '9223372036854775807', latency: '3.2s', cacheHit: true },
  jsonPayload: {
    message: 'Straße to Hello World',
    count: 5,
    code: '9',
    isDone: true,
    nothing: null,
    end_time: '2026-01-02T00:00:00Z',
    sizes: [8.5, 9, 6],
    steps: [{ name: 'one', tags: ['x', 'y'] }, { name: 'two' }],
    matrix: [[1]],
    empty: [],
    ip: '10.1.2.3',
    ips: ['1.1.1.1', '1:2::7'],
    request: { path: '/Invoices' },
  },
  protoPayload: { '@type': 'type.googleapis.com/x', requestMetadata: { callerIp: '1.2.3.4' } },
};

const matches = (filter: string, subject = ENTRY, profile: 'logging' | 'aip' = 'logging'): boolean => {
  const parsed = parseFilter(filter, { profile });
  if (!parsed.ok) throw new Error(parsed.message);
  return createFilterMatcher(parsed.filter)(subject);
};

describe('a filter over a log entry', () => {
  test.each([
    // Texts: without letter case, in Unicode's sense.
    ['jsonPayload.message = "STRASSE TO HELLO WORLD"', true],
    ['jsonPayload.message = "hello world"', false],
    ['jsonPayload.message : "HELLO W"', true],
    ['jsonPayload.message != "hello"', true],
    ['jsonPayload.message > "strasse a"', true],
    ['jsonPayload.message < "STRASSE A"', false],
    ['resource.type = GCE_instance', true],
    // Numbers, and texts that hold some.
    ['jsonPayload.count = 5', true],
    ['jsonPayload.count = "5.0"', true],
    ['jsonPayload.count : 5', true],
    ['jsonPayload.count >= 5.1', false],
    ['jsonPayload.count < 1e3', true],
    ['jsonPayload.count < infinity', true],
    ['jsonPayload.count = nan', false],
    ['jsonPayload.code = 9', true],
    ['jsonPayload.code > 10', true],
    // What cannot be converted fails, != too.
    ['jsonPayload.count = five', false],
    ['jsonPayload.count != five', false],
    ['jsonPayload.isDone != maybe', false],
    ['httpRequest.status != "x"', false],
    ['severity != LOUD', false],
    // Booleans and null.
    ['jsonPayload.isDone = "TRUE"', true],
    ['jsonPayload.isDone > false', true],
    ['jsonPayload.isDone = 1', false],
    ['jsonPayload.nothing = NULL_VALUE', true],
    ['NOT jsonPayload.nothing = NULL_VALUE', false],
    ['jsonPayload.nothing = "NULL_VALUE"', false],
    ['jsonPayload.nothing != a', true],
    ['jsonPayload.nothing:*', false],
    ['jsonPayload.count = NULL_VALUE', false],
    ['jsonPayload.count != NULL_VALUE', true],
    // Fields that are missing, and those that have a default.
    ['jsonPayload.absent = a', false],
    ['jsonPayload.absent != a', false],
    ['jsonPayload.absent !~ a', false],
    ['NOT jsonPayload.absent = a', true],
    ['jsonPayload.empty != a', false],
    ['labels.absent != a', false],
    ['jsonPayload.count.deeper != a', false],
    ['trace = ""', true],
    ['trace != a', true],
    ['trace:*', false],
    ['operation.producer = ""', true],
    ['operation.id:*', false],
    ['operation.first = false', true],
    ['split.index < 1', true],
    ['httpRequest.requestSize:*', true],
    ['httpRequest:*', true],
    ['receiveTimestamp < "2026-01-01"', false],
    // Severity: by rank.
    ['severity = error', true],
    ['severity = 500', true],
    ['severity >= WARNING', true],
    ['severity > ERROR', false],
    ['severity <= 550', true],
    ['severity != INFO', true],
    ['severity : ERROR', true],
    ['severity =~ "^ERR"', true],
    ['severity = (INFO OR ERROR)', true],
    // Timestamps: instants, to the nanosecond.
    ['timestamp = "2026-01-02T03:04:05.000000006Z"', true],
    ['timestamp = "2026-01-02T04:04:05.000000006+01:00"', true],
    ['timestamp > "2026-01-02T03:04:05.000000005Z"', true],
    ['timestamp > "2026-01-02T03:04:05.000000006Z"', false],
    ['timestamp >= "2026-01-02"', true],
    ['timestamp >= 2026-01-02T03:04:05Z', true],
    ['timestamp > 2026-01-02T03:04:05.000000006Z', false],
    ['timestamp=2026-01-02T04:04:05.000000006+01:00 AND severity>=DEFAULT', true],
    ['timestamp=(2026-01-02T04:04:05Z OR 2026-01-02t03:04:05.000000006z)', true],
    ['(timestamp>2026-01-02T03:04:05Z)', true],
    ['timestamp < 2026-01-02', false],
    ['jsonPayload.end_time = "2026-01-02T01:00:00+01:00"', false],
    // Durations and 64-bit integers.
    ['httpRequest.latency > 3199ms', true],
    ['httpRequest.latency = "3.2s"', true],
    ['httpRequest.latency < 0.05m', false],
    ['httpRequest.latency = "3.2"', false],
    ['httpRequest.requestSize = 9223372036854775807', true],
    ['httpRequest.requestSize = 9223372036854775806', false],
    ['httpRequest.requestSize > 9.2e18', true],
    ['httpRequest.status = (500 OR 503)', true],
    ['httpRequest.cacheHit = true', true],
    // Lists: one element is enough.
    ['jsonPayload.sizes < 7', true],
    ['jsonPayload.sizes : 9', true],
    ['jsonPayload.sizes != 9', true],
    ['jsonPayload.sizes < 6', false],
    ['jsonPayload.steps.name = TWO', true],
    ['jsonPayload.steps.tags : x', true],
    ['jsonPayload.steps.name = three', false],
    ['jsonPayload.matrix = 1', false],
    // Maps have keys; payloads have what is in them.
    ['labels : env_name', true],
    ['labels : prod', false],
    ['labels."k8s.io/name" = shop', true],
    ['labels.envName = prod', false],
    ['resource.labels.zone = us-1', true],
    ['jsonPayload : message', true],
    ['jsonPayload : "hello world"', true],
    ['jsonPayload.request : invoices', true],
    ['jsonPayload = message', false],
    ['jsonPayload.endTime:*', false],
    ['protoPayload.request_metadata.caller_ip = "1.2.3.4"', true],
    ['protoPayload.@type : googleapis', true],
    // Identifiers: letter case counts for the whole, not for parts.
    ['insertId = Abc', true],
    ['insertId = abc', false],
    ['insertId : abc', true],
    ['logName = "projects/p/logs/cloudaudit.googleapis.com%2Factivity"', true],
    ['logName : ACTIVITY', true],
    ['logName =~ "%2Factivity$"', true],
    // Groups of values.
    ['jsonPayload.message : ("hello" AND "world")', true],
    ['jsonPayload.message : (hello mars)', false],
    ['jsonPayload.message : (mars OR world AND NOT venus)', true],
    ['jsonPayload.message = (-hello)', true],
    ['labels.env_name =~ ("^prod.*" OR "^staging")', true],
    // Regular expressions: letter case counts, nothing is anchored, texts only.
    ['jsonPayload.message =~ "Hello.*ld"', true],
    ['jsonPayload.message =~ "hello"', false],
    ['jsonPayload.message =~ "(?i)hello"', true],
    ['jsonPayload.message !~ "hello"', true],
    ['jsonPayload.message =~ "^Hello"', false],
    [String.raw`jsonPayload.message =~ "\\bWorld$"`, true],
    ['jsonPayload.count =~ "5"', false],
    ['jsonPayload.count !~ "4"', false],
    ['jsonPayload.sizes =~ "9"', false],
    // Bare values: any field has it.
    ['invoices', true],
    ['503', true],
    ['"cloudaudit"', true],
    ['tru', false],
    ['message', false],
    ['hello -mars', true],
    // Functions.
    ['log_id("cloudaudit.googleapis.com/activity")', true],
    ['LOG_ID(cloudaudit.googleapis.com%2Factivity)', true],
    ['log_id("activity")', false],
    [String.raw`log_id("\ud800%")`, false],
    ['source(projects/p)', true],
    ['SOURCE("projects/p") AND NOT source(folders/1)', true],
    ['source(projects/p2)', false],
    ['ip_in_net(jsonPayload.ip, "10.1.2.0/24")', true],
    ['ip_in_net(jsonPayload.ip, "10.1.3.0/24")', false],
    ['ip_in_net(jsonPayload.ip, "10.1.2.3")', true],
    ['ip_in_net(jsonPayload.ips, "1:2::/48")', true],
    ['ip_in_net(jsonPayload.ips, "::ffff:1.1.1.1/128")', false],
    ['ip_in_net(jsonPayload.message, "0.0.0.0/0")', false],
    ['ip_in_net(httpRequest.remoteIp, "::/0")', false],
    ['sample(insertId, 1)', true],
    ['sample(jsonPayload.count, 1)', true],
    ['sample(jsonPayload.absent, 1)', false],
    ['sample(trace, 1)', true],
    ['sample(jsonPayload.isDone, 1)', false],
    // SEARCH: whole tokens, wherever they stand.
    ['SEARCH("world hello")', true],
    ['SEARCH("HELLO shop")', true],
    ['SEARCH("hello worl")', false],
    ['SEARCH("`hello world`")', true],
    ['SEARCH("`world hello`")', false],
    ['SEARCH("`Hello World` shop")', true],
    ['SEARCH(jsonPayload.message, "to world")', true],
    ['SEARCH(jsonPayload.message, "shop")', false],
    ['SEARCH(jsonPayload, "one invoices")', true],
    ['SEARCH(textPayload, "a")', false],
    ['SEARCH("503")', false],
    ['SEARCH("10.1.2.3")', true],
  ])('%s: %s', (filter, expected) => {
    expect(matches(filter)).toBe(expected);
  });

  test('a field named like something of every object is missing', () => {
    expect(matches('jsonPayload.constructor:*')).toBe(false);
    expect(matches('labels:toString')).toBe(false);
  });

  test('a severity that is missing or unknown is DEFAULT', () => {
    expect(matches('severity = DEFAULT', {})).toBe(true);
    expect(matches('severity < DEBUG', { severity: 'LOUD' })).toBe(true);
    expect(matches('severity >= ERROR', { severity: 600 })).toBe(true);
  });

  test('an entry nested ten thousand deep is searched', () => {
    let deep: JsonObject = { found: 'needle' };
    for (let depth = 0; depth < 10_000; depth += 1) deep = { deep };
    expect(matches('needle', { jsonPayload: deep })).toBe(true);
    expect(matches(`jsonPayload${'.deep'.repeat(99)}:*`, { jsonPayload: deep })).toBe(true);
  });

  test.each([
    ['(x+x+)+y', false],
    ['(a|aa)+$', false],
    [String.raw`(\\w|b)*x(\\w|b){300}z`, false],
  ])('the pattern %s takes linear time', (pattern, expected) => {
    const textPayload = `${'x'.repeat(60_000)}!`;
    expect(matches(`textPayload =~ "${pattern}"`, { textPayload })).toBe(expected);
  });

  test('patterns that were forgotten still match', () => {
    const patterns = Array.from({ length: 60 }, (_, index) => `^v${String(index)}$`);
    const tests = patterns.map((pattern) => {
      const parsed = parseFilter(`textPayload =~ "${pattern}"`);
      if (!parsed.ok) throw new Error(parsed.message);
      return createFilterMatcher(parsed.filter);
    });
    const found = (index: number) => tests.map((each) => each({ textPayload: `v${String(index)}` }));
    expect(found(3).indexOf(true)).toBe(3);
    expect(found(3).filter(Boolean)).toHaveLength(1);
    expect(found(59).indexOf(true)).toBe(59);
  });

  test('of a text, a pattern sees the first 65,536 characters', () => {
    expect(matches('textPayload =~ "z"', { textPayload: `${'a'.repeat(65_535)}z` })).toBe(true);
    expect(matches('textPayload =~ "z"', { textPayload: `${'a'.repeat(65_536)}z` })).toBe(false);
  });
});

describe('a filter of AIP-160 over any object', () => {
  const PREFERENCE: JsonObject = {
    requestType: 'Increase',
    reconciling: true,
    quotaConfig: { preferredValue: '200' },
    createTime: '2026-01-02T03:04:05Z',
    dimensions: { region: 'us-1' },
    tags: ['a', 'b'],
    waited: '90s',
  };

  test.each([
    ['reconciling = true AND request_type = INCREASE', true],
    ['reconciling = true OR request_type = x AND createTime < "2026-01-01"', false],
    ['NOT reconciling = true', false],
    ['validated = false', true],
    ['validated = true', false],
    ['quota_config.preferred_value > 100', true],
    ['quotaConfig.preferredValue < 1000', true],
    ['createTime > "2026-01-02T04:04:04+01:00"', true],
    ['create_time = "2026-01-02T04:04:05+01:00"', true],
    ['createTime < "2026-01-02"', false],
    ['waited > 1m', true],
    ['waited >= 2m', false],
    ['dimensions:region', true],
    ['dimensions:us-1', false],
    ['dimensions.region = us-1', true],
    ['dimensions:*', true],
    ['tags:b', true],
    ['absent != a', false],
    ['increase', true],
    ['-absent:*', true],
    ['yesterday < request.time', false],
    ['1 > 0', false],
  ])('%s: %s', (filter, expected) => {
    expect(matches(filter, PREFERENCE, 'aip')).toBe(expected);
  });

  test.each([
    ['type("Logging")', { loggingQuery: {} }, true],
    ['type("Logging")', { opsAnalyticsQuery: {} }, false],
    ['type("OpsAnalytics")', { opsAnalyticsQuery: {} }, true],
  ])('%s over %j: %s', (filter, subject, expected) => {
    expect(matches(filter, subject, 'aip')).toBe(expected);
  });
});

describe('a sample', () => {
  test('has about the share asked for, and always the same values', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => `id-${String(index)}`);
    const taken = ids.filter((id) => sample(id, 0.25));
    expect(taken.length).toBeGreaterThan(2_300);
    expect(taken.length).toBeLessThan(2_700);
    expect(taken.every((id) => sample(id, 0.25) && sample(id, 0.5))).toBe(true);
    expect(ids.every((id) => sample(id, 1))).toBe(true);
  });
});

describe('the filter of a view', () => {
  test.each([
    '',
    'source(projects/p)',
    'SOURCE("projects/p") AND resource.type = "gce_instance" AND LOG_ID("stdout")',
    'resource.type != gce_instance NOT log_id("stdout")',
    '(source(projects/p) AND (log_id("a")))',
  ])('%j is one', (filter) => {
    const parsed = parseFilter(filter);
    expect(parsed.ok && findViewFilterProblem(parsed.filter)).toBeUndefined();
  });

  test.each([
    'log_id("a") OR log_id("b")',
    'NOT (log_id("a") AND log_id("b"))',
    'resource.type : gce',
    'resource.type = (a OR b)',
    'resource.labels.zone = a',
    'severity = ERROR',
    'bare',
    'sample(insertId, 0.5)',
  ])('%j is none', (filter) => {
    const parsed = parseFilter(filter);
    expect(parsed.ok && findViewFilterProblem(parsed.filter)).toBe(
      'The filter of a view may only be a logical AND of =/!= of SOURCE(), resource.type and LOG_ID()',
    );
  });
});

test('an instant stands without quotes in filters of other objects too (AIP-160)', () => {
  const operation = { metadata: { startTime: '2026-01-02T03:04:05.5Z' } };
  const isFound = (filter: string): boolean => matches(filter, operation, 'aip');
  expect(isFound('metadata.startTime >= 2026-01-02T03:04:05Z')).toBe(true);
  expect(isFound('metadata.startTime < 2026-01-02T05:04:05.500000001+02:00')).toBe(true);
  expect(isFound('metadata.startTime=(2026-01-02T03:04:05Z OR 2026-01-02T03:04:06Z)')).toBe(false);
});
