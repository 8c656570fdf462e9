import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { buildBoosts, listMetadataFields, getIndexMethods, type Retrieval, type InstanceSettings } from './settings.ts';
import { DEFAULTS } from './defaults-data.ts';
import { readStoredInstance } from './kept.ts';
import type { Filter, MetadataField, SearchQuery } from '../../../search/order.ts';

/** Instances that are searched together: at least one. What a call does not say, the first of them does. */
export type SearchTargets = readonly [ResourceRow, ...ResourceRow[]];

/** The fields that items of any of the instances may be filtered by. */
export const mergeMetadataFields = (instances: SearchTargets): readonly MetadataField[] => [
  ...new Map(
    instances
      .flatMap((row) => listMetadataFields(readStoredInstance(row).settings))
      .toReversed() // Of two with one name the first counts.
      .map((field) => [field.name, field]),
  ).values(),
];

/**
 * What is asked of the index: what the call says, else the instance, else the default.
 * @throws Refusal 400 for a type of retrieval that an instance has no index for, and for boosts by unknown fields
 */
export function buildSearchQuery(
  text: string,
  asked: Retrieval,
  filter: Filter | undefined,
  instances: SearchTargets,
): SearchQuery {
  const all = instances.map((row) => readStoredInstance(row).settings);
  const settings: InstanceSettings = all[0] ?? {};
  const { boost_by, keyword_match_mode } = settings.retrieval_options ?? {};
  return {
    text,
    ...(filter !== undefined && { filter }),
    type: selectRetrievalType(asked.retrieval_type, all),
    fusion: asked.fusion_method ?? settings.fusion_method ?? 'rrf',
    keywordMode: asked.keyword_match_mode ?? keyword_match_mode ?? 'auto',
    threshold: asked.match_threshold ?? settings.score_threshold ?? DEFAULTS.score_threshold,
    maxResults: asked.max_num_results ?? settings.max_num_results ?? DEFAULTS.max_num_results,
    expansion: asked.context_expansion ?? 0,
    showsText: asked.metadata_only !== true,
    boosts: buildBoosts(asked.boost_by ?? boost_by ?? [], mergeMetadataFields(instances)),
    returnsOnFailure: asked.return_on_failure ?? true,
  };
}

/**
 * Keyword and hybrid retrieval need an index of words in each instance, that by vectors one of vectors. Where the call names
 * none it is what the instances have together: `hybrid` is for each what that one has of it.
 */
function selectRetrievalType(
  asked: Retrieval['retrieval_type'],
  all: readonly InstanceSettings[],
): SearchQuery['type'] {
  const methods = all.map(getIndexMethods);
  if (asked !== undefined) {
    const need = asked === 'vector' ? 'vector' : 'keyword';
    if (!methods.every((method) => method[need])) throw vendorRefusals.invalid('invalid_retrieval_type');
    return asked;
  }
  const has = (name: 'keyword' | 'vector'): boolean => methods.some((method) => method[name]);
  if (!has('vector')) return 'keyword';
  return has('keyword') ? 'hybrid' : 'vector';
}
