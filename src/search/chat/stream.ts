import type { EngineMessage } from '../engines/messages.ts';
import type { ChatEngine, ChatPiece } from '../search-object.ts';
import { CHAT_MS } from './answer.ts';
import { failureMessage } from './failures.ts';
import { DONE, errorEvent, type Frames, HEARTBEAT } from './frames.ts';

/** A comment goes out every so often while nothing else does, in milliseconds. */
const HEARTBEAT_MS = 15_000;
const BUG = { code: 'internal_error', message: 'Internal server error' };

export type ChatStreaming = {
  engine: ChatEngine;
  messages: readonly EngineMessage[];
  frames: Frames;
  /** Hears of a bug of ours: the stream has begun, so that no status can tell. */
  onBug: (error: unknown) => void;
  limitMs?: number;
};

/**
 * A chat as server-sent events. The first one is there at once, before the engine is asked: it is asked when somebody
 * reads on. A failure is one `error` event, and then the end; a reader that goes away stops the engine.
 */
export function chatStream({
  engine,
  messages,
  frames,
  onBug,
  limitMs = CHAT_MS,
}: ChatStreaming): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const stop = new AbortController();
  let reply: AsyncIterator<ChatPiece> | undefined;
  let timers: (() => void) | undefined;
  let isGone = false;
  const end = (): void => {
    timers?.();
    stop.abort();
  };
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (frames.first !== undefined) controller.enqueue(encoder.encode(frames.first));
    },
    pull: async (controller) => {
      timers ??= startTimers(() => controller.enqueue(encoder.encode(HEARTBEAT)), stop, limitMs);
      reply ??= engine.reply(messages, stop.signal)[Symbol.asyncIterator]();
      const { text, isLast } = await nextEvents(reply, frames, onBug);
      if (isGone) return;
      controller.enqueue(encoder.encode(text));
      if (!isLast) return;
      end();
      controller.close();
    },
    cancel: () => {
      isGone = true;
      end();
      // Not waited for: a source that hangs would never say that it has stopped.
      void reply?.return?.().catch(() => undefined);
    },
  });
}

function startTimers(beat: () => void, stop: AbortController, limitMs: number): () => void {
  const heart = setInterval(beat, HEARTBEAT_MS);
  const limit = setTimeout(() => stop.abort(), limitMs);
  return () => {
    clearInterval(heart);
    clearTimeout(limit);
  };
}

async function nextEvents(
  reply: AsyncIterator<ChatPiece>,
  frames: Frames,
  onBug: (error: unknown) => void,
): Promise<{ text: string; isLast: boolean }> {
  try {
    const { value: piece, done } = await reply.next();
    if (done) throw new Error('A reply without an end');
    if (piece.kind === 'text') return { text: frames.text(piece.text), isLast: false };
    if (piece.kind === 'end') return { text: `${frames.end(piece.finish)}${DONE}`, isLast: true };
    return { text: errorEvent(`engine_${piece.reason}`, failureMessage(piece)), isLast: true };
  } catch (error) {
    onBug(error);
    return { text: errorEvent(BUG.code, BUG.message), isLast: true };
  }
}
