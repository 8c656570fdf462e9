import type { Json, JsonObject } from '../../lib/json.ts';
import type { RefusalData } from '../../lib/refusal.ts';
import { withoutThoughts } from '../../models/core/thoughts.ts';
import type { EngineMessage, ChatEngine, ChatPiece } from '../../models/port.ts';

export type ChatFailure = Extract<ChatPiece, { kind: 'failure' }>;

/** Seconds after which an engine that failed in passing is worth another try. */
const RETRY_AFTER_S = 30;

/** The message for a caller about an engine that failed: our words, never the engine's. */
export const describeChatFailure = ({ detail }: Pick<ChatFailure, 'detail'>): string =>
  `The answer engine did not answer: ${detail}`;

/** A failed chat as a refusal: 503 where another try may help, else 502. */
export const refuseFailedChat = (failure: ChatFailure): RefusalData => ({
  status: failure.retryable ? 503 : 502,
  word: 'UNAVAILABLE',
  reason: `engine_${failure.reason}`,
  message: describeChatFailure(failure),
  ...(failure.retryable && { retryAfterS: RETRY_AFTER_S }),
});

/** Reasons after which no one pays for an answer, as long as none of it came: what was written may be paid for. */
const UNPAID: ReadonlySet<string> = new Set([
  'unauthorized',
  'refused',
  'conflict',
  'rate_limited',
  'unavailable',
  'invalid_response',
]);

/** Whether a failed chat has cost nothing. Thoughts are not seen here: an empty, a filtered or a late answer may have had some. */
export const isUnpaid = ({ reason }: ChatFailure, hadText: boolean): boolean => !hadText && UNPAID.has(reason);

/** Longest chat, in milliseconds, from the question to the engine until its last word. */
export const CHAT_MS = 120_000;

type WholeAnswer =
  | { ok: true; text: string; finish: Finish; usage?: Usage }
  /** `hadText`: some of the answer had come already. */
  | { ok: false; failure: ChatFailure; hadText: boolean };

/** The whole reply of an engine, which has so much time and is stopped by the signal: no one waits for it then. */
export async function collectAnswer(
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
      if (piece.kind === 'end') return finishAnswer(text, piece);
    }
    throw new Error('A reply without an end');
  } finally {
    clearTimeout(timer);
  }
}

/** Thoughts whose beginning only the whole text shows go too; where nothing else is left they are no answer. */
function finishAnswer(given: string, { finish, usage }: Extract<ChatPiece, { kind: 'end' }>): WholeAnswer {
  const text = withoutThoughts(given);
  if (text.trim() !== '') return { ok: true, text, finish, ...(usage === undefined ? {} : { usage }) };
  const detail = 'an answer without text';
  const failure = { kind: 'failure', reason: 'empty_answer', detail, retryable: finish !== 'stop' } as const;
  return { ok: false, failure, hadText: given !== '' };
}

/** What identifies a chat in all of its events. */
export type ChatName = {
  /** `chatcmpl-` and random characters. */
  id: string;
  /** Unix seconds. */
  created: number;
  model: string;
};

export type Finish = 'stop' | 'length' | 'other';

/** How the events of a streamed answer are written. */
export type Frames = {
  /** Sent before the engine is asked; undefined: nothing is. */
  first: string | undefined;
  text: (text: string) => string;
  /** The last event before `[DONE]`; '' for none. */
  end: (finish: Finish, usage?: Usage) => string;
};

/** Tokens, as far as the engine says. */
export type Usage = { inputTokens?: number; outputTokens?: number };

/** Ends a stream that is whole. */
export const DONE = 'data: [DONE]\n\n';
/** A comment, which clients skip: keeps a connection on which nothing comes. */
export const HEARTBEAT = ': still working\n\n';

/**
 * The events of a chat as the vendor sends them: what was found first, then the answer in pieces of a chat completion; with
 * `showsUsage` one more at the end says what was used, where the engine does.
 */
export function createChatFrames(
  { id, created, model }: ChatName,
  chunks: Json,
  { showsUsage = false }: { showsUsage?: boolean } = {},
): Frames {
  const event = (rest: JsonObject): string =>
    formatDataLine({ id, object: 'chat.completion.chunk', created, model, ...rest });
  const piece = (delta: Json, finish: string | null): string =>
    event({ choices: [{ index: 0, delta, finish_reason: finish }] });
  return {
    first: `event: chunks\n${formatDataLine(chunks)}`,
    text: (content) => piece({ content }, null),
    end: (finish, usage) => {
      const last = piece({}, finishWord(finish));
      return showsUsage && usage !== undefined ? `${last}${event({ choices: [], usage: formatUsage(usage) })}` : last;
    },
  };
}

/** The events of the older interface: the answer only. */
export const legacyFrames: Frames = {
  first: undefined,
  text: (response) => formatDataLine({ response }),
  end: () => '',
};

/** The last event of a stream that failed. `code` is a stable word, `message` ours. */
export const formatErrorEvent = (code: string, message: string): string =>
  `event: error\n${formatDataLine({ error: { code, message } })}`;

/** Why an answer ended, in the words of chat completions, which has none for "otherwise". */
export const finishWord = (finish: Finish): string => (finish === 'other' ? 'stop' : finish);

/** Tokens in the words of chat completions. */
export const formatUsage = ({ inputTokens = 0, outputTokens = 0 }: Usage): JsonObject => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
});

/** JSON has no raw line breaks, so one `data:` line holds it. */
const formatDataLine = (json: Json): string => `data: ${JSON.stringify(json)}\n\n`;
