import type { InstanceConfig, InstanceFacts, SearchQuery } from './order.ts';
import { Refusal } from '../lib/refusal.ts';
import { getEmbedder, isOther, discardVectors } from './jobs/embed.ts';
import type { Parts } from './jobs/parts.ts';
import type { Embedder } from '../models/port.ts';
import type { SearchResult } from './search-object.ts';

/** How long the query's vector is waited for. */
const EMBED_MS = 10_000;

/**
 * The chunks that answer a query. Where vectors are asked for and cannot be had, `hybrid` is answered by words alone if the
 * instance has no vectors or the caller allows it.
 * @throws Refusal 503 for a search that cannot be made
 */
export async function answerSearch(parts: Parts, { config }: InstanceFacts, query: SearchQuery): Promise<SearchResult> {
  const suited = { ...query, type: selectSearchType(config, query.type) };
  return runSearch(parts, config, suited);
}

/**
 * Of several instances that are searched together each has its own indexes: one without words is searched by vectors, one
 * without vectors by words. What a caller names itself was judged by every instance before (400).
 */
function selectSearchType({ keyword, vector }: InstanceConfig, type: SearchQuery['type']): SearchQuery['type'] {
  if (type !== 'hybrid' || (keyword && vector)) return type;
  return keyword ? 'keyword' : 'vector';
}

async function runSearch(parts: Parts, config: InstanceConfig, query: SearchQuery): Promise<SearchResult> {
  const embedder = config.vector && query.type !== 'keyword' ? getEmbedder(parts) : undefined;
  if (!embedder) {
    if (query.type === 'vector')
      throw refuseUnavailable('engine_not_configured', 'There is no embedding engine: search by keyword');
    return { ok: true, chunks: parts.store.search({ ...query, type: 'keyword' }) };
  }
  if (isOther(parts, embedder)) return withoutVectors(parts, query);
  const vector = await embedQuery(embedder, query.text);
  const length = Number(parts.own.word('embed_length'));
  if (vector && length > 0 && vector.length !== length) {
    discardVectors(parts);
    return withoutVectors(parts, query);
  }
  if (vector) return { ok: true, chunks: parts.store.search(query, vector) };
  if (query.type === 'vector' || !query.returnsOnFailure)
    throw refuseUnavailable('engine_failed', 'The embedding engine does not answer');
  return { ok: true, chunks: parts.store.search({ ...query, type: 'keyword' }) };
}

/** Vectors of another model compare with nothing; a round makes them anew. */
function withoutVectors({ store }: Parts, query: SearchQuery): SearchResult {
  if (query.type === 'vector')
    throw refuseUnavailable('index_out_of_date', 'The vectors are of another model, new ones are being made');
  return { ok: true, chunks: store.search({ ...query, type: 'keyword' }) };
}

async function embedQuery(embedder: Embedder, text: string): Promise<Float32Array | undefined> {
  const answer = await embedder.embed([text], AbortSignal.timeout(EMBED_MS));
  return answer.ok ? answer.vectors[0] : undefined;
}

const refuseUnavailable = (reason: string, message: string): Refusal =>
  new Refusal({ status: 503, word: 'UNAVAILABLE', reason, message });
