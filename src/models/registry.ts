import type { Ai } from '@cloudflare/workers-types';
import { createAnthropicEngine } from './adapters/anthropic/engines.ts';
import { createGoogleEngine } from './adapters/google/engines.ts';
import { createOpenAiResponsesEngine } from './adapters/openai/engines.ts';
import {
  createOpenAiChat,
  createOpenAiEmbedder,
  createOpenAiEngine,
  type OpenAiTextApi,
} from './adapters/openai-compatible/engines.ts';
import { createPerplexityEngine } from './adapters/perplexity/engines.ts';
import {
  createWorkersAiChat,
  createWorkersAiEmbedder,
  createWorkersAiEngine,
  type PlatformModel,
  type PlatformTextModel,
} from './adapters/workers-ai/engines.ts';
import {
  type ApiEndpoint,
  type ApiSettings,
  findApiUrlFault,
  formatSettingName,
  resolveApiEndpoint,
} from './core/api-endpoint.ts';
import { type EngineTraits, engineTraits } from './kinds-data.ts';
import type { VendorApi } from './core/vendor-engine.ts';
import type { AnswerEngine, ChatEngine, Embedder } from './port.ts';

/** What the settings say about an engine that writes; the last two are of those that search the web. */
export type WriterSettings = ApiSettings & {
  maxOutputTokens: number;
  webSearch?: boolean | undefined;
  country?: string | undefined;
};

/** What an engine may be made of; each takes what it needs. The last three are for engines that are no model. */
export type EngineTools = {
  fetch: typeof fetch;
  ai: Ai | undefined;
  /** Asks the Worker of models, where engines are there. */
  askModels?: AskModels | undefined;
  recording?: string | undefined;
  brands?: string | undefined;
  seed?: string | undefined;
};

/** One call of the Worker of models: JSON there and back. Throws as `fetch` does, also when the signal ends it. */
export type AskModels = (call: string, signal: AbortSignal) => Promise<Response>;

/** An engine, or what is missing for one, in our words for the operator. */
export type EngineChoice<T> = { ok: true; engine: T } | { ok: false; detail: string };

type EngineFactory<T, S> = (settings: S, tools: EngineTools) => EngineChoice<T>;

/** The engines of one use that an entry has, by kind. `isLocal`: they may be on this machine, and speak http. */
export type Engines<T, S extends ApiSettings = WriterSettings> = {
  isLocal: boolean;
  factories: Readonly<Record<string, EngineFactory<T, S>>>;
};

/*
 * The engines of a deployment: a row for each kind, in a table for each use that the kind has. The tables are separate
 * constants, so that a Worker's bundle leaves out the uses that it does not have, and what of the SDK only they need.
 * Engines that are no model are in a file of their own, which no deployed bundle holds.
 */

/** What makes the engines of answers out of settings that were found good: the network and the binding are in `tools`. */
export type AnswerMakers = {
  'openai-compatible': (api: OpenAiTextApi, tools: EngineTools) => AnswerEngine;
  openai: VendorMaker;
  anthropic: VendorMaker;
  google: VendorMaker;
  perplexity: VendorMaker;
  'workers-ai': (platform: PlatformTextModel, tools: EngineTools) => AnswerEngine;
};
type VendorMaker = (api: VendorApi, tools: EngineTools) => AnswerEngine;

/** The kinds that answer prompts. Their settings are judged here, wherever they are asked from. */
export const buildAnswerEngines = (make: AnswerMakers) =>
  ({
    isLocal: false,
    factories: {
      'openai-compatible': ({ maxOutputTokens, ...settings }, tools) =>
        makeApiEngine(settings, (api) =>
          make['openai-compatible']({ ...api, fetch: tools.fetch, maxOutputTokens }, tools),
        ),
      openai: (settings, tools) => makeVendorEngine(settings, tools, engineTraits.openai, make.openai),
      anthropic: (settings, tools) => makeVendorEngine(settings, tools, engineTraits.anthropic, make.anthropic),
      google: (settings, tools) => makeVendorEngine(settings, tools, engineTraits.google, make.google),
      perplexity: (settings, tools) => makeVendorEngine(settings, tools, engineTraits.perplexity, make.perplexity),
      'workers-ai': ({ maxOutputTokens, ...settings }, tools) =>
        makePlatformEngine(settings, tools.ai, (platform) =>
          make['workers-ai']({ ...platform, maxOutputTokens }, tools),
        ),
    },
  }) satisfies Engines<AnswerEngine>;

/** How each kind is asked from here: by the SDKs. */
export const answerMakers = {
  'openai-compatible': createOpenAiEngine,
  openai: createOpenAiResponsesEngine,
  anthropic: createAnthropicEngine,
  google: createGoogleEngine,
  perplexity: createPerplexityEngine,
  'workers-ai': createWorkersAiEngine,
} satisfies AnswerMakers;

/** What answers the prompts of visibility, asked from here. */
export const productionAnswers = /* @__PURE__ */ buildAnswerEngines(answerMakers);

/** What continues the chats of AI search. */
export const productionChats: Engines<ChatEngine> = {
  isLocal: false,
  factories: {
    'openai-compatible': ({ maxOutputTokens, ...settings }, { fetch }) =>
      makeApiEngine(settings, (api) => createOpenAiChat({ ...api, fetch, maxOutputTokens })),
    'workers-ai': ({ maxOutputTokens, ...settings }, { ai }) =>
      makePlatformEngine(settings, ai, (platform) => createWorkersAiChat({ ...platform, maxOutputTokens })),
  },
};

/** What makes the vectors of AI search. */
export const productionEmbedders: Engines<Embedder, ApiSettings> = {
  isLocal: false,
  factories: {
    'openai-compatible': (settings, { fetch }) =>
      makeApiEngine(settings, (api) => createOpenAiEmbedder({ ...api, fetch })),
    'workers-ai': (settings, { ai }) => makePlatformEngine(settings, ai, createWorkersAiEmbedder),
  },
};

function makeApiEngine<T>(settings: ApiSettings, make: (api: ApiEndpoint) => T): EngineChoice<T> {
  const api = resolveApiEndpoint(settings);
  return api.ok ? { ok: true, engine: make(api.endpoint) } : api;
}

/**
 * An engine of a vendor, at the vendor's own address unless the settings name another. Its provider would look for a key
 * in the environment of the process where none is given: it always is.
 */
function makeVendorEngine(
  settings: WriterSettings,
  tools: EngineTools,
  { usualUrl, query }: EngineTraits,
  make: VendorMaker,
): EngineChoice<AnswerEngine> {
  const { url = usualUrl, maxOutputTokens, webSearch = true, country } = settings;
  const api = resolveApiEndpoint({ ...settings, url });
  if (!api.ok) return api;
  const { key } = api.endpoint;
  if (key === undefined) return { ok: false, detail: `${formatSettingName(settings, 'KEY')} is not set` };
  const fault = findApiUrlFault(api.endpoint.url, { isLocal: true, takesQuery: query === true });
  if (fault !== undefined) return { ok: false, detail: `${formatSettingName(settings, 'URL')} ${fault}` };
  const { fetch } = tools;
  return { ok: true, engine: make({ ...api.endpoint, key, fetch, maxOutputTokens, webSearch, country }, tools) };
}

function makePlatformEngine<T>(
  settings: ApiSettings,
  ai: Ai | undefined,
  make: (platform: PlatformModel) => T,
): EngineChoice<T> {
  if (ai === undefined) return { ok: false, detail: 'The binding AI is not declared in this deployment' };
  const { model } = settings;
  if (model === undefined) return { ok: false, detail: `${formatSettingName(settings, 'MODEL')} is not set` };
  return { ok: true, engine: make({ binding: ai, model }) };
}

/** The engine of the named kind among those of the entry; no variable can choose one that its bundle does not hold. */
export function selectEngine<T, S extends ApiSettings>(
  kind: string | undefined,
  settings: S,
  { factories, isLocal }: Engines<T, S>,
  tools: EngineTools,
): EngineChoice<T> {
  const { url } = settings;
  const name = formatSettingName(settings, '');
  if (kind === undefined || kind === 'none') return { ok: false, detail: `${name} is none` };
  const factory = Object.hasOwn(factories, kind) ? factories[kind] : undefined;
  if (!factory) return { ok: false, detail: `${name} is none of: none, ${Object.keys(factories).join(', ')}` };
  const fault = url === undefined ? undefined : findApiUrlFault(url, { isLocal, takesQuery: true });
  if (fault !== undefined) return { ok: false, detail: `${formatSettingName(settings, 'URL')} ${fault}` };
  return factory(settings, tools);
}
