import { expect, test } from 'vitest';
import type { CallAnswer, Call } from '../../../../src/management/core/engine/operation.ts';
import type { EntryOrder, EntrySource } from '../../../../src/management/log-store/order.ts';
import {
  parseBufferMs,
  MAX_SESSIONS,
  type Tails,
  createLogTails,
} from '../../../../src/management/log-store/tail/tail.ts';
import type { Json, JsonObject } from '../../../../src/lib/json.ts';
import { BUCKET, placedEntry } from '../placed-entry.ts';

/** Sessions whose entries are told at once, and which end as soon as they are told of something. */
const tails = (): Tails & { pass: () => void } => {
  const works = new Set<() => void>();
  const after = (_ms: number, work: () => void) => {
    works.add(work);
    return () => void works.delete(work);
  };
  const pass = (): void => {
    for (const work of [...works].toReversed()) if (works.delete(work)) work();
  };
  return { ...createLogTails({ now: () => 1_800_000_000_000, after }), pass };
};
const callOf = (body: JsonObject): Call => ({
  method: 'logging.entries.tail',
  path: {},
  query: {},
  body,
  caller: { tenant: 'C1', kind: 'operator', userId: '', clientId: '', scopes: [] },
});
const orderOf = (sources: readonly EntrySource[]): Extract<EntryOrder, { do: 'tail' }> => ({
  do: 'tail',
  nowMs: 1_800_000_000_000,
  sources,
  buckets: [],
  salt: '',
});
const opened = (told: ReadableStream<Uint8Array> | CallAnswer): ReadableStream<Uint8Array> => {
  if (!(told instanceof ReadableStream)) throw new Error(JSON.stringify(told));
  return told;
};
const refusal = (told: ReadableStream<Uint8Array> | CallAnswer): unknown =>
  told instanceof ReadableStream || told.ok
    ? 'accepted'
    : [told.refusal.status, told.refusal.word, told.refusal.message];

async function heard(body: JsonObject, sources: readonly EntrySource[]): Promise<unknown[]> {
  const all = tails();
  const stream = opened(all.open(callOf(body), orderOf(sources)));
  all.take([
    placedEntry(1, { text: 'a quick fox' }),
    placedEntry(2, { text: 'a lazy dog' }),
    placedEntry(3, { bucket: `${BUCKET}-other`, text: 'another fox' }),
  ]);
  all.pass();
  const elements = JSON.parse(await new Response(stream).text()) as { entries?: { textPayload: string }[] }[];
  return elements.flatMap(({ entries = [] }) => entries.map(({ textPayload }) => textPayload));
}

test.each<[string, JsonObject, EntrySource[], string[]]>([
  ['all of a bucket', {}, [{ bucket: BUCKET }], ['a quick fox', 'a lazy dog']],
  ['what the filter takes', { filter: 'textPayload:fox' }, [{ bucket: BUCKET }], ['a quick fox']],
  ['what a view shows', {}, [{ bucket: BUCKET, filter: 'textPayload:dog' }], ['a lazy dog']],
  [
    'what any of two views shows',
    {},
    [{ bucket: BUCKET, filter: 'textPayload:dog' }, { bucket: BUCKET }],
    ['a quick fox', 'a lazy dog'],
  ],
  [
    'what the filter takes of a view',
    { filter: 'textPayload:fox' },
    [{ bucket: BUCKET, filter: 'textPayload:dog' }],
    [],
  ],
  [
    'of several buckets',
    { filter: 'textPayload:fox' },
    [{ bucket: BUCKET }, { bucket: `${BUCKET}-other` }],
    ['a quick fox', 'another fox'],
  ],
  ['nothing of no bucket', {}, [], []],
])('a session tells %s', async (_what, body, sources, texts) => {
  expect(await heard(body, sources)).toEqual(texts);
});

test.each<[Json, number]>([
  ['0s', 0],
  ['2s', 2_000],
  ['0.5s', 500],
  ['60s', 60_000],
  ['0.000000001s', 0],
  ['', 2_000],
])('bufferWindow %j is %i ms', (text, ms) => {
  expect(parseBufferMs(text)).toBe(ms);
});

test('bufferWindow is 2 s where none is sent', () => {
  expect(parseBufferMs(undefined)).toBe(2_000);
});

test.each<[JsonObject]>([
  [{ bufferWindow: '60.000000001s' }],
  [{ bufferWindow: '61s' }],
  [{ bufferWindow: '-1s' }],
  [{ bufferWindow: '2' }],
  [{ bufferWindow: '2m' }],
  [{ bufferWindow: '1e1s' }],
  [{ bufferWindow: 2 }],
])('%j is refused before anything is streamed', (body) => {
  const all = tails();
  expect(refusal(all.open(callOf(body), orderOf([])))).toEqual([
    400,
    'INVALID_ARGUMENT',
    'bufferWindow must be between 0s and 60s',
  ]);
  expect(all.count()).toBe(0);
});

test.each(['severity >', 'a'.repeat(20_001), '('.repeat(1_000)])(
  'a filter that is none is refused with 400',
  (filter) => {
    expect(refusal(tails().open(callOf({ filter }), orderOf([])))).toEqual([
      400,
      'INVALID_ARGUMENT',
      expect.any(String),
    ]);
  },
);

test('K9: a tenant has ten sessions at a time; one that ends makes room', async () => {
  const all = tails();
  const open = () => all.open(callOf({}), orderOf([{ bucket: BUCKET }]));
  const streams = Array.from({ length: MAX_SESSIONS }, () => opened(open()));
  expect(refusal(open())).toEqual([429, 'RESOURCE_EXHAUSTED', 'A tenant tails in at most 10 sessions at a time']);
  await streams[0]?.cancel();
  expect(all.count()).toBe(9);
  expect(refusal(open())).toBe('accepted');
});
