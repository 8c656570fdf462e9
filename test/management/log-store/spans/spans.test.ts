import { describe, expect, test } from 'vitest';
import { MAX_TENANT_BYTES } from '../../../../src/management/core/engine/execute.ts';
import { MAX_OWN_CHARS, PURGED_AT_ONCE } from '../../../../src/management/log-store/spans/spans.ts';
import { MAX_TRACE_PAGE_SCAN } from '../../../../src/management/log-store/spans/read.ts';
import { MAX_SPANS_A_TRACE, SPAN_RETENTION_MS } from '../../../../src/management/interfaces/tracing/rows.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { PROJECT, span, spanId, TRACE, traceId, traced, type Traced } from '../../interfaces/tracing/traced.ts';

const BATCH = 'cloudtrace.projects.traces.batchWrite';
const PATCH = 'cloudtrace.v1.projects.patchTraces';
const own = (world: Traced, ...spans: JsonObject[]): JsonObject =>
  world.ok(BATCH, { path: { name: PROJECT }, body: { spans }, isOwn: true });
const names = (world: Traced, trace = TRACE): unknown[] => world.get(trace).map((each) => each['name']);
const called = (value: string): JsonObject => ({ displayName: { value } });
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const rows = (world: Traced, table: 'span' | 'trace'): number =>
  Number(world.sql.exec(`SELECT count(*) AS n FROM ${table}`).toArray()[0]?.['n']);

test('a span that is written twice is the last one, in one call and in two', () => {
  const world = traced();
  world.write(span(TRACE, spanId(1), called('one')), span(TRACE, spanId(1), called('two')));
  expect(names(world)).toEqual(['two']);
  world.write(span(TRACE, spanId(1), called('three')));
  expect(names(world)).toEqual(['three']);
  expect(world.list({ filter: '+root:three' }).ids).toEqual([TRACE]);
});

test('the root of a trace is the earliest span without parent, or the earliest of all', () => {
  const world = traced();
  const early = { startTime: '2026-11-20T00:00:00Z' };
  world.write(span(TRACE, spanId(3), { ...called('child'), ...early, parentSpanId: spanId(1) }));
  expect(world.list({ filter: '+root:child' }).ids).toEqual([TRACE]);
  world.write(span(TRACE, spanId(2), called('second root')), span(TRACE, spanId(1), called('later child')));
  world.write(span(TRACE, spanId(1), { ...called('root'), startTime: '2026-11-20T12:00:00Z' }));
  expect(world.list({ filter: '+root:root', view: 'ROOTSPAN' }).traces).toMatchObject([
    { spans: [{ name: 'root', spanId: '1' }] },
  ]);
});

test('spans of one id in two traces or two projects are two spans', () => {
  const world = traced();
  world.write(span(traceId(1), spanId(1)), span(traceId(2), spanId(1)));
  const elsewhere = span(traceId(1), spanId(1), { name: `projects/two/traces/${traceId(1)}/spans/${spanId(1)}` });
  world.ok(BATCH, { path: { name: 'projects/two' }, body: { spans: [elsewhere] } });
  expect(world.list().ids).toHaveLength(2);
  expect(rows(world, 'span')).toBe(3);
});

describe('K2: what the service wrote itself', () => {
  test('is changed by nobody else, by neither way of writing', () => {
    const world = traced();
    own(world, span(TRACE, spanId(1), called('ours')));
    world.write(span(TRACE, spanId(1), called('theirs')), span(TRACE, spanId(2), called('beside')));
    const spans = [{ spanId: '1', name: 'theirs' }];
    world.ok(PATCH, {
      path: { projectId: 'local' },
      body: { traces: [{ projectId: 'local', traceId: TRACE, spans }] },
    });
    expect(names(world)).toEqual(['ours', 'beside']);
    own(world, span(TRACE, spanId(1), called('ours again')));
    expect(names(world)).toEqual(['ours again', 'beside']);
  });

  test('stays in a reset, and nothing else does', () => {
    const world = traced();
    own(world, span(traceId(1), spanId(2), { ...called('ours'), parentSpanId: spanId(1) }));
    world.write(span(traceId(1), spanId(1), called('theirs')), span(traceId(2), spanId(1)));
    expect(world.list({ filter: 'root:theirs' }).ids).toEqual([traceId(1)]);
    world.spans.reset();
    expect(world.list().ids).toEqual([traceId(1)]);
    expect(world.list({ filter: '+root:ours' }).ids).toEqual([traceId(1)]);
    expect(names(world, traceId(1))).toEqual(['ours']);
    expect([rows(world, 'span'), rows(world, 'trace')]).toEqual([1, 1]);
  });
});

describe('K9: limits', () => {
  const full = (world: Traced, write: (...spans: JsonObject[]) => unknown): void => {
    write(...many(MAX_SPANS_A_TRACE, (at) => span(TRACE, spanId(at + 1))));
    expect(world.get(TRACE)).toHaveLength(MAX_SPANS_A_TRACE);
  };

  test('a trace has 1,000 spans at most: one more is refused with all that came with it', () => {
    const world = traced();
    full(world, world.write);
    const spans = [span(traceId(9), spanId(1)), span(TRACE, spanId(5_000))];
    expect(world.refused(BATCH, { path: { name: PROJECT }, body: { spans } })).toBe(
      `429 RESOURCE_EXHAUSTED: Trace ${TRACE} would have more than 1000 spans, or be too large`,
    );
    expect(world.list().ids).toEqual([TRACE]);
    world.write(span(TRACE, spanId(1), called('changed')));
    expect(names(world)).toContain('changed');
  });

  test('of the own spans of the service, those above it are left out and the others kept', () => {
    const world = traced();
    full(world, (...spans) => own(world, ...spans));
    own(world, span(TRACE, spanId(5_000)), span(traceId(9), spanId(1)));
    expect(world.get(TRACE)).toHaveLength(MAX_SPANS_A_TRACE);
    expect(names(world, traceId(9))).toEqual(['GET /']);
  });

  test('a trace has so many characters at most', () => {
    const world = traced();
    const status = { code: 2, message: 'x'.repeat(200_000) };
    for (const at of many(41, (index) => index + 1)) world.write(span(TRACE, spanId(at), { status }));
    expect(
      world.refused(BATCH, { path: { name: PROJECT }, body: { spans: [span(TRACE, spanId(42), { status })] } }),
    ).toMatch(/^429 RESOURCE_EXHAUSTED: /);
    world.write(span(TRACE, spanId(1)));
    world.write(span(TRACE, spanId(42), { status }));
    expect(world.get(TRACE)).toHaveLength(42);
  });

  test('a tenant that keeps as much as it may writes no more, and still reads', () => {
    const world = traced();
    world.write(span(TRACE, spanId(1)));
    world.databaseBytes(MAX_TENANT_BYTES);
    const body = { spans: [span(TRACE, spanId(2))] };
    expect(world.refused(BATCH, { path: { name: PROJECT }, body })).toMatch(/^429 RESOURCE_EXHAUSTED: /);
    expect(world.get(TRACE)).toHaveLength(1);
  });

  test('a full tenant still takes what the service writes itself', () => {
    const world = traced();
    world.databaseBytes(MAX_TENANT_BYTES);
    own(world, span(TRACE, spanId(1)));
    expect(world.get(TRACE)).toHaveLength(1);
  });

  test("the service's own spans have a bound of their own: the oldest of them make room, and of no others", () => {
    const world = traced();
    const status = { code: 2, message: 'x'.repeat(1_000) };
    world.write(span(traceId(1), spanId(1), { status }));
    for (const at of [2, 3, 4]) own(world, span(traceId(at), spanId(1), { status }));
    const ownChars = () => Number(world.sql.exec('SELECT chars FROM own_spans').toArray()[0]?.['chars']);
    const each = ownChars() / 3;
    expect(each).toBeGreaterThan(1_000);
    own(world, span(traceId(4), spanId(1), { status }));
    expect(ownChars()).toBe(3 * each);
    world.sql.exec('UPDATE own_spans SET chars = ?', MAX_OWN_CHARS - each);
    own(world, span(traceId(5), spanId(1), { status }));
    expect(world.list({ orderBy: 'trace_id' }).ids).toEqual([1, 2, 3, 4, 5].map(traceId));
    own(world, span(traceId(6), spanId(1), { status }));
    expect(world.list({ orderBy: 'trace_id' }).ids).toEqual([1, 3, 4, 5, 6].map(traceId));
    expect(ownChars()).toBe(MAX_OWN_CHARS);
    world.sql.exec('UPDATE own_spans SET chars = ?', 4 * each);
    world.tenant.later(SPAN_RETENTION_MS + 1);
    world.spans.purge();
    expect(ownChars()).toBe(0);
  });

  test('a list looks at so many traces, and goes on with a token though it found none', () => {
    const world = traced();
    const traces = many(MAX_TRACE_PAGE_SCAN.traces + 1, (at) => span(traceId(at + 1), spanId(1), called(`n${at}`)));
    world.write(...traces.slice(0, 2_000));
    world.write(...traces.slice(2_000));
    const query = { filter: `+span:n${MAX_TRACE_PAGE_SCAN.traces}`, orderBy: 'trace_id' };
    const first = world.list(query);
    expect(first.ids).toEqual([]);
    const second = world.list({ ...query, pageToken: first.token });
    expect(second).toMatchObject({ ids: [traceId(MAX_TRACE_PAGE_SCAN.traces + 1)], token: '' });
  });

  test('a page of large traces ends early', () => {
    const world = traced();
    const attributeMap = Object.fromEntries(
      many(32, (at): [string, JsonObject] => [`k${at}`, { stringValue: { value: 'v'.repeat(256) } }]),
    );
    for (const number of [1, 2])
      world.write(...many(600, (at) => span(traceId(number), spanId(at + 1), { attributes: { attributeMap } })));
    const first = world.list({ view: 'COMPLETE' });
    expect(first.ids).toEqual([traceId(2)]);
    expect(world.list({ view: 'COMPLETE', pageToken: first.token })).toMatchObject({ ids: [traceId(1)], token: '' });
  });
});

describe('K2: spans go 30 days after they were received, by real time', () => {
  test('with their trace where it has no others', () => {
    const world = traced();
    expect(world.spans.nextPurgeMs()).toBeUndefined();
    const startMs = world.tenant.engine.realNow();
    world.write(span(traceId(1), spanId(1), called('old root')), span(traceId(2), spanId(1)));
    expect(world.spans.nextPurgeMs()).toBe(startMs + SPAN_RETENTION_MS);
    world.tenant.later(SPAN_RETENTION_MS);
    world.write(span(traceId(1), spanId(2), { ...called('new'), parentSpanId: spanId(1) }));
    world.spans.purge();
    expect(world.list().ids).toHaveLength(2);
    world.tenant.later(1);
    world.spans.purge();
    expect(world.list({ filter: '+root:new' }).ids).toEqual([traceId(1)]);
    expect(world.list().ids).toEqual([traceId(1)]);
    expect(world.spans.nextPurgeMs()).toBe(startMs + 2 * SPAN_RETENTION_MS);
  });

  test('as many at once as named; the rest is due at once', () => {
    const world = traced();
    world.write(...many(PURGED_AT_ONCE, (at) => span(traceId(at + 1), spanId(1))));
    world.write(span(traceId(1), spanId(2)));
    world.tenant.later(SPAN_RETENTION_MS + 1);
    world.spans.purge();
    expect(rows(world, 'span')).toBe(1);
    expect(world.spans.nextPurgeMs()).toBeLessThan(world.tenant.engine.realNow());
    world.spans.purge();
    expect([rows(world, 'span'), rows(world, 'trace')]).toEqual([0, 0]);
  });
});

test('a list by start reads no trace outside its interval or page', () => {
  const world = traced();
  const plan = world.sql
    .exec(
      `EXPLAIN QUERY PLAN SELECT trace, root, name, start, duration FROM trace WHERE project = ? AND start >= ? AND start <= ?
         AND (start, trace) < (?, ?) ORDER BY start DESC, trace DESC LIMIT ?`,
      PROJECT,
      'a',
      'b',
      'c',
      'd',
      1,
    )
    .toArray();
  expect(plan.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^SEARCH trace USING INDEX trace_start \(project=\? AND start>\?/),
  ]);
});
