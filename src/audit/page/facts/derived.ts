import { rememberPerObject } from '../../../lib/memo.ts';
import type { Artifact } from '../../core/artifact.ts';
import { type Snapshot, getExchangeLookup } from '../../core/snapshot.ts';
import { getJsonLd, type JsonLd } from '../../structured-data/facts/json-ld.ts';
import type { PageFacts } from './page-facts.ts';
import { listNodesOfType, listPropertyTexts } from '../../structured-data/facts/schema-nodes.ts';
import { readPageFacts } from '../../reach/facts/site-files.ts';
import { type TextEvidence, computeTextEvidence } from '../../text/facts/text-evidence.ts';

/** Artifact `jsonLd`: the structured data of the start page. */
export function readJsonLd(snapshot: Snapshot): Artifact<JsonLd> {
  const page = readPageFacts(snapshot);
  if (page.state === 'failed') return page;
  const jsonLd = getJsonLd(page.value);
  const answer = getExchangeLookup(snapshot)('page')?.answer;
  return { state: 'ready', value: answer?.ok === true && answer.truncated ? withCutEnd(jsonLd) : jsonLd };
}

/** A page cut at our limit may end inside a block: that the block stops there is our doing. */
function withCutEnd(jsonLd: JsonLd): JsonLd {
  const last = jsonLd.blocks.at(-1);
  if (last?.fault?.reason !== 'unexpected_end') return jsonLd;
  const { line, context, types } = last;
  return { ...jsonLd, blocks: [...jsonLd.blocks.slice(0, -1), { state: 'cut', line, context, types }] };
}

/** Artifact `textEvidence`: what the main text of the start page offers to cite. */
export function readTextEvidence(snapshot: Snapshot): Artifact<TextEvidence> {
  const page = readPageFacts(snapshot);
  if (page.state === 'failed') return page;
  return { state: 'ready', value: getTextEvidence(page.value) };
}

const getTextEvidence = rememberPerObject((page: PageFacts): TextEvidence =>
  computeTextEvidence(page, listOwnUrls(page)),
);

/** The organisation's other addresses (`sameAs`): links to them are no sources. */
export function listOwnUrls(page: PageFacts): readonly string[] {
  const { graph } = getJsonLd(page);
  return listNodesOfType(graph, 'Organization').flatMap((node) => listPropertyTexts(graph, node, 'sameAs'));
}
