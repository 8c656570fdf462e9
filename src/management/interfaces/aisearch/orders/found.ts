import type { InstanceFacts, SearchForm, SearchQuery } from '../../../../search/order.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import type { RefusalData } from '../../../../lib/refusal.ts';
import type { SearchCalls, SearchResult, FoundChunk, SearchRefusal } from '../../../../search/search-object.ts';
import { refuseUnavailable } from '../../../core/call-refusals.ts';
import { isPlatformFault } from '../../../../lib/errors.ts';

/** The object of an instance, by the name that the tenant's resources gave it. */
export type InstancePorts = { instance: (uid: string) => SearchCalls };

/** A chunk, with the id of the instance that it is of. */
export type PlacedChunk = FoundChunk & { instanceId: string };

/** What several instances found together, best first, and which of them failed where that is no failure of all. */
export type CombinedSearchResult =
  | { ok: true; chunks: readonly PlacedChunk[]; failures: readonly { instanceId: string; message: string }[] }
  | SearchRefusal;

/** What is searched, and for what: part of an order of a search, and of that of a chat. */
export type InstanceSearch = { instances: readonly InstanceFacts[]; query: SearchQuery };

/**
 * Asks instances, all at once. One that fails is the failure of all, unless the query takes parts of an answer
 * (`returnsOnFailure`); where all fail, it is in either case.
 * @throws what a bug of ours throws; a platform that fails is a refusal (503)
 */
export async function searchTogether(
  { instances, query }: InstanceSearch,
  ports: InstancePorts,
): Promise<CombinedSearchResult> {
  const answers = await Promise.all(instances.map((instance) => searchOne(instance, query, ports)));
  const failed = answers.filter((answer) => 'refusal' in answer);
  const [first] = failed;
  if (first !== undefined && (!query.returnsOnFailure || failed.length === answers.length))
    return { ok: false, refusal: first.refusal };
  const chunks = answers
    .flatMap((answer) => ('chunks' in answer ? answer.chunks : []))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, query.maxResults);
  const failures = failed.map(({ instanceId, refusal }) => ({ instanceId, message: refusal.message }));
  return { ok: true, chunks, failures };
}

type OneFound = { instanceId: string } & ({ chunks: readonly PlacedChunk[] } | { refusal: RefusalData });

async function searchOne(instance: InstanceFacts, query: SearchQuery, ports: InstancePorts): Promise<OneFound> {
  const instanceId = instance.id;
  const found = await searchOneInstance(instance, query, ports);
  if (!found.ok) return { instanceId, refusal: found.refusal };
  return { instanceId, chunks: found.chunks.map((chunk) => ({ ...chunk, instanceId })) };
}

async function searchOneInstance(
  instance: InstanceFacts,
  query: SearchQuery,
  ports: InstancePorts,
): Promise<SearchResult> {
  try {
    return await ports.instance(instance.uid).search(instance, query);
  } catch (error) {
    if (isPlatformFault(error)) return { ok: false, refusal: refuseUnavailable() };
    throw error;
  }
}

/** A chunk as the vendor shows it; of one instance without its id. Text and key are those of the indexed site: hostile. */
export const toChunkResource = (
  { instanceId, ...chunk }: PlacedChunk,
  form: Exclude<SearchForm, 'legacy'>,
): JsonObject => ({
  id: chunk.id,
  ...(form === 'namespace' && { instance_id: instanceId }),
  type: chunk.type,
  score: chunk.score,
  text: chunk.text,
  item: { key: chunk.item.key, timestamp: chunk.item.timestamp, metadata: { ...chunk.item.metadata } },
  scoring_details: { ...chunk.scoring },
});

/** A chunk as the older interface shows it: as a file with one piece of content. */
export const toFileResource = ({ id, score, text, item }: PlacedChunk): JsonObject => ({
  file_id: id,
  filename: item.key,
  score,
  attributes: { folder: item.key.slice(0, item.key.lastIndexOf('/') + 1), ...item.metadata, timestamp: item.timestamp },
  content: [{ id, type: 'text', text }],
});
