import type { EngineMessage, ChatEngine, ChatPiece } from '../../models/port.ts';
import {
  CHAT_MS,
  type ChatFailure,
  DONE,
  formatErrorEvent,
  describeChatFailure,
  type Frames,
  HEARTBEAT,
} from './frames.ts';

/** A comment goes out every so often while nothing else does, in milliseconds. */
const HEARTBEAT_MS = 15_000;
const BUG = { code: 'internal_error', message: 'Internal server error' };
const TOO_LATE: ChatFailure = {
  kind: 'failure',
  reason: 'timeout',
  detail: 'the answer took too long',
  retryable: true,
};

export type ChatStreaming = {
  engine: ChatEngine;
  messages: readonly EngineMessage[];
  frames: Frames;
  /** Hears of a bug of ours: the stream has begun, so that no status can tell. */
  onBug: (error: unknown) => void;
  /** Hears of an engine that failed, and whether some of its answer had come; the stream ends after it. */
  onFailure?: (failure: ChatFailure, hadText: boolean) => Promise<void>;
  limitMs?: number;
};

/**
 * A chat as server-sent events. The first one is there at once, before the engine is asked: it is asked when someone
 * reads on. A failure is one `error` event, and then the end; so is a chat that takes too long, whether it is read on
 * or not. A reader that goes away stops the engine.
 */
export function createChatStream(streaming: ChatStreaming): ReadableStream<Uint8Array> {
  const { engine, messages, frames, limitMs = CHAT_MS } = streaming;
  const encoder = new TextEncoder();
  const stop = new AbortController();
  let next: (() => Promise<Events>) | undefined;
  let leave = (): void => {};
  let timers: (() => void) | undefined;
  let isOver = false;
  const over = (): void => {
    isOver = true;
    timers?.();
    stop.abort();
    leave();
  };
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (frames.first !== undefined) controller.enqueue(encoder.encode(frames.first));
    },
    pull: async (controller) => {
      const send = ({ text, isLast }: Events): void => {
        if (isOver) return;
        controller.enqueue(encoder.encode(text));
        if (!isLast) return;
        over();
        controller.close();
      };
      if (next === undefined) {
        const reply = engine.reply(messages, stop.signal)[Symbol.asyncIterator]();
        // Not waited for: a source that hangs would never say that it has stopped.
        leave = () => void reply.return?.().catch(() => undefined);
        next = createEventReader(reply, streaming);
        // Comments wait for no one: one that is not read yet is enough.
        const beat = (): void => {
          if ((controller.desiredSize ?? 0) > 0) send({ text: HEARTBEAT, isLast: false });
        };
        timers = startTimers(beat, () => send(endWithFailure(TOO_LATE)), limitMs);
      }
      send(await next());
    },
    cancel: over,
  });
}

type Events = { text: string; isLast: boolean };

function startTimers(beat: () => void, end: () => void, limitMs: number): () => void {
  const heart = setInterval(beat, HEARTBEAT_MS);
  const limit = setTimeout(end, limitMs);
  return () => {
    clearInterval(heart);
    clearTimeout(limit);
  };
}

/** Reads one piece of a reply after the other, as events. */
function createEventReader(
  reply: AsyncIterator<ChatPiece>,
  { frames, onBug, onFailure }: ChatStreaming,
): () => Promise<Events> {
  let hadText = false;
  return async () => {
    try {
      const { value: piece, done } = await reply.next();
      if (done) throw new Error('A reply without an end');
      if (piece.kind === 'end') return { text: `${frames.end(piece.finish, piece.usage)}${DONE}`, isLast: true };
      if (piece.kind === 'text') {
        hadText = true;
        return { text: frames.text(piece.text), isLast: false };
      }
      await onFailure?.(piece, hadText);
      return endWithFailure(piece);
    } catch (error) {
      onBug(error);
      return { text: formatErrorEvent(BUG.code, BUG.message), isLast: true };
    }
  };
}

const endWithFailure = (failure: ChatFailure): Events => ({
  text: formatErrorEvent(`engine_${failure.reason}`, describeChatFailure(failure)),
  isLast: true,
});
