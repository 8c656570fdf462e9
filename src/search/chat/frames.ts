import type { Json, JsonObject } from '../../lib/json.ts';

/** What a chat is told by in all of its events. */
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
export function chatFrames(
  { id, created, model }: ChatName,
  chunks: Json,
  { showsUsage = false }: { showsUsage?: boolean } = {},
): Frames {
  const event = (rest: JsonObject): string => dataOf({ id, object: 'chat.completion.chunk', created, model, ...rest });
  const piece = (delta: Json, finish: string | null): string =>
    event({ choices: [{ index: 0, delta, finish_reason: finish }] });
  return {
    first: `event: chunks\n${dataOf(chunks)}`,
    text: (content) => piece({ content }, null),
    end: (finish, usage) => {
      const last = piece({}, finishWord(finish));
      return showsUsage && usage !== undefined ? `${last}${event({ choices: [], usage: shownUsage(usage) })}` : last;
    },
  };
}

/** The events of the older interface: the answer only. */
export const legacyFrames: Frames = {
  first: undefined,
  text: (response) => dataOf({ response }),
  end: () => '',
};

/** The last event of a stream that failed. `code` is a stable word, `message` ours. */
export const errorEvent = (code: string, message: string): string =>
  `event: error\n${dataOf({ error: { code, message } })}`;

/** Why an answer ended, in the words of chat completions, which has none for "otherwise". */
export const finishWord = (finish: Finish): string => (finish === 'other' ? 'stop' : finish);

/** Tokens in the words of chat completions. */
export const shownUsage = ({ inputTokens = 0, outputTokens = 0 }: Usage): JsonObject => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
});

/** JSON has no raw line breaks, so one `data:` line holds it. */
const dataOf = (json: Json): string => `data: ${JSON.stringify(json)}\n\n`;
