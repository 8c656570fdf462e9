import { generateText, type LanguageModel } from 'ai';
import { waitOrAbort } from '../../net/deadline.ts';
import {
  type EngineAnswer,
  type AnswerFailure,
  type FinishReason,
  MAX_ANSWER_BYTES,
  MAX_CITATIONS,
  type AnswerPrompt,
} from '../port.ts';
import { toAnswerFailure } from './sdk-failure.ts';
import { withoutThoughts } from './thoughts.ts';

/** Longest URL of a source that is kept, in characters. */
const MAX_URL_LENGTH = 2048;

/** What an engine says beside its text and the SDK does not hand on. */
export type AnswerExtras = {
  citations?: readonly string[] | undefined;
  /** The model that answered, where the engine names it: the SDK fills in the one that was asked for. */
  servedModel?: string | undefined;
  /** True when the text is cut off although the engine says nothing about its end. */
  isCutOff?: boolean;
};

export type SdkAnswerModel = {
  model: LanguageModel;
  maxOutputTokens: number;
  /** Reads it from what the provider put into its metadata, or kept from the call. Asked after the answer. */
  readExtras: (metadata: unknown) => AnswerExtras;
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
  { model, maxOutputTokens, readExtras }: SdkAnswerModel,
  prompt: AnswerPrompt,
  abortSignal: AbortSignal,
): Promise<EngineAnswer | AnswerFailure> {
  const said = await generateText({
    model,
    messages: [{ role: 'user', content: prompt.text }],
    maxOutputTokens,
    maxRetries: 0,
    abortSignal,
  });
  const { finishReason, rawFinishReason, usage, sources } = said;
  // The provider of Workers AI calls an end that it does not know a regular one.
  if (finishReason === 'content-filter' || rawFinishReason === 'content_filter')
    return failAnswer('filtered', 'the engine filtered its answer');
  const { text, isCut } = truncateAnswer(withoutThoughts(said.text).toWellFormed());
  if (text.trim() === '')
    return failAnswer('empty_answer', `an answer without text, finished by ${finishReason}`, finishReason !== 'stop');
  const extras = readExtras(said.finalStep.providerMetadata);
  const found = sources.flatMap((source) => (source.sourceType === 'url' ? [source.url] : []));
  return {
    ok: true,
    text,
    servedModel: extras.servedModel,
    finishReason: isCut || extras.isCutOff ? 'length' : convertFinishReason(finishReason),
    citations: filterCitations(found.length > 0 ? found : extras.citations),
    // No prompt takes no token: 0 is how providers spell "not said".
    usage: { inputTokens: usage.inputTokens || undefined, outputTokens: usage.outputTokens || undefined },
  };
}

/**
 * A filtered answer does not get better by asking the same again. An empty one does when the model was cut off (its
 * thoughts took all tokens) or did something else than answer; one that it ended itself is its answer.
 */
const failAnswer = (reason: 'filtered' | 'empty_answer', detail: string, retryable = false): AnswerFailure => ({
  ok: false,
  reason,
  detail,
  retryable,
});

const convertFinishReason = (reason: string): FinishReason =>
  reason === 'stop' || reason === 'length' ? reason : 'other';

/** Sources that a reader could open, each once. */
function filterCitations(citations: readonly string[] | undefined): readonly string[] | undefined {
  if (!citations) return undefined;
  const readable = citations.filter((url) => url.length <= MAX_URL_LENGTH && /^https?:\/\//iu.test(url));
  return [...new Set(readable)].slice(0, MAX_CITATIONS);
}

/** The text cut to what is kept, between two characters. */
function truncateAnswer(text: string): { text: string; isCut: boolean } {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_ANSWER_BYTES));
  return { text: text.slice(0, read), isCut: read < text.length };
}
