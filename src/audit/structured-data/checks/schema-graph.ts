import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { isVisibleDateClose, buildSchemaDates } from '../facts/schema-dates.ts';
import { findNodeConflicts, listIdReferences } from '../facts/schema-graph-facts.ts';
import { listNodesOfType } from '../facts/schema-nodes.ts';
import type { Site } from '../../core/site.ts';

const SHOWN = 3;
const RESOLVED = { passAt: 1, partialAt: 0.5 };

/** Checks of whether the nodes of a page hold together: references, dates, contradictions. */
export const schemaGraphChecks = [
  defineCheck({
    id: 'geo.schema.ids-linked',
    title: 'Nodes are linked by @id',
    failureTitle: 'Repair references by @id',
    weight: 1,
    grade: 'B',
    why: 'A reference to a node that is described nowhere leaves an article without its author or publisher. References to other pages and sites are left alone: what they name is described there.',
    source: 'JSON-LD 1.1, node identifiers, https://www.w3.org/TR/json-ld11/#node-identifiers',
    fix: 'Add the nodes shown, or correct the @id so that it is the same letter by letter.',
    each: 'share',
    needs: ['start', 'page', 'jsonLd'],
    judge: judgeReferences,
  }),
  defineCheck({
    id: 'geo.schema.dates-valid',
    title: 'Schema dates are ISO 8601 and coherent',
    failureTitle: 'Correct dates in structured data',
    weight: 1,
    grade: 'A',
    why: 'A date that cannot be read, lies in the future or contradicts the visible one is discarded, and the freshness of the page with it.',
    source:
      'https://schema.org/Date (ISO 8601); https://developers.google.com/search/docs/appearance/publication-dates',
    fix: 'Write dates as 2026-11-21 or 2026-11-21T09:00:00+00:00, dateModified not before datePublished, both as the page shows them.',
    each: 'share',
    needs: ['start', 'page', 'jsonLd', 'textEvidence'],
    judge: judgeDates,
  }),
  defineCheck({
    id: 'geo.schema.no-duplicates',
    title: 'No conflicting duplicate nodes',
    failureTitle: 'Merge duplicate nodes that contradict each other',
    weight: 1,
    grade: 'B',
    why: 'Two plugins that describe one thing differently leave a reader to guess which name or price is true. Nodes with addresses of their own are different things.',
    source:
      'agent-lighthouse, proposed audit json-ld-duplication-mass; JSON-LD 1.1, https://www.w3.org/TR/json-ld11/#node-identifiers',
    fix: 'Let one source write the node, or give both the same @id and the same values.',
    each: 'share',
    needs: ['start', 'jsonLd'],
    judge: judgeConflicts,
  }),
];

function judgeReferences({ start, page, jsonLd }: FactsOf<'start' | 'page' | 'jsonLd'>): CheckOutcome {
  const { local, elsewhere } = listIdReferences(jsonLd.graph, [page.url, page.baseUrl, start.exchange.url]);
  if (local.length === 0)
    return verdict.notApplicable(
      elsewhere > 0
        ? `All ${formatCount(elsewhere, 'reference')} name nodes of other pages.`
        : 'No node refers to another by @id.',
    );
  const dangling = local.filter(({ resolved }) => !resolved);
  const unread = jsonLd.graph.capped || jsonLd.blocks.some(({ state }) => state === 'cut');
  const evidence = (dangling.length > 0 ? dangling : local)
    .slice(0, SHOWN)
    .map(({ id, line }) => buildEvidence(start.exchange, { line, selector: '@id', excerpt: id }));
  const note = `${local.length - dangling.length} of ${formatCount(local.length, 'reference')} by @id resolve in the page.`;
  if (dangling.length > 0 && unread)
    return verdict.unknown(`${note} A part of the structured data is longer than we read.`, evidence);
  return verdict.byShare(1 - dangling.length / local.length, RESOLVED, note, evidence);
}

function judgeDates(
  { start, page, jsonLd: { graph }, textEvidence }: FactsOf<'start' | 'page' | 'jsonLd' | 'textEvidence'>,
  site: Site,
): CheckOutcome {
  const { dates, faults } = buildSchemaDates(graph, site.clockMs);
  if (dates === 0) return verdict.notApplicable('Structured data states no date of publication or change.');
  const [article] = listNodesOfType(graph, 'Article');
  const agrees = article && textEvidence.kind.kind === 'article' ? isVisibleDateClose(page, graph, article) : undefined;
  if (faults.length > 0) {
    const kinds = [...new Set(faults.map(({ what }) => what))].join(', ');
    const evidence = faults
      .slice(0, SHOWN)
      .map(({ property, text, line }) => buildEvidence(start.exchange, { line, selector: property, excerpt: text }));
    return verdict.fail(`${formatCount(faults.length, 'fault')} in ${formatCount(dates, 'date')}: ${kinds}.`, evidence);
  }
  const evidence = buildEvidence(start.exchange, { selector: 'datePublished, dateModified' });
  if (agrees === false)
    return verdict.partial(
      0.5,
      'The dates are in order, but the visible date is another day than those of the article.',
      evidence,
    );
  return verdict.pass(`${formatCount(dates, 'date')} in ISO 8601 and in order.`, evidence);
}

function judgeConflicts({ start, jsonLd }: FactsOf<'start' | 'jsonLd'>): CheckOutcome {
  const { compared, conflicts } = findNodeConflicts(jsonLd.graph);
  if (compared < 2)
    return verdict.notApplicable(
      'No two nodes of type Organization, Article or Product contradict each other side by side.',
    );
  const evidence = conflicts
    .slice(0, SHOWN)
    .map(({ type, property, values, lines }) =>
      buildEvidence(start.exchange, { line: lines[1], selector: `${type}.${property}`, excerpt: values.join(' / ') }),
    );
  if (conflicts.length === 0)
    return verdict.pass(
      `${formatCount(compared, 'node')} compared, none contradicts another.`,
      buildEvidence(start.exchange),
    );
  const types = [...new Set(conflicts.map(({ type, property }) => `${type}.${property}`))].join(', ');
  return verdict.fail(`${formatCount(conflicts.length, 'pair')} of nodes for one thing differ in ${types}.`, evidence);
}
