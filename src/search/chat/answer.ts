import { withoutThoughts } from '../../models/answer/thoughts.ts';
import type { EngineMessage } from '../../models/chat/messages.ts';
import type { ChatEngine, ChatPiece } from '../search-object.ts';
import type { ChatFailure } from './failures.ts';
import type { Finish, Usage } from './frames.ts';

/** Longest chat, in milliseconds, from the question to the engine until its last word. */
export const CHAT_MS = 120_000;

export type WholeAnswer =
  | { ok: true; text: string; finish: Finish; usage?: Usage }
  /** `hadText`: some of the answer had come already. */
  | { ok: false; failure: ChatFailure; hadText: boolean };

/** The whole reply of an engine, which has so much time and is stopped by the signal: nobody waits for it then. */
export async function wholeAnswer(
  engine: ChatEngine,
  messages: readonly EngineMessage[],
  signal: AbortSignal,
  limitMs = CHAT_MS,
): Promise<WholeAnswer> {
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(), limitMs);
  try {
    let text = '';
    for await (const piece of engine.reply(messages, AbortSignal.any([signal, time.signal]))) {
      if (piece.kind === 'text') text += piece.text;
      if (piece.kind === 'failure') return { ok: false, failure: piece, hadText: text !== '' };
      if (piece.kind === 'end') return whole(text, piece);
    }
    throw new Error('A reply without an end');
  } finally {
    clearTimeout(timer);
  }
}

/** Thoughts whose beginning only the whole text shows go too; where nothing else is left they are no answer. */
function whole(given: string, { finish, usage }: Extract<ChatPiece, { kind: 'end' }>): WholeAnswer {
  const text = withoutThoughts(given);
  if (text.trim() !== '') return { ok: true, text, finish, ...(usage === undefined ? {} : { usage }) };
  const detail = 'an answer without text';
  const failure = { kind: 'failure', reason: 'empty_answer', detail, retryable: finish !== 'stop' } as const;
  return { ok: false, failure, hadText: given !== '' };
}
