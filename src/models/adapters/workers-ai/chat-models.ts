import type { Ai } from '@cloudflare/workers-types';
import { createWorkersAI } from 'workers-ai-provider';
import * as z from 'zod';
import { EngineAnswerRefused } from '../../core/sdk-failure.ts';
import { limitStream, CHAT_LIMITS } from '../../core/engine-fetch.ts';
import { rewriteEvents, scalarText } from '../../core/event-lines.ts';
import type { SdkLanguageModel } from '../../core/sdk-chat.ts';
import type { SdkEmbeddingModel } from '../../core/sdk-embed.ts';
import type { PlatformModel } from './engines.ts';

/**
 * The SDK's model of the platform for chats: the binding's own answer is looked at, because the provider trusts it, and
 * writes what it cannot read to the console. Loaded lazily, as all modules that import the SDK.
 */
export function loadPlatformChat({ binding, model }: PlatformModel): SdkLanguageModel {
  const run = async (...asked: Parameters<Ai['run']>): Promise<unknown> => {
    const said: unknown = await binding.run(...asked);
    if (said instanceof ReadableStream) return rewriteEvents(limitStream(said, CHAT_LIMITS), normalisePlatformEvent);
    // Some models answer as a whole although a stream was asked for.
    return requireShape(wholeSchema, said);
  };
  return createWorkersAI({ binding: asBinding(run) })(model);
}

/** The same for vectors: the caller judges their numbers. */
export function loadPlatformEmbedding({ binding, model }: PlatformModel): SdkEmbeddingModel {
  const run = async (...asked: Parameters<Ai['run']>): Promise<unknown> =>
    requireShape(vectorsSchema, await binding.run(...asked));
  return createWorkersAI({ binding: asBinding(run) }).textEmbeddingModel(model);
}

/** Text generation and embeddings call `run` alone. */
const asBinding = (run: (...asked: Parameters<Ai['run']>) => Promise<unknown>): Ai => ({ run }) as unknown as Ai;

const word = z.string().nullish();
/** The provider reads no null here. */
const dropNull = <T>(value: T | null | undefined): T | undefined => value ?? undefined;
const usage = z
  .object({ prompt_tokens: z.number().optional(), completion_tokens: z.number().optional() })
  .optional()
  .catch(undefined);

/** Both forms of text generation, the platform's own and that of OpenAI; tools are not asked for, and not read. */
const eventSchema = z.object({
  response: scalarText,
  choices: z
    .array(
      z.object({
        delta: z.object({ content: scalarText }).nullish().transform(dropNull),
        finish_reason: word,
      }),
    )
    .nullish()
    .transform(dropNull),
  finish_reason: word,
  usage,
});
const wholeSchema = z
  .object({
    response: scalarText,
    choices: z
      .array(z.object({ message: z.object({ content: scalarText }), finish_reason: word }))
      .min(1)
      .nullish()
      .transform(dropNull),
    finish_reason: word,
    usage,
  })
  .refine(({ response, choices }) => typeof response === 'string' || choices !== undefined);
const vectorsSchema = z.object({ data: z.array(z.array(z.number())) });

const normalisePlatformEvent = (json: unknown): unknown => requireShape(eventSchema, json);

function requireShape<T>(schema: z.ZodType<T>, given: unknown): T {
  const { success, data } = schema.safeParse(given);
  if (!success) throw new EngineAnswerRefused('no answer of the platform');
  return data;
}
