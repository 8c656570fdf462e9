import type { Ai } from '@cloudflare/workers-types';
import type { AnswerEngine } from './port.ts';
import { resolveApiEndpoint } from './api-settings.ts';
import { createOpenAiEngine } from './openai-compatible.ts';
import { createWorkersAiEngine } from './workers-ai.ts';

/** What the settings say about the engine. */
export type EngineSettings = { kind: string; url?: string; model?: string; key?: string; maxOutputTokens: number };

/** What an engine may be made of; each takes what it needs. */
export type AnswerEngineTools = {
  fetch: typeof fetch;
  ai: Ai | undefined;
  recording: string | undefined;
  brands: string | undefined;
  seed: string | undefined;
};

/** Makes an engine, or says in our words what is missing for it. */
export type EngineFactory = (
  settings: EngineSettings,
  tools: AnswerEngineTools,
) => { ok: true; engine: AnswerEngine } | { ok: false; detail: string };

/** The engines of a deployment. Those that are no AI model are in a file of their own, which no deployed bundle holds. */
export const productionEngines = {
  'openai-compatible': (settings, { fetch }) => {
    const api = resolveApiEndpoint(settings, 'ANSWER_ENGINE');
    if (!api.ok) return api;
    const { maxOutputTokens } = settings;
    return { ok: true, engine: createOpenAiEngine({ ...api.place, fetch, maxOutputTokens }) };
  },
  'workers-ai': ({ model, maxOutputTokens }, { ai }) => {
    if (ai === undefined) return { ok: false, detail: 'The binding AI is not declared in this deployment' };
    if (model === undefined) return { ok: false, detail: 'ANSWER_ENGINE_MODEL is not set' };
    return { ok: true, engine: createWorkersAiEngine({ binding: ai, model, maxOutputTokens }) };
  },
} as const satisfies Readonly<Record<string, EngineFactory>>;
