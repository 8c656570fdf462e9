import { expect, test } from 'vitest';
import { streamReply } from '../../../src/models/core/reply.ts';
import type { ChatPiece } from '../../../src/models/port.ts';

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
