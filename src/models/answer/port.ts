/** The kinds of question people ask an assistant about a niche; every one has the same number of prompts. */
export const intents = ['discovery', 'recommendation', 'problem', 'comparison', 'price', 'trust'] as const;
export type Intent = (typeof intents)[number];

/** One prompt of a set, with the niche in place: `index` is 0 to 29, `id` its stable name (`price-3`). */
export type Prompt = { index: number; id: string; intent: Intent; text: string };

/** Longest text of an answer that is kept, in bytes of UTF-8 (what is cut is flagged as truncated). */
export const MAX_ANSWER_BYTES = 32 * 1024;
/** Sources of an answer that are kept, and the bytes of their URLs in all: beyond, the rest are dropped. */
export const MAX_CITATIONS = 30;
export const MAX_CITATION_BYTES = 4 * 1024;

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
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** What an engine said to one prompt. */
export type EngineAnswer = {
  ok: true;
  /** Markdown as the engine wrote it: hostile text. */
  text: string;
  /** The model that answered, as the engine names it; undefined when it does not say. */
  servedModel: string | undefined;
  finishReason: FinishReason;
  /** URLs of sources; undefined when the engine does not give any to anyone, which is "not measured". */
  citations: readonly string[] | undefined;
  usage: { inputTokens: number | undefined; outputTokens: number | undefined };
};

/** Why a prompt has no answer: `detail` is in our words and safe to log; `retryable` when asking again may help. */
export type AnswerFailure = { ok: false; reason: FailureReason; detail: string; retryable: boolean };

/** The kinds of engine, and what people read of each. A new kind is a row here, an adapter, and a row of a registry. */
export const engineLabels = {
  'openai-compatible': 'a model behind an OpenAI-compatible interface',
  'workers-ai': 'a model of Workers AI',
  recorded: 'recorded answers, replayed from a file',
  simulated: 'simulated answers, invented on the machine of the service',
} as const;
export type EngineKind = keyof typeof engineLabels;
export const engineKinds = Object.keys(engineLabels) as [EngineKind, ...EngineKind[]];

/** Engines that are no AI model of today: what they say measures nothing, and they are refused where real money flows. */
export const isDemonstration = ({ kind }: { kind: EngineKind }): boolean => kind === 'simulated' || kind === 'recorded';

/**
 * Something that answers prompts as an AI assistant would. It is asked once per prompt with nothing but the prompt: no
 * system text, no history. It never throws for what the other side does; a throw is a bug of ours.
 */
export type AnswerEngine = {
  kind: EngineKind;
  /** The model that is asked for. */
  model: string;
  answer: (prompt: Prompt, signal: AbortSignal) => Promise<EngineAnswer | AnswerFailure>;
};

/** The answer to a prompt as a run keeps it. `sha256` is over the UTF-8 bytes of `text` as kept. */
export type RunAnswer =
  | {
      index: number;
      status: 'answered';
      text: string;
      sha256: string;
      servedModel: string | undefined;
      finishReason: FinishReason;
      citations: readonly string[] | undefined;
    }
  | { index: number; status: 'failed'; reason: FailureReason };

/** Everything a measurement is made from: one entry per prompt of the set, in the order of the set. */
export type CollectedRun = {
  /** 32 hex digits of randomness. */
  runId: string;
  /** Which prompts: see `loadPromptSet` in prompts.ts. */
  promptSet: { id: string; sha256: string };
  engine: { kind: EngineKind; model: string };
  niche: string;
  startedAtMs: number;
  endedAtMs: number;
  answers: readonly RunAnswer[];
};
