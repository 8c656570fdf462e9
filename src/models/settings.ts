import type { Ai } from '@cloudflare/workers-types';
import * as z from 'zod';
import { createSettingsReader } from '../lib/settings-reader.ts';
import type { ApiSettings } from './core/api-endpoint.ts';
import type { Embedder } from './port.ts';
import { type Engines, type EngineTools, selectEngine } from './registry.ts';

const MICRO = 1_000_000;

/** An empty variable is one that is not set. */
const ignoreEmpty = (given: unknown): unknown => (given === '' ? undefined : given);
const text = z.preprocess(ignoreEmpty, z.string().optional());
const httpUrl = z.preprocess(ignoreEmpty, z.url({ protocol: /^https?$/ }).optional());

/** An amount in USD as micro-USD. */
const defineMicroUsd = (usual: number, most: number) =>
  z.preprocess(
    ignoreEmpty,
    z.coerce
      .number()
      .min(0)
      .max(most)
      .default(usual)
      .transform((usd) => Math.round(usd * MICRO)),
  );

/** Variables of the control Worker about engines: answers of chats, what those may cost, and vectors. */
export const engineVariables = {
  /** Which engine answers chats: a name of the entry's engines, or `none`. */
  ANSWER_ENGINE: text,
  ANSWER_ENGINE_URL: httpUrl,
  ANSWER_ENGINE_MODEL: text,
  ANSWER_ENGINE_KEY: text,
  /** Tokens that an answer may have. */
  ANSWER_ENGINE_MAX_TOKENS: z.preprocess(ignoreEmpty, z.coerce.number().int().min(1).max(100_000).default(1_500)),
  /** What one chat may cost, and all chats of a tenant in an hour, read as USD: micro-USD from here on. */
  CHAT_USD: defineMicroUsd(0.01, 100),
  UNPAID_ENGINE_USD_PER_HOUR: defineMicroUsd(5, 1_000_000),
  /** Which engine turns texts into vectors: a name of the entry's embedders, or `none`. */
  EMBEDDING_ENGINE: text,
  EMBEDDING_ENGINE_URL: httpUrl,
  EMBEDDING_ENGINE_MODEL: text,
  EMBEDDING_ENGINE_KEY: text,
};

const { EMBEDDING_ENGINE, EMBEDDING_ENGINE_URL, EMBEDDING_ENGINE_MODEL, EMBEDDING_ENGINE_KEY } = engineVariables;
const schema = z.object({ EMBEDDING_ENGINE, EMBEDDING_ENGINE_URL, EMBEDDING_ENGINE_MODEL, EMBEDDING_ENGINE_KEY });

/** @throws Error as `createSettingsReader` */
const readEmbeddingSettings = createSettingsReader(schema);

/**
 * The embedder that EMBEDDING_ENGINE names, or undefined: then an instance is searched by keywords alone. Cheap: its
 * SDK is loaded on first use.
 * @param env raw variables, and the binding AI where there is one
 * @throws Error for variables that do not parse
 */
export function selectEmbedder(
  env: Readonly<Record<string, unknown>>,
  embedders: Engines<Embedder, ApiSettings>,
  { fetch }: Pick<EngineTools, 'fetch'>,
): Embedder | undefined {
  const settings = readEmbeddingSettings(env);
  const choice = selectEngine(
    settings.EMBEDDING_ENGINE,
    {
      prefix: 'EMBEDDING_ENGINE',
      url: settings.EMBEDDING_ENGINE_URL,
      model: settings.EMBEDDING_ENGINE_MODEL,
      key: settings.EMBEDDING_ENGINE_KEY,
    },
    embedders,
    { fetch, ai: env['AI'] as Ai | undefined },
  );
  return choice.ok ? choice.engine : undefined;
}
