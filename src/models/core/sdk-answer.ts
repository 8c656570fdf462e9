import { generateText, type LanguageModel, type ToolSet } from 'ai';
import type { Json } from '../../lib/json.ts';
import { waitOrAbort } from '../../net/deadline.ts';
import {
  type EngineAnswer,
  type AnswerFailure,
  type FailureReason,
  type FinishReason,
  MAX_ANSWER_BYTES,
  type AnswerPrompt,
} from '../port.ts';
import { type FoundSources, gatherSources } from './answer-sources.ts';
import { toAnswerFailure } from './sdk-failure.ts';
import { withoutThoughts } from './thoughts.ts';

/** What an engine says beside its text and the SDK does not hand on. */
export type AnswerExtras = {
  /** Sources of the text; undefined when the engine does not give any to anyone. */
  sources?: FoundSources | undefined;
  /** The model that answered, where the engine names it: the SDK fills in the one that was asked for. */
  servedModel?: string | undefined;
  /** True when the text is cut off although the engine says nothing about its end. */
  isCutOff?: boolean;
  /** True when the engine searched the web for it, and no search worked. */
  isSearchBroken?: boolean;
  /** The engine says itself that it refuses: in these words where its answer has none, which may be none too. */
  refusal?: string | undefined;
};

export type SdkAnswerModel = {
  model: LanguageModel;
  maxOutputTokens: number;
  /** What goes along with the prompt: tools that the engine itself runs, and options of its provider. */
  call?: { tools?: ToolSet; providerOptions?: Readonly<Record<string, Record<string, Json>>> };
  /** Reads it from the engine's own answer, or from what was kept of the call. Asked after the answer. */
  readExtras: (answer: { body: unknown }) => AnswerExtras;
};

/**
 * Has one prompt answered through the AI SDK: the prompt is the only message, nothing is asked twice (the queue decides
 * about that), and every way to fail is data. It ends with the signal even when the engine does not. Loaded
 * lazily, as all modules that import the SDK.
 */
export async function requestAnswer(
  model: SdkAnswerModel,
  prompt: AnswerPrompt,
  signal: AbortSignal,
): Promise<EngineAnswer | AnswerFailure> {
  try {
    signal.throwIfAborted();
    return await waitOrAbort(ask(model, prompt, signal), signal);
  } catch (error) {
    return toAnswerFailure(error, signal);
  }
}

async function ask(
  { model, maxOutputTokens, call = {}, readExtras }: SdkAnswerModel,
  prompt: AnswerPrompt,
  abortSignal: AbortSignal,
): Promise<EngineAnswer | AnswerFailure> {
  const said = await generateText({
    model,
    messages: [{ role: 'user', content: prompt.text }],
    maxOutputTokens,
    maxRetries: 0,
    abortSignal,
    include: { responseBody: true },
    ...call,
  });
  const { finishReason, rawFinishReason, usage, warnings } = said;
  // A provider leaves a tool out that it does not think the model has: the text is then one without a look at the web.
  if (call.tools !== undefined && warnings?.some((one) => one.type === 'unsupported' && /tool/i.test(one.feature)))
    return failAnswer('refused', 'this kind of engine does not search with this model');
  const extras = readExtras({ body: said.finalStep.response.body });
  if (extras.refusal !== undefined) return buildRefusal(said, extras);
  // The provider of Workers AI calls an end that it does not know a regular one.
  if (finishReason === 'content-filter' || rawFinishReason === 'content_filter')
    return failAnswer('filtered', 'the engine filtered its answer');
  const answered = withoutThoughts(said.text);
  const { text, isCut } = truncateAnswer(answered.toWellFormed());
  if (text.trim() === '')
    return failAnswer('empty_answer', `an answer without text, finished by ${finishReason}`, finishReason !== 'stop');
  if (extras.isSearchBroken) return failAnswer('unavailable', 'the web search of the engine failed', true);
  const kept = { written: said.text, cutBefore: said.text.length - answered.length, length: text.length };
  const sources = extras.sources && gatherSources(extras.sources, kept);
  return {
    ok: true,
    text,
    servedModel: extras.servedModel,
    finishReason: isCut || extras.isCutOff ? 'length' : convertFinishReason(finishReason),
    citations: sources?.map(({ url }) => url),
    sources,
    usage: convertUsage(usage),
  };
}

type Said = Pick<Awaited<ReturnType<typeof generateText>>, 'text' | 'finishReason' | 'usage'>;

/** What an engine answers that says itself that it refuses. It claims nothing, so it has no sources. */
function buildRefusal({ text: written, finishReason, usage }: Said, extras: AnswerExtras): EngineAnswer {
  const answered = withoutThoughts(written);
  const { text, isCut } = truncateAnswer((answered.trim() === '' ? (extras.refusal ?? '') : answered).toWellFormed());
  return {
    ok: true,
    isRefusal: true,
    text,
    servedModel: extras.servedModel,
    finishReason: isCut ? 'length' : convertFinishReason(finishReason),
    citations: undefined,
    usage: convertUsage(usage),
  };
}

// No prompt takes no token: 0 is how providers spell "not said".
const convertUsage = ({ inputTokens, outputTokens }: Said['usage']): EngineAnswer['usage'] => ({
  inputTokens: inputTokens || undefined,
  outputTokens: outputTokens || undefined,
});

/**
 * A filtered answer, one that the engine held back without a word of its own, does not get better by asking the same again. An empty one does when the model was cut off (its
 * thoughts took all tokens) or did something else than answer; one that it ended itself is its answer.
 */
const failAnswer = (reason: FailureReason, detail: string, retryable = false): AnswerFailure => ({
  ok: false,
  reason,
  detail,
  retryable,
});

const convertFinishReason = (reason: string): FinishReason =>
  reason === 'stop' || reason === 'length' ? reason : 'other';

/** The text cut to what is kept, between two characters. */
function truncateAnswer(text: string): { text: string; isCut: boolean } {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_ANSWER_BYTES));
  return { text: text.slice(0, read), isCut: read < text.length };
}
