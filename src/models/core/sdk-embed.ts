import type { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { waitOrAbort } from '../../net/deadline.ts';
import { type Embedder, MAX_EMBEDDED_CHARS, MAX_EMBEDDING_BATCH } from '../port.ts';
import { toEngineFailure } from './sdk-failure.ts';

/** A model of vectors as providers of the AI SDK make it; it is asked itself, as those of chats are. */
export type SdkEmbeddingModel = Pick<
  ReturnType<ReturnType<typeof createOpenAICompatible>['embeddingModel']>,
  'doEmbed'
>;
type Embedded = Awaited<ReturnType<Embedder['embed']>>;

/** Numbers of a vector. */
const MAX_DIMENSIONS = 4_096;

const NO_VECTORS: Embedded = { ok: false, detail: 'no vectors of an embeddings API', retryable: false };

/**
 * A vector for each text by a provider's model: asked once, bounded, and looked at before anything is kept of it.
 * @throws RangeError for more texts than one question may have
 */
export async function embedTexts(
  model: SdkEmbeddingModel,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Embedded> {
  if (texts.length > MAX_EMBEDDING_BATCH) throw new RangeError(`at most ${MAX_EMBEDDING_BATCH} texts`);
  if (texts.length === 0) return { ok: true, vectors: [] };
  const values = texts.map((text) => text.slice(0, MAX_EMBEDDED_CHARS).toWellFormed());
  try {
    signal.throwIfAborted();
    const { embeddings } = await waitOrAbort(Promise.resolve(model.doEmbed({ values, abortSignal: signal })), signal);
    return readVectors(embeddings, texts.length);
  } catch (error) {
    const { detail, retryable } = toEngineFailure(error, signal);
    return { ok: false, detail, retryable };
  }
}

/** The vectors of an answer: one for each text, of one length, of finite numbers. */
function readVectors(given: unknown, count: number): Embedded {
  if (!Array.isArray(given) || given.length !== count) return NO_VECTORS;
  const vectors = given.map(readVector);
  const length = vectors[0]?.length ?? 0;
  const isGood = vectors.every((vector): vector is Float32Array => vector !== undefined && vector.length === length);
  return isGood ? { ok: true, vectors } : NO_VECTORS;
}

function readVector(given: unknown): Float32Array | undefined {
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_DIMENSIONS) return undefined;
  if (!given.every((value) => typeof value === 'number')) return undefined;
  const vector = Float32Array.from(given);
  return vector.every(Number.isFinite) ? vector : undefined;
}
