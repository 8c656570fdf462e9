import { waitOrAbort } from '../../net/deadline.ts';
import type { FailureReason, ChatPiece } from '../port.ts';
import { createThoughtFilter } from './thoughts.ts';

/** Longest reply to a chat, in bytes of UTF-8; what is beyond is cut off, and the engine stopped. */
const MAX_REPLY_BYTES = 32 * 1024;
/** Bytes of UTF-8 that one UTF-16 unit takes at most. */
const MAX_BYTES_OF_UNIT = 3;
const HIGH_SURROGATE = /[\uD800-\uDBFF]$/u;

/** A failure of an engine as a piece, in our words. */
export const buildFailurePiece = (
  reason: FailureReason | 'broke_off',
  detail: string,
  retryable = false,
): ChatPiece => ({
  kind: 'failure',
  reason,
  detail,
  retryable,
});

/** An engine that stopped in the middle: its text is no answer. */
export const buildBrokenOffPiece = (): ChatPiece => buildFailurePiece('broke_off', 'the answer broke off', true);

/**
 * The pieces of a reply as callers get them: without thoughts, well-formed, at most 32 KiB, and with exactly one end or
 * failure. It ends with the signal even when the source does not, and stops the source when it ends before it.
 */
export async function* streamReply(source: AsyncIterable<ChatPiece>, signal: AbortSignal): AsyncGenerator<ChatPiece> {
  const text = createTextLimiter();
  for await (const piece of streamUntilAborted(source, signal)) {
    if (piece.kind === 'failure') {
      yield piece;
      return;
    }
    const kept = piece.kind === 'text' ? text.push(piece.text) : text.end();
    if (kept !== '') yield { kind: 'text', text: kept };
    if (text.isFull()) {
      yield { ...(piece.kind === 'end' ? piece : { kind: 'end' }), finish: 'length' };
      return;
    }
    if (piece.kind === 'text') continue;
    yield text.isBlank() ? buildFailurePiece('empty_answer', 'an answer without text', piece.finish !== 'stop') : piece;
    return;
  }
  yield buildBrokenOffPiece();
}

/** The pieces of a source that may not listen to the signal itself. */
async function* streamUntilAborted(source: AsyncIterable<ChatPiece>, signal: AbortSignal): AsyncGenerator<ChatPiece> {
  const pieces = source[Symbol.asyncIterator]();
  try {
    while (!signal.aborted) {
      const next = await waitOrAbort(pieces.next(), signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        return undefined;
      });
      if (next === undefined) break;
      if (next.done) return;
      yield next.value;
    }
    yield buildFailurePiece('timeout', 'the answer took too long', true);
  } finally {
    // Not waited for: a source that hangs would never say that it has stopped.
    void pieces.return?.().catch(() => undefined);
  }
}

type TextKeeper = { push: (text: string) => string; end: () => string; isFull: () => boolean; isBlank: () => boolean };

/** Keeps what of a text may be handed out: bytes are counted, and halves of a character wait for each other. */
function createTextLimiter(): TextKeeper {
  const thoughts = createThoughtFilter();
  let [half, left, isFull, isBlank] = ['', MAX_REPLY_BYTES, false, true];
  const kept = (text: string): string => {
    if (isFull) return '';
    const room = new Uint8Array(Math.min(left, text.length * MAX_BYTES_OF_UNIT));
    const { read, written } = new TextEncoder().encodeInto(text.toWellFormed(), room);
    left -= written;
    isFull = read < text.length;
    if (text.slice(0, read).trim() !== '') isBlank = false;
    return text.slice(0, read).toWellFormed();
  };
  return {
    push: (given) => {
      const text = half + thoughts.push(given);
      half = HIGH_SURROGATE.exec(text)?.[0] ?? '';
      return kept(text.slice(0, text.length - half.length));
    },
    end: () => kept(half + thoughts.end()),
    isFull: () => isFull,
    isBlank: () => isBlank,
  };
}
