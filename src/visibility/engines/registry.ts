import type { Ai } from '@cloudflare/workers-types';
import type { AnswerEngine } from '../answer.ts';
import { openaiCompatibleEngine } from './openai-compatible.ts';
import { workersAiEngine } from './workers-ai.ts';

/** What the settings say about the engine. */
export type EngineSettings = { kind: string; url?: string; model?: string; key?: string; maxOutputTokens: number };

/** What an engine may be made of; each takes what it needs. */
export type EngineTools = {
  fetch: typeof fetch;
  ai: Ai | undefined;
  recording: string | undefined;
  brands: string | undefined;
  seed: string | undefined;
};

/** Makes an engine, or says in our words what is missing for it. */
export type EngineFactory = (
  settings: EngineSettings,
  tools: EngineTools,
) => { ok: true; engine: AnswerEngine } | { ok: false; detail: string };

/** What fetch takes as a bearer token; its own complaint would quote the key. */
const HEADER_VALUE = /^[\x21-\x7e]{1,8192}$/u;

/** The engines of a deployment. Those that are no AI model are in a file of their own, which no deployed bundle holds. */
export const productionEngines = {
  'openai-compatible': ({ url, model, key, maxOutputTokens }, { fetch }) => {
    if (url === undefined) return { ok: false, detail: 'ANSWER_ENGINE_URL is not set' };
    if (model === undefined) return { ok: false, detail: 'ANSWER_ENGINE_MODEL is not set' };
    if (!isPlainHttp(url)) return { ok: false, detail: 'ANSWER_ENGINE_URL is no http(s) URL, or holds a password' };
    const secret = key?.trim() || undefined; // Files of secrets end in a line end.
    if (secret !== undefined && !HEADER_VALUE.test(secret))
      return { ok: false, detail: 'ANSWER_ENGINE_KEY holds characters that no header may carry' };
    return { ok: true, engine: openaiCompatibleEngine({ url, model, key: secret, fetch, maxOutputTokens }) };
  },
  'workers-ai': ({ model, maxOutputTokens }, { ai }) => {
    if (ai === undefined) return { ok: false, detail: 'The binding AI is not declared in this deployment' };
    if (model === undefined) return { ok: false, detail: 'ANSWER_ENGINE_MODEL is not set' };
    return { ok: true, engine: workersAiEngine({ binding: ai, model, maxOutputTokens }) };
  },
} as const satisfies Readonly<Record<string, EngineFactory>>;

function isPlainHttp(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/u.test(url.protocol) && url.username === '' && url.password === '';
}
