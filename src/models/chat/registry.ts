import type { Ai } from '@cloudflare/workers-types';
import { resolveApiEndpoint, type ApiSettings, isPublicHttps } from '../answer/api-settings.ts';
import type { ChatEngine, Embedder } from '../answer/port.ts';
import { createOpenAiChat, createOpenAiEmbedder } from './openai-compatible.ts';
import { readEmbeddingSettings } from './settings.ts';
import { createWorkersAiChat, createWorkersAiEmbedder } from './workers-ai.ts';

/** What an engine may be made of; each takes what it needs. */
export type ChatEngineTools = { fetch: typeof fetch; ai: Ai | undefined };

type ChosenEngine<T> = { ok: true; engine: T } | { ok: false; detail: string };

/** Makes an engine, or says in our words what is missing for it. */
type Factory<T, Settings> = (settings: Settings, tools: ChatEngineTools) => ChosenEngine<T>;
export type ChatFactory = Factory<ChatEngine, ApiSettings & { maxOutputTokens: number }>;
export type EmbedderFactory = Factory<Embedder, ApiSettings>;

/** The engines that an entry has, by name. `isLocal`: they may be on this machine, and speak http. */
export type Engines<F> = { factories: Readonly<Record<string, F>>; isLocal: boolean };

const NO_BINDING = 'The binding AI is not declared in this deployment';
const CHAT = 'ANSWER_ENGINE';
const EMBEDDING = 'EMBEDDING_ENGINE';

/** The chat engines of a deployment. Those that are no model are in a file of their own, which no deployed bundle holds. */
export const productionChats: Engines<ChatFactory> = {
  isLocal: false,
  factories: {
    'openai-compatible': (settings, { fetch }) => {
      const api = resolveApiEndpoint(settings, CHAT);
      if (!api.ok) return api;
      const { maxOutputTokens } = settings;
      return { ok: true, engine: createOpenAiChat({ ...api.place, fetch, maxOutputTokens }) };
    },
    'workers-ai': ({ model, maxOutputTokens }, { ai }) => {
      if (ai === undefined) return { ok: false, detail: NO_BINDING };
      if (model === undefined) return { ok: false, detail: `${CHAT}_MODEL is not set` };
      return { ok: true, engine: createWorkersAiChat({ binding: ai, model, maxOutputTokens }) };
    },
  },
};

/** The embedding engines of a deployment. */
export const productionEmbedders: Engines<EmbedderFactory> = {
  isLocal: false,
  factories: {
    'openai-compatible': (settings, { fetch }) => {
      const api = resolveApiEndpoint(settings, EMBEDDING);
      return api.ok ? { ok: true, engine: createOpenAiEmbedder({ ...api.place, fetch }) } : api;
    },
    'workers-ai': ({ model }, { ai }) => {
      if (ai === undefined) return { ok: false, detail: NO_BINDING };
      if (model === undefined) return { ok: false, detail: `${EMBEDDING}_MODEL is not set` };
      return { ok: true, engine: createWorkersAiEmbedder({ binding: ai, model }) };
    },
  },
};

/** The engine of a name among those of the entry; no variable can choose one that its bundle does not hold. */
export function selectEngine<T, S extends ApiSettings>(
  { name, variable, settings }: { name: string | undefined; variable: string; settings: S },
  { factories, isLocal }: Engines<Factory<T, S>>,
  tools: ChatEngineTools,
): ChosenEngine<T> {
  if (name === undefined || name === 'none') return { ok: false, detail: `${variable} is none` };
  const factory = Object.hasOwn(factories, name) ? factories[name] : undefined;
  if (!factory) return { ok: false, detail: `${variable} is none of: none, ${Object.keys(factories).join(', ')}` };
  if (settings.url !== undefined && !isLocal && !isPublicHttps(settings.url))
    return { ok: false, detail: `${variable}_URL must be https and public` };
  return factory(settings, tools);
}

/** Settings of an API from variables, without those that are not set. */
export const readApiSettings = (
  url: string | undefined,
  model: string | undefined,
  key: string | undefined,
): ApiSettings => ({
  ...(url === undefined ? {} : { url }),
  ...(model === undefined ? {} : { model }),
  ...(key === undefined ? {} : { key }),
});

/**
 * The embedder that EMBEDDING_ENGINE names, or undefined: then an instance is searched by keywords alone. Cheap: its
 * SDK is loaded on first use.
 * @param env raw variables, and the binding AI where there is one
 * @throws Error for variables that do not parse
 */
export function selectEmbedder(
  env: Readonly<Record<string, unknown>>,
  embedders: Engines<EmbedderFactory>,
  fetch: ChatEngineTools['fetch'],
): Embedder | undefined {
  const {
    EMBEDDING_ENGINE: name,
    EMBEDDING_ENGINE_URL: url,
    EMBEDDING_ENGINE_MODEL: model,
    EMBEDDING_ENGINE_KEY: key,
  } = readEmbeddingSettings(env);
  const asked = { name, variable: EMBEDDING, settings: readApiSettings(url, model, key) };
  const made = selectEngine(asked, embedders, { fetch, ai: env['AI'] as Ai | undefined });
  return made.ok ? made.engine : undefined;
}
