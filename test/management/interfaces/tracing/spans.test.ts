import { describe, expect, test } from 'vitest';
import { MAX_STORED_SPAN_CHARS, MAX_SPANS_A_CALL } from '../../../../src/management/interfaces/tracing/schemas.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { objects, PROJECT, span, spanId, TRACE, traced } from './traced.ts';

const ID = '00f067aa0ba902b7';
const BATCH = 'cloudtrace.projects.traces.batchWrite';
const CREATE = 'cloudtrace.projects.traces.spans.createSpan';
const name = (trace: string, id: string): string => `${PROJECT}/traces/${trace}/spans/${id}`;

/** The span that a batch of one hands to the store. */
function kept(sent: JsonObject): JsonObject {
  const world = traced();
  world.write(sent);
  const order = world.handed();
  return order?.do === 'writeSpans' ? (order.spans[0] ?? {}) : {};
}

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

test('a batch of spans is answered with an empty object and read back', () => {
  const world = traced();
  const answer = world.write(
    span(TRACE, ID, { spanKind: 'SERVER' }),
    span(TRACE, spanId(2), { parentSpanId: ID, displayName: { value: 'SELECT' } }),
  );
  expect(answer).toEqual({});
  expect(world.get(TRACE).map((each) => each['name'])).toEqual(['SELECT', 'GET /']);
  expect(world.get(TRACE)[1]).toEqual({
    spanId: '67667974448284343',
    kind: 'RPC_SERVER',
    name: 'GET /',
    startTime: '2026-11-21T00:00:00Z',
    endTime: '2026-11-21T00:00:01Z',
    labels: {},
  });
});

test('a batch without spans is no error', () => {
  expect(traced().write()).toEqual({});
});

test('createSpan answers with the span as it is kept, its ids in lower case', () => {
  const world = traced();
  const [trace, id] = [TRACE.toUpperCase(), ID.toUpperCase()];
  const body = { ...span(trace, id), displayName: { value: 'é'.repeat(100) } };
  const created = world.ok(CREATE, { path: { name: name(trace, id) }, body });
  expect(created).toEqual({
    ...span(TRACE, ID),
    displayName: { value: 'é'.repeat(64), truncatedByteCount: 72 },
  });
  expect(world.get(TRACE)).toHaveLength(1);
});

test('createSpan takes the name from the path where the body has none', () => {
  const { name: _left, ...body } = span(TRACE, ID);
  expect(traced().ok(CREATE, { path: { name: name(TRACE, ID) }, body })['name']).toBe(name(TRACE, ID));
});

test.each([
  ['another span in the path', name(TRACE, spanId(3)), span(TRACE, ID), 'span.name'],
  ['no trace id in the path', `${PROJECT}/traces/x/spans/${ID}`, span(TRACE, ID), 'name'],
  [
    'a span of another project',
    name(TRACE, ID),
    span(TRACE, ID, { name: `projects/x/traces/${TRACE}/spans/${ID}` }),
    'span.name',
  ],
])('createSpan refuses %s', (_what, path, body, field) => {
  expect(traced().refused(CREATE, { path: { name: path }, body })).toMatch(
    new RegExp(`^400 INVALID_ARGUMENT: Invalid value for ${field}: `),
  );
});

describe('a batch is refused as a whole for', () => {
  const zeros = '0'.repeat(32);
  test.each<[string, JsonObject, string]>([
    ['a name of another project', { name: `projects/x/traces/${TRACE}/spans/${ID}` }, 'spans[1].name'],
    ['no name', { name: '' }, 'spans[1].name'],
    ['a trace id of zeros', { name: name(zeros, ID) }, 'spans[1].name'],
    ['a trace id that is short', { name: name('abc', ID) }, 'spans[1].name'],
    ['a span id of zeros', { name: name(TRACE, '0'.repeat(16)) }, 'spans[1].name'],
    ['a span id that is no hexadecimal', { name: name(TRACE, 'g'.repeat(16)) }, 'spans[1].name'],
    ['another id than in the name', { spanId: spanId(9) }, 'spans[1].spanId'],
    ['no id', { spanId: '' }, 'spans[1].spanId'],
    ['a parent that is no id', { parentSpanId: 'x' }, 'spans[1].parentSpanId'],
    ['a parent of zeros', { parentSpanId: '0'.repeat(16) }, 'spans[1].parentSpanId'],
    ['no start', { startTime: null }, 'spans[1].startTime'],
    ['no end', { endTime: null }, 'spans[1].endTime'],
    ['an end before the start', { endTime: '2026-11-20T23:59:59.999999999Z' }, 'spans[1].endTime'],
    ['a time of the year 10000', { endTime: '9999-12-31T23:59:59-01:00' }, 'spans[1].endTime'],
    ['no display name', { displayName: null }, 'spans[1].displayName'],
    ['an empty display name', { displayName: { value: '' } }, 'spans[1].displayName'],
    ['less than no children', { childSpanCount: -1 }, 'spans[1].childSpanCount'],
    [
      'two values of one attribute',
      { attributes: { attributeMap: { a: { boolValue: true, intValue: '1' } } } },
      'spans[1].attributes.attributeMap',
    ],
    ['a link to no trace', { links: { link: [{ traceId: zeros, spanId: ID }] } }, 'spans[1].links.link[0].traceId'],
    ['a link to no span', { links: { link: [{ traceId: TRACE, spanId: '1' }] } }, 'spans[1].links.link[0].spanId'],
    [
      'an event of two kinds',
      { timeEvents: { timeEvent: [{ annotation: {}, messageEvent: {} }] } },
      'spans[1].timeEvents.timeEvent[0]',
    ],
    ['too many bytes', { status: { code: 2, message: 'x'.repeat(MAX_STORED_SPAN_CHARS) } }, 'spans[1]'],
  ])('%s', (_what, more, field) => {
    const world = traced();
    const spans = [span(TRACE, spanId(1)), span(TRACE, ID, more)];
    const refusal = world.refused(BATCH, { path: { name: PROJECT }, body: { spans } });
    expect(refusal).toMatch(/^400 INVALID_ARGUMENT: /);
    expect(refusal).toContain(field);
    expect(world.list().ids).toEqual([]);
  });

  test('more spans than one call may have', () => {
    const spans = many(MAX_SPANS_A_CALL + 1, (at) => span(TRACE, spanId(at + 1)));
    expect(traced().refused(BATCH, { path: { name: PROJECT }, body: { spans } })).toBe(
      '400 INVALID_ARGUMENT: Invalid value for spans: it must have at most 2000 spans.',
    );
  });
});

describe('what is above its limit is cut and counted', () => {
  test('texts, between characters, with what was cut before', () => {
    expect(
      kept(span(TRACE, ID, { displayName: { value: `${'a'.repeat(127)}é`, truncatedByteCount: 5 } })),
    ).toMatchObject({ displayName: { value: 'a'.repeat(127), truncatedByteCount: 7 } });
    expect(kept(span(TRACE, ID, { displayName: { value: 'a'.repeat(128) } }))['displayName']).toEqual({
      value: 'a'.repeat(128),
    });
  });

  test('attributes: 32, with keys of 128 bytes and values of 256', () => {
    const map = Object.fromEntries([
      ['é'.repeat(65), { intValue: '1' }],
      ['é'.repeat(64), { stringValue: { value: 'x'.repeat(257) } }],
      ...many(32, (at): [string, JsonObject] => [`key-${at}`, { boolValue: true }]),
    ]);
    const { attributes } = kept(span(TRACE, ID, { attributes: { attributeMap: map, droppedAttributesCount: 3 } }));
    expect(attributes).toMatchObject({
      droppedAttributesCount: 5,
      attributeMap: { ['é'.repeat(64)]: { stringValue: { value: 'x'.repeat(256), truncatedByteCount: 1 } } },
    });
    const keys = Object.keys((attributes as JsonObject)['attributeMap'] as JsonObject);
    expect(keys).toHaveLength(32);
    expect(keys).not.toContain('é'.repeat(65));
  });

  test('events: 32 annotations with 4 attributes each, and 128 messages', () => {
    const attributeMap = Object.fromEntries(many(5, (at): [string, JsonObject] => [`${at}`, { boolValue: true }]));
    const timeEvent = [
      ...many(33, () => ({ annotation: { description: { value: 'x'.repeat(300) }, attributes: { attributeMap } } })),
      ...many(130, (at) => ({ messageEvent: { id: String(at) } })),
    ];
    const { timeEvents } = kept(span(TRACE, ID, { timeEvents: { timeEvent } }));
    expect(timeEvents).toMatchObject({ droppedAnnotationsCount: 1, droppedMessageEventsCount: 2 });
    const events = objects((timeEvents as JsonObject)['timeEvent']);
    expect(events).toHaveLength(160);
    expect(events[0]).toMatchObject({
      annotation: { description: { truncatedByteCount: 44 }, attributes: { droppedAttributesCount: 1 } },
    });
  });

  test('links: 128, and frames of a stack: 128', () => {
    const links = { link: many(130, () => ({ traceId: TRACE, spanId: ID, type: 'CHILD_LINKED_SPAN' })) };
    const frame = { functionName: { value: 'f'.repeat(1_025) }, loadModule: { buildId: { value: 'b'.repeat(129) } } };
    const stackTrace = { stackTraceHashId: '7', stackFrames: { frame: many(129, () => frame) } };
    const span_ = kept(span(TRACE, ID, { links, stackTrace }));
    expect(span_['links']).toMatchObject({ droppedLinksCount: 2 });
    expect(objects((span_['links'] as JsonObject)['link'])).toHaveLength(128);
    expect(span_['stackTrace']).toMatchObject({ stackTraceHashId: '7', stackFrames: { droppedFramesCount: 1 } });
    const { frame: frames } = (span_['stackTrace'] as JsonObject)['stackFrames'] as JsonObject;
    expect(objects(frames)[127]).toEqual({
      functionName: { value: 'f'.repeat(1_024), truncatedByteCount: 1 },
      loadModule: { buildId: { value: 'b'.repeat(128), truncatedByteCount: 1 } },
    });
  });
});

test('all else of a span is kept as it was sent', () => {
  const more = {
    parentSpanId: spanId(7),
    spanKind: 'CONSUMER',
    childSpanCount: 2,
    sameProcessAsParentSpan: true,
    status: { code: 5, message: 'no such page', details: [{ '@type': 'x', reason: 'gone' }] },
    links: { link: [{ traceId: TRACE, spanId: spanId(3), type: 'PARENT_LINKED_SPAN' }] },
  };
  expect(kept(span(TRACE, ID, more))).toEqual(span(TRACE, ID, more));
});
