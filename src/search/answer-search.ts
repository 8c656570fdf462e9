import type { InstanceFacts, SearchQuery } from '../management/aisearch/order.ts';
import { Refusal } from '../management/refusal.ts';
import type { Parts } from './jobs/parts.ts';
import type { Embedder, Found } from './search-object.ts';

/** How long the query's vector is waited for. */
const EMBED_MS = 10_000;

/**
 * The chunks that answer a query. Where vectors are asked for and cannot be had, `hybrid` is answered by words alone if the
 * instance has no vectors or the caller allows it.
 * @throws Refusal 503 for a search that cannot be made
 */
export async function answerSearch(parts: Parts, { config }: InstanceFacts, query: SearchQuery): Promise<Found> {
  const embedder = config.vector && query.type !== 'keyword' ? parts.tools.embedder() : undefined;
  if (!embedder) {
    if (query.type === 'vector')
      throw unavailable('engine_not_configured', 'There is no embedding engine: search by keyword');
    return { ok: true, chunks: parts.store.search({ ...query, type: 'keyword' }) };
  }
  const vector = await vectorOf(embedder, query.text);
  if (vector) return { ok: true, chunks: parts.store.search(query, vector) };
  if (query.type === 'vector' || !query.returnsOnFailure)
    throw unavailable('engine_failed', 'The embedding engine does not answer');
  return { ok: true, chunks: parts.store.search({ ...query, type: 'keyword' }) };
}

async function vectorOf(embedder: Embedder, text: string): Promise<Float32Array | undefined> {
  const answer = await embedder.embed([text], AbortSignal.timeout(EMBED_MS));
  return answer.ok ? answer.vectors[0] : undefined;
}

const unavailable = (reason: string, message: string): Refusal =>
  new Refusal({ status: 503, word: 'UNAVAILABLE', reason, message });
