import * as z from 'zod';
import { createSettingsReader } from '../../lib/settings-reader.ts';

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

export type EmbeddingSettings = z.infer<typeof schema>;

/** The settings of the embedding engine, for an object that has raw variables. @throws Error as `createSettingsReader` */
export const readEmbeddingSettings: (env: object) => EmbeddingSettings = createSettingsReader(schema);
