import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { span, spanId, TRACE, traceId, traced } from './traced.ts';

const LIST = 'cloudtrace.v1.projects.traces.list';
const GET = 'cloudtrace.v1.projects.traces.get';
const PATCH = 'cloudtrace.v1.projects.patchTraces';
const path = { projectId: 'local' };
const A_V1_SPAN = {
  spanId: '18446744073709551615',
  kind: 'RPC_CLIENT',
  name: '/call',
  startTime: '2026-11-21T00:00:00.5Z',
  endTime: '2026-11-21T00:00:00.75Z',
  parentSpanId: '1',
  labels: { '/http/method': 'POST' },
};
const patched = (...spans: JsonObject[]): JsonObject => ({ traces: [{ projectId: 'local', traceId: TRACE, spans }] });

test('patchTraces writes spans that traces.get shows as they were sent', () => {
  const world = traced();
  expect(world.ok(PATCH, { path, body: patched(A_V1_SPAN) })).toEqual({});
  expect(world.ok(GET, { path: { ...path, traceId: TRACE } })).toEqual({
    projectId: 'local',
    traceId: TRACE,
    spans: [A_V1_SPAN],
  });
});

test('patchTraces lays what is sent over a known span', () => {
  const world = traced();
  world.ok(PATCH, { path, body: patched(A_V1_SPAN) });
  const { spanId: id } = A_V1_SPAN;
  world.ok(PATCH, { path, body: patched({ spanId: id, name: '/other', labels: { a: 'b', '/http/method': 'PUT' } }) });
  expect(world.get(TRACE)).toEqual([{ ...A_V1_SPAN, name: '/other', labels: { '/http/method': 'PUT', a: 'b' } }]);
});

test('patchTraces keeps 32 labels of a span, and values up to 16 KiB', () => {
  const world = traced();
  const labels = Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`k${at}`, 'v'.repeat(16_384)]));
  const few = Object.fromEntries(Object.entries(labels).slice(0, 10));
  world.ok(PATCH, { path, body: patched({ ...A_V1_SPAN, labels: few }) });
  expect(world.get(TRACE)[0]).toMatchObject({ labels: few });
  const short = Object.fromEntries(Object.keys(labels).map((key) => [key, 'v']));
  world.ok(PATCH, { path, body: patched({ ...A_V1_SPAN, labels: short }) });
  expect(Object.keys((world.get(TRACE)[0]?.['labels'] ?? {}) as JsonObject)).toHaveLength(32);
});

test.each<[string, JsonObject, string]>([
  ['another project', { traces: [{ projectId: 'x', traceId: TRACE }] }, 'traces[0].projectId'],
  ['no project', { traces: [{ traceId: TRACE }] }, 'traces[0].projectId'],
  ['a trace id that is none', { traces: [{ projectId: 'local', traceId: 'x' }] }, 'traces[0].traceId'],
  ['a span id of 0', patched({ ...A_V1_SPAN, spanId: '0' }), 'traces[0].spans[0].spanId'],
  ['a span id above 64 bits', patched({ ...A_V1_SPAN, spanId: '18446744073709551616' }), 'traces[0].spans[0].spanId'],
  ['a span id in hexadecimal', patched({ ...A_V1_SPAN, spanId: 'ff' }), 'traces[0].spans[0].spanId'],
  ['a parent that is no number', patched({ ...A_V1_SPAN, parentSpanId: 'x' }), 'traces[0].spans[0].parentSpanId'],
  ['a kind of v2', patched({ ...A_V1_SPAN, kind: 'SERVER' }), 'traces[0].spans[0].kind'],
  ['a long name', patched({ ...A_V1_SPAN, name: 'é'.repeat(65) }), 'traces[0].spans[0].name'],
  ['a time that is none', patched({ ...A_V1_SPAN, endTime: 'now' }), 'traces[0].spans[0].endTime'],
  ['a long label key', patched({ ...A_V1_SPAN, labels: { ['k'.repeat(129)]: '' } }), 'traces[0].spans[0].labels'],
  ['a long label', patched({ ...A_V1_SPAN, labels: { k: 'v'.repeat(16_385) } }), 'traces[0].spans[0].labels'],
  ['an end before the start', patched({ ...A_V1_SPAN, endTime: '2026-11-20T00:00:00Z' }), 'spans[0].endTime'],
  [
    'a new span without a start',
    patched({ spanId: '5', name: 'x', endTime: '2026-11-20T00:00:00Z' }),
    'spans[0].startTime',
  ],
  ['a new span without a name', patched({ spanId: '5' }), 'spans[0].name'],
  ['one wrong span beside a right one', patched(A_V1_SPAN, { spanId: '5' }), 'spans[1].name'],
])('patchTraces refuses %s and writes nothing', (_what, body, field) => {
  const world = traced();
  const refusal = world.refused(PATCH, { path, body });
  expect(refusal).toMatch(/^400 INVALID_ARGUMENT: /);
  expect(refusal).toContain(field);
  expect(world.list().ids).toEqual([]);
});

test('attributes and status of a v2 span are labels in v1', () => {
  const world = traced();
  const attributeMap = {
    'http.route': { stringValue: { value: '/v1/audits/{id}' } },
    'http.response.status_code': { intValue: '500' },
    cached: { boolValue: false },
  };
  world.write(span(TRACE, spanId(1), { attributes: { attributeMap }, status: { code: 13, message: 'failed' } }));
  expect(world.get(TRACE)[0]?.['labels']).toEqual({
    'http.route': '/v1/audits/{id}',
    'http.response.status_code': '500',
    cached: 'false',
    'status.code': '13',
    'status.message': 'failed',
  });
});

test.each([
  ['no such trace', TRACE, '404 NOT_FOUND: Resource not found: projects/local/traces/0af7651916cd43dd8448eb211c80319c'],
  [
    'no trace id',
    'x',
    '400 INVALID_ARGUMENT: Invalid value for traceId: it must be 32 hexadecimal digits that are not all zero.',
  ],
])('traces.get refuses: %s', (_what, id, refusal) => {
  expect(traced().refused(GET, { path: { ...path, traceId: id } })).toBe(refusal);
});

describe('traces.list', () => {
  /** Five traces: the second of the start, the seconds it takes, and the root's name, by number. */
  const five = () => {
    const world = traced();
    const rows = [
      [1, 10, 5, 'delta'],
      [2, 20, 4, 'alpha'],
      [3, 30, 3, 'echo'],
      [4, 40, 2, 'bravo'],
      [5, 50, 1, 'charlie'],
    ] as const;
    for (const [number, start, seconds, value] of rows)
      world.write(
        span(traceId(number), spanId(1), {
          displayName: { value },
          startTime: `2026-11-21T00:00:${start}Z`,
          endTime: `2026-11-21T00:00:${start + seconds}Z`,
        }),
        span(traceId(number), spanId(2), {
          parentSpanId: spanId(1),
          displayName: { value: `child of ${value}` },
          startTime: '2026-11-20T00:00:00Z',
        }),
      );
    return world;
  };
  const ids = (...numbers: number[]): string[] => numbers.map(traceId);

  test.each([
    ['the newest first without an order', {}, [5, 4, 3, 2, 1]],
    ['start', { orderBy: 'start' }, [1, 2, 3, 4, 5]],
    ['start desc', { orderBy: 'start desc' }, [5, 4, 3, 2, 1]],
    ['name', { orderBy: 'name' }, [2, 4, 5, 1, 3]],
    ['name desc', { orderBy: 'name desc' }, [3, 1, 5, 4, 2]],
    ['duration', { orderBy: 'duration' }, [5, 4, 3, 2, 1]],
    ['duration desc', { orderBy: 'duration desc' }, [1, 2, 3, 4, 5]],
    ['trace_id', { orderBy: 'trace_id' }, [1, 2, 3, 4, 5]],
    ['trace_id desc', { orderBy: ' trace_id  desc ' }, [5, 4, 3, 2, 1]],
    ['an interval with both ends', { startTime: '2026-11-21T00:00:20Z', endTime: '2026-11-21T00:00:40Z' }, [4, 3, 2]],
    ['an interval in another order', { startTime: '2026-11-21T00:00:20Z', orderBy: 'name' }, [2, 4, 5, 3]],
    ['an interval of another zone', { endTime: '2026-11-21T01:00:20.0+01:00' }, [2, 1]],
    ['a filter by the root', { filter: 'root:d' }, [1]],
    ['a filter by any span', { filter: '+span:"child of echo"' }, [3]],
    ['a filter by latency', { filter: 'latency:4s' }, [2, 1]],
  ] as const)('%s', (_what, query, numbers) => {
    const world = five();
    expect(world.list(query).ids).toEqual(ids(...numbers));
    // The same, page by page.
    const found: unknown[] = [];
    let token = '';
    for (let page = 0; page < 6; page += 1) {
      const answer = world.list({ ...query, pageSize: 1, ...(token !== '' && { pageToken: token }) });
      expect(answer.ids.length).toBeLessThanOrEqual(1);
      found.push(...answer.ids);
      ({ token } = answer);
      if (token === '') break;
    }
    expect(found).toEqual(ids(...numbers));
    expect(token).toBe('');
  });

  test.each([
    ['MINIMAL', undefined],
    ['', undefined],
    ['1', undefined],
    ['ROOTSPAN', ['echo']],
    ['COMPLETE', ['child of echo', 'echo']],
  ])('view %s', (view, names) => {
    const [first] = five().list({ view, filter: 'root:echo' }).traces;
    expect(first).toMatchObject({ projectId: 'local', traceId: traceId(3) });
    const spans = first?.['spans'] as JsonObject[] | undefined;
    expect(spans?.map((each) => each['name'])).toEqual(names);
  });

  test('K9: a token of another query or project is refused', () => {
    const world = five();
    const { token } = world.list({ pageSize: 2 });
    const refused = (projectId: string, query: Record<string, string>) =>
      world.refused(LIST, { path: { projectId }, query: { ...query, pageToken: token } });
    expect(refused('local', { orderBy: 'name' })).toBe('400 INVALID_ARGUMENT: Invalid Input: pageToken');
    expect(refused('other', {})).toBe('400 INVALID_ARGUMENT: Invalid Input: pageToken');
    expect(world.list({ pageSize: 3, pageToken: token }).ids).toEqual(ids(3, 2, 1));
  });

  test.each([
    ['view', { view: 'ALL' }],
    ['view', { view: '4' }],
    ['startTime', { startTime: 'yesterday' }],
    ['end time', { startTime: '2026-11-21T00:00:01Z', endTime: '2026-11-21T00:00:00Z' }],
    ['order', { orderBy: 'spans' }],
    ['order', { orderBy: 'name down' }],
    ['order', { orderBy: 'name desc, start' }],
    ['filter', { filter: 'latency:soon' }],
  ])('refuses a wrong %s before the store is asked', (word, query) => {
    const world = traced();
    const refusal = world.refused(LIST, { path, query });
    expect(refusal).toMatch(/^400 INVALID_ARGUMENT: /);
    expect(refusal.toLowerCase()).toContain(word.toLowerCase());
    expect(world.handed()).toBeUndefined();
  });

  test('a page size that is not above 0 is as if it were not there', () => {
    expect(five().list({ pageSize: -1 }).ids).toHaveLength(5);
  });

  test('a project sees its own traces only', () => {
    expect(five().ok(LIST, { path: { projectId: 'other' } })).toEqual({});
    expect(five().refused(LIST, { path: { projectId: 'local/x' } })).toBe(
      '400 INVALID_ARGUMENT: Invalid Input: projectId',
    );
  });
});
