import * as z from 'zod';
import { promptLanguages } from '../prompts/prompt-set.ts';
import { failureReasons, finishReasons, MAX_CITATIONS } from '../../models/port.ts';
import { refusalKinds } from '../refusals/refusal-kinds.ts';

/** Longest call, in bytes: a prompt or an answer with what is said about it, and the engine. */
export const MAX_MODEL_CALL_BYTES = 256 * 1024;
/** Longest reply, in bytes: an answer with its sources. */
export const MAX_REPLY_BYTES = 1024 * 1024;

const prompt = z.object({ index: z.int(), id: z.string(), intent: z.string(), text: z.string() });

const api = z.object({ url: z.string(), model: z.string(), key: z.string().optional(), maxOutputTokens: z.number() });
const vendorApi = api.extend({ key: z.string(), webSearch: z.boolean(), country: z.string().optional() });

/** An engine as the api Worker found it in its settings, with all that its model is made of but the network. */
const engineSpec = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('openai-compatible'), api }),
  z.object({ kind: z.enum(['openai', 'anthropic', 'google', 'perplexity']), api: vendorApi }),
  z.object({ kind: z.literal('workers-ai'), api: z.object({ model: z.string(), maxOutputTokens: z.number() }) }),
]);
export type EngineSpec = z.infer<typeof engineSpec>;

/** What the api Worker asks of the Worker of models: an answer to a prompt, or whether a text is an answer at all. */
export const modelCall = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('answer'), engine: engineSpec, prompt }),
  z.object({
    ask: z.literal('refusal'),
    text: z.string(),
    about: z.object({ prompt: z.string(), niche: z.string(), language: z.enum(promptLanguages).optional() }),
  }),
]);
export type ModelCall = z.input<typeof modelCall>;

const tokens = z.number().optional();
const span = z.tuple([z.number(), z.number()]);
const source = z.object({ url: z.string(), title: z.string().optional(), spans: z.array(span).optional() });

/** The reply to `answer`: what `AnswerEngine.answer` gives. Members that are undefined there are absent. */
export const answerReply = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    isRefusal: z.boolean().optional(),
    text: z.string(),
    servedModel: z.string().optional(),
    finishReason: z.enum(finishReasons),
    citations: z.array(z.string()).max(MAX_CITATIONS).optional(),
    sources: z.array(source).max(MAX_CITATIONS).optional(),
    usage: z.object({ inputTokens: tokens, outputTokens: tokens }),
  }),
  z.object({
    ok: z.literal(false),
    reason: z.enum(failureReasons),
    detail: z.string(),
    retryable: z.boolean(),
    retryAfterS: z.number().optional(),
  }),
]);

/** The reply to `refusal`: why the text is no answer; absent where it is one. */
export const refusalReply = z.object({ refusal: z.enum(refusalKinds).optional() });
