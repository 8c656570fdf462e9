import type { Snapshot } from '../../core/snapshot.ts';
import { faqMarkup } from './faq.ts';
import type { JsonLd, SchemaBlock } from './json-ld.ts';
import { bestOrganization } from './organization.ts';
import { readJsonLd } from '../../page/facts/derived.ts';
import { SCHEMA_ORG_VERSION } from './schema-org-data.ts';

/** Types listed at most; the rest is a number. */
const MAX_TYPES = 100;
const MAX_BLOCKS = 50;

/**
 * What `check_schema` reports beside its verdicts: the types of the start page with their counts, whether a FAQ and an
 * organisation are described, and each JSON-LD block with where it stops being JSON. `readable` is false when the page
 * could not be read: then nothing is known, which is not "none".
 */
export function schemaFacts(snapshot: Snapshot): Readonly<Record<string, unknown>> {
  const artifact = readJsonLd(snapshot);
  if (artifact.state === 'failed') return { readable: false, reason: artifact.reason };
  const jsonLd = artifact.value;
  const counts = typeCounts(jsonLd);
  const faq = faqMarkup(jsonLd);
  const organization = bestOrganization(jsonLd.graph);
  return {
    readable: true,
    types: counts.slice(0, MAX_TYPES).map(([type, count]) => ({ type, count })),
    distinct_types: counts.length,
    faq: faq.pages > 0,
    faq_questions: faq.questions.length,
    organization: organization !== undefined,
    organization_name: organization?.name ?? '',
    microdata_items: jsonLd.microdataItems,
    blocks: jsonLd.blocks.slice(0, MAX_BLOCKS).map(blockFacts),
    errors: jsonLd.blocks.filter(({ state }) => state === 'broken' || state === 'wrapped').length,
    capped: jsonLd.graph.capped,
    vocabulary: `schema.org ${SCHEMA_ORG_VERSION}`,
  };
}

/** Types of readable nodes, the most frequent first, then by name. */
function typeCounts({ graph }: JsonLd): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const type of graph.nodes.flatMap((node) => node.types)) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

const blockFacts = ({ state, line, context, types, fault }: SchemaBlock): Readonly<Record<string, unknown>> => ({
  state,
  line,
  context,
  types,
  ...(fault ? { error: { reason: fault.reason, line: fault.line, column: fault.column } } : {}),
});
