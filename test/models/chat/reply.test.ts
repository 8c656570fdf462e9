import { expect, test } from 'vitest';
import { createEngineFetch } from '../../../src/models/chat/engine-fetch.ts';
import { streamReply } from '../../../src/models/chat/reply.ts';
import { createThoughtFilter } from '../../../src/models/chat/thought-filter.ts';
import type { ChatPiece } from '../../../src/models/answer/port.ts';
import { withoutThoughts } from '../../../src/models/answer/thoughts.ts';

const filtered = (pieces: readonly string[]): string => {
  const filter = createThoughtFilter();
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end();
};

const THOUGHTS: readonly [string, string][] = [
  ['A shard is a part.', 'A shard is a part.'],
  ['  A shard', '  A shard'],
  ['<think>hm</think>A', 'A'],
  ['\n <THINK>hm</Think>\n\n A', 'A'],
  ['<thinking>a < b</thinking>A <think>b</think>', 'A <think>b</think>'],
  ['<think>a</think> <think>b</think> A', 'A'],
  ['<think>a</think>', ''],
  ['<think>never ends', ''],
  ['<think>almost</thin', ''],
  ['<thi', '<thi'],
  ['<thinner>A', '<thinner>A'],
  ['', ''],
  [`${'<think>x</think>'.repeat(8)}A`, 'A'],
  [`${' '.repeat(201)}<think>hm</think>A`, `${' '.repeat(201)}<think>hm</think>A`],
];

test.each(THOUGHTS)('%j without its thoughts is %j, whole and character by character', (text, answer) => {
  expect(filtered([text])).toBe(answer);
  expect(filtered(Array.from(text))).toBe(answer);
});

test('pieces lose what whole answers lose, where the thoughts have a beginning', () => {
  for (const [text] of THOUGHTS.filter(([one]) => !one.startsWith(' '.repeat(201)) && !one.includes('A <think>')))
    expect([text, filtered([text])]).toEqual([text, withoutThoughts(text)]);
});

test('an answer is not held back', () => {
  const filter = createThoughtFilter();
  expect(filter.push('A')).toBe('A');
  expect(filter.push(' <think>')).toBe(' <think>');
});

async function* source(...pieces: ChatPiece[]): AsyncGenerator<ChatPiece> {
  yield* pieces;
}
const text = (of: string): ChatPiece => ({ kind: 'text', text: of });
const END: ChatPiece = { kind: 'end', finish: 'stop' };
async function all(pieces: AsyncIterable<ChatPiece>, signal = new AbortController().signal) {
  const found: ChatPiece[] = [];
  for await (const piece of streamReply(pieces, signal)) found.push(piece);
  return found;
}

test('two halves of a character that come apart are one again, and a half alone is replaced', async () => {
  expect(await all(source(text('a\uD83D'), text('\uDE00b\uD83D'), END))).toEqual([
    text('a'),
    text('\u{1F600}b'),
    text('\uFFFD'),
    END,
  ]);
});

test('a source that ends without an end has failed', async () => {
  expect(await all(source(text('a')))).toMatchObject([text('a'), { kind: 'failure', reason: 'broke_off' }]);
});

test('nothing comes after an end or a failure', async () => {
  const failure: ChatPiece = { kind: 'failure', reason: 'refused', detail: 'status 400', retryable: false };
  expect(await all(source(text('a'), END, text('b')))).toEqual([text('a'), END]);
  expect(await all(source(failure, text('b')))).toEqual([failure]);
});

test('a bug in a source is thrown', async () => {
  // oxlint-disable-next-line require-yield -- It never gets that far.
  async function* broken(): AsyncGenerator<ChatPiece> {
    throw new RangeError('a bug');
  }
  await expect(all(broken())).rejects.toThrow(RangeError);
});

test('a signal that is over already asks nobody', async () => {
  const asked: string[] = [];
  async function* listening(): AsyncGenerator<ChatPiece> {
    asked.push('asked');
    yield END;
  }
  expect(await all(listening(), AbortSignal.abort())).toMatchObject([{ kind: 'failure', reason: 'timeout' }]);
  expect(asked).toEqual([]);
});

const LIMITS = { maxBytes: 10, firstByteMs: 60, idleMs: 60 };
const bodyOf = (...parts: (string | null)[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull: (controller) => {
      const part = parts.shift();
      if (part === undefined) controller.close();
      else if (part !== null) controller.enqueue(new TextEncoder().encode(part));
      else return new Promise(() => {}); // Nothing more ever comes.
    },
  });
const read = (response: () => Promise<Response> | Response): Promise<string> =>
  createEngineFetch(async () => response(), LIMITS)('https://engine.test').then((answer) => answer.text());

test('an answer within its limits comes as it is', async () => {
  expect(await read(() => new Response(bodyOf('12345', '67890')))).toBe('1234567890');
});

test.each<[string, () => Promise<Response> | Response, string]>([
  ['too many bytes', () => new Response(bodyOf('12345', '678901')), 'EngineAnswerRefused'],
  ['no answer in time', () => new Promise<Response>(() => {}), 'TimeoutError'],
  ['no first byte in time', () => new Response(bodyOf(null)), 'TimeoutError'],
  ['a pause that is too long', () => new Response(bodyOf('1', null)), 'TimeoutError'],
  ['a redirect', () => new Response(null, { status: 302, headers: { location: '/' } }), 'EngineAnswerRefused'],
  ['a connection that fails', () => Promise.reject(new TypeError('fetch failed')), 'EngineUnreachable'],
])('%s is refused', async (_what, response, name) => {
  await expect(read(response)).rejects.toMatchObject({ name });
});
