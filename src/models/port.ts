/**
 * The kinds of engine, and what people read of each. A new kind is a row here, an adapter, and its rows in a registry. Each
 * may answer prompts, continue chats or make vectors of texts: the registries say which.
 */
export const engineLabels = {
  'openai-compatible': 'a model behind an OpenAI-compatible interface',
  openai: 'a model of OpenAI',
  anthropic: 'a model of Anthropic',
  google: 'a model of Google',
  perplexity: 'a model of Perplexity',
  'workers-ai': 'a model of Workers AI',
  recorded: 'recorded answers, replayed from a file',
  simulated: 'simulated answers, invented on the machine of the service',
} as const;
export type EngineKind = keyof typeof engineLabels;
export const engineKinds = /* @__PURE__ */ Object.keys(engineLabels) as [EngineKind, ...EngineKind[]];

/** What an operator does so that brands can be measured; part of the 503 answer, docs/operate/deploy.md and `.dev.vars.example`. */
export const howToConfigure: readonly string[] = [
  'Set ANSWER_ENGINE to openai, anthropic, google or perplexity (the API of that vendor, which searches the web), to openai-compatible (any API that speaks OpenAI chat completions) or to workers-ai.',
  'Set ANSWER_ENGINE_MODEL to the model to ask, as that engine spells it.',
  'For openai, anthropic, google and perplexity set ANSWER_ENGINE_KEY.',
  'For openai-compatible set ANSWER_ENGINE_URL to its base URL, such as https://api.example.com/v1, and ANSWER_ENGINE_KEY if it wants a key.',
  'For workers-ai deploy the production section of wrangler.toml, which declares the binding AI.',
  'For several engines set ANSWER_ENGINES instead: a JSON list, a row for each engine.',
];
/** What an operator does so that chats are answered; part of the 503. */
export const howToConfigureChats =
  'Set ANSWER_ENGINE to openai-compatible (with ANSWER_ENGINE_URL, ANSWER_ENGINE_MODEL and, where it wants one, ANSWER_ENGINE_KEY) or to workers-ai (with ANSWER_ENGINE_MODEL). Searching needs none.';

/** Engines that are no AI model of today: what they say measures nothing, and they are refused where real money flows. */
export const isDemonstration = ({ kind }: { kind: EngineKind }): boolean => kind === 'simulated' || kind === 'recorded';

/**
 * What a result says first of an engine that is no AI model; pages say the same at more length. These are bytes of stored
 * results, which a replay gives again.
 */
export const demonstrationWarnings: Readonly<Record<'simulated' | 'recorded', string>> = {
  simulated: 'simulated engine: the answers are invented on this machine and measure no AI model',
  recorded: 'recorded engine: the answers were replayed from a file, no AI model was asked now',
};

/** Longest text of an answer that is kept, in bytes of UTF-8 (what is cut is flagged as truncated). */
export const MAX_ANSWER_BYTES = 32 * 1024;
/** Sources of an answer that are kept: beyond, the rest are dropped. */
export const MAX_CITATIONS = 30;

/** Characters of a source's title that are kept, and stretches of the text that it is given for. */
export const MAX_SOURCE_TITLE_CHARS = 200;
export const MAX_SOURCE_SPANS = 20;
/** Longest wait that an engine may ask for, in seconds: what it asks beyond is cut to it. A run ends before. */
export const MAX_ENGINE_WAIT_S = 120;

export const finishReasons = ['stop', 'length', 'other'] as const;
/** Why the engine stopped writing: `length` means that its text is cut off. */
export type FinishReason = (typeof finishReasons)[number];

/** Why there is no answer to a prompt. The first five may succeed when asked again, the others will not. */
export const failureReasons = [
  'timeout',
  'rate_limited',
  'conflict',
  'unavailable',
  'empty_answer',
  'unauthorized',
  'refused',
  'filtered',
  'invalid_response',
  'engine_fault',
  'deadline',
  'not_delivered',
  'stopped',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/**
 * A source of an answer. `spans` are the stretches of the answer's text that it is given for, as UTF-16 offsets [from, to):
 * the claim itself where the engine says so (Anthropic, Google), else the mark beside it (OpenAI, Perplexity).
 */
export type AnswerSource = { url: string; title?: string; spans?: readonly (readonly [number, number])[] };

/** What an engine said to one prompt. */
export type EngineAnswer = {
  ok: true;
  /** The engine itself says that it refuses; then `text` is what it gives as its reason, and may be ''. */
  isRefusal?: boolean;
  /** Markdown as the engine wrote it: hostile text. */
  text: string;
  /** The model that answered, as the engine names it; undefined when it does not say. */
  servedModel: string | undefined;
  finishReason: FinishReason;
  /** URLs of sources; undefined when the engine does not give any to anyone, which is "not measured". */
  citations: readonly string[] | undefined;
  /** The same sources with what the engine says of them; undefined where `citations` is. */
  sources?: readonly AnswerSource[] | undefined;
  usage: { inputTokens: number | undefined; outputTokens: number | undefined };
};

/** Why a prompt has no answer: `detail` is in our words and safe to log; `retryable` when asking again may help. */
export type AnswerFailure = {
  ok: false;
  reason: FailureReason;
  detail: string;
  retryable: boolean;
  /** Seconds that the engine asks us to wait, at most `MAX_ENGINE_WAIT_S`; undefined where it says nothing. */
  retryAfterS?: number | undefined;
};

/** One question to an answer engine: its place in its set, its name there, the kind of question, and its words. */
export type AnswerPrompt = { index: number; id: string; intent: string; text: string };

/**
 * Something that answers prompts as an AI assistant would. It is asked once per prompt with nothing but the prompt: no
 * system text, no history. It never throws for what the other side does; a throw is a bug of ours.
 */
export type AnswerEngine = {
  kind: EngineKind;
  /** The model that is asked for. */
  model: string;
  answer: (prompt: AnswerPrompt, signal: AbortSignal) => Promise<EngineAnswer | AnswerFailure>;
};

/** A message of a chat, as engines take it. */
export type EngineMessage = { role: 'system' | 'user' | 'assistant'; content: string };

/**
 * Lines around the passages that a chat is about, in a message of the user: what is between them is one JSON object a line.
 * An engine that is no model finds the passages by them.
 */
export const PASSAGES_BEGIN = '<<<PASSAGES';
export const PASSAGES_END = 'PASSAGES>>>';

/** A model that continues a chat. Pieces of text as they come; never throws for what the other side does. */
export type ChatEngine = {
  kind: EngineKind;
  model: string;
  reply: (messages: readonly EngineMessage[], signal: AbortSignal) => AsyncIterable<ChatPiece>;
};
export type ChatPiece =
  | { kind: 'text'; text: string }
  | {
      kind: 'end';
      finish: FinishReason;
      servedModel?: string;
      usage?: { inputTokens?: number; outputTokens?: number };
    }
  | { kind: 'failure'; reason: string; detail: string; retryable: boolean };

/** Texts of one question to an embedding engine. */
export const MAX_EMBEDDING_BATCH = 64;
/** Longest text that becomes a vector, in characters: what is beyond is left out. */
export const MAX_EMBEDDED_CHARS = 8_000;

/** Turns texts into vectors of one length. Never throws for what the other side does. */
export type Embedder = {
  kind: EngineKind;
  model: string;
  /** At most `MAX_EMBEDDING_BATCH` texts; a vector for each, in their order. */
  embed: (
    texts: readonly string[],
    signal: AbortSignal,
  ) => Promise<{ ok: true; vectors: readonly Float32Array[] } | { ok: false; detail: string; retryable: boolean }>;
};
