import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as z from 'zod';
import { dropStream, readAtMost } from '../../net/read-body.ts';
import { parseApiBase } from './api-settings.ts';
import type { AnswerApi } from './openai-compatible.ts';
import type { Beside, SdkModel } from './sdk-answer.ts';
import { EngineAnswerRefused, EngineUnreachable } from './sdk-failure.ts';

/** Largest body that an engine may answer with, in bytes: 32 kB of text, its sources, and a lot of patience. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * A fetch for answer engines: a redirect is refused, because the key would go along, and a body ends at 1 MiB.
 * @throws EngineAnswerRefused, and EngineUnreachable for what happens on the wire
 */
function createAnswerFetch(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await onTheWire(() => inner(input, { ...init, redirect: 'manual' }));
    // Some runtimes hide the status of a redirect: it is 0 then.
    if (response.status < 200 || (response.status >= 300 && response.status < 400)) {
      dropStream(response.body);
      throw new EngineAnswerRefused('a redirect');
    }
    const { status, headers, body } = response;
    if (!body) return response;
    return new Response(await onTheWire(() => readCapped(body)), { status, headers: removeEncodingHeaders(headers) });
  };
}

/** Distinguishes a lost connection from a bug: undici throws a TypeError for one, workerd a plain Error. */
async function onTheWire<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && (error.name === 'Error' || error.name === 'TypeError'))
      throw new EngineUnreachable(error.name);
    throw error;
  }
}

async function readCapped(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readAtMost(body, MAX_BODY_BYTES);
  if (!bytes) throw new EngineAnswerRefused('too large');
  return bytes;
}

/** The body is decoded by now. */
function removeEncodingHeaders(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete('content-encoding');
  kept.delete('content-length');
  return kept;
}

/** Name of the provider in what the SDK hands back. */
const PROVIDER = 'engine';
/** Sources of an answer that are read. */
const MAX_SOURCES = 100;

/** The SDK's model of a chat API. Loaded lazily, as all modules that import the SDK. */
export function loadAnswerModel({ url, model, key, fetch: inner, maxOutputTokens }: AnswerApi): SdkModel {
  const provider = createOpenAICompatible({
    name: PROVIDER,
    ...parseApiBase(url, '/chat/completions'),
    fetch: createAnswerFetch(inner),
    metadataExtractor: {
      extractMetadata: async ({ parsedBody }) => ({ [PROVIDER]: readProviderExtras(parsedBody) }),
      createStreamExtractor: () => ({ processChunk: () => {}, buildMetadata: () => undefined }),
    },
    ...(key === undefined ? {} : { apiKey: key }),
  });
  return { model: provider.chatModel(model), maxOutputTokens, besideOf: getProviderExtras };
}

const anything = z.array(z.unknown()).optional().catch(undefined);
const body = z.object({ citations: anything, search_results: anything, model: z.string().optional().catch(undefined) });
const result = z.object({ url: z.string() });

/**
 * Sources as Perplexity spells them, in one field or the other; none when there is no such field, which says nothing
 * about sources. And the model, which the SDK would replace by the one that was asked for.
 */
function readProviderExtras(parsedBody: unknown): { citations?: string[]; servedModel?: string } {
  const { citations, search_results: results, model } = body.safeParse(parsedBody).data ?? {};
  const urls = [...(citations ?? []), ...(results ?? [])].slice(0, MAX_SOURCES).flatMap(readSourceUrl);
  return {
    ...(citations || results ? { citations: urls } : {}),
    ...(model === undefined ? {} : { servedModel: model }),
  };
}

const readSourceUrl = (source: unknown): readonly string[] => {
  if (typeof source === 'string') return [source];
  const { success, data } = result.safeParse(source);
  return success ? [data.url] : [];
};

const metadata = z.object({
  [PROVIDER]: z.object({ citations: z.array(z.string()).optional(), servedModel: z.string().optional() }),
});
const getProviderExtras = (given: unknown): Beside => metadata.safeParse(given).data?.[PROVIDER] ?? {};
