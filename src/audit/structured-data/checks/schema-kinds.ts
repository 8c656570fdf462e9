import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { type CheckEvidence, buildEvidence } from '../../core/evidence.ts';
import {
  computePathDepth,
  findBestLocalBusiness,
  isPlacePage,
  listBreadcrumbs,
  LOCAL_FIELDS,
} from '../facts/schema-kinds.ts';
import { judgeMissingNode } from './missing-node.ts';
import { listRatings } from '../facts/ratings.ts';
import { listPropertyNodes, listNodesOfType } from '../facts/schema-nodes.ts';

const GOOGLE = 'https://developers.google.com/search/docs/appearance/structured-data';
const SHOWN = 3;

/** Checks of single kinds of structured data: trails, places, ratings, and two that are only reported. */
export const schemaKindChecks = [
  defineCheck({
    id: 'geo.schema.breadcrumb',
    title: 'BreadcrumbList on deep pages',
    failureTitle: 'Add a BreadcrumbList to deep pages',
    weight: 1,
    grade: 'B',
    why: 'The trail shows a reader of one page where in the site it is. Pages at most one step below the root need none; a trail that is there is judged anywhere.',
    source: `${GOOGLE}/breadcrumb`,
    fix: 'Add a BreadcrumbList with position 1 to n, a name for each step, and item for all but the last.',
    each: 'share',
    needs: ['start', 'page', 'jsonLd'],
    judge: judgeBreadcrumb,
  }),
  defineCheck({
    id: 'geo.schema.local-business',
    title: 'LocalBusiness is complete',
    failureTitle: 'Complete the LocalBusiness',
    weight: 1,
    grade: 'B',
    why: 'Answers about places near by take name, address, telephone, hours and position from these fields. Judged where the type is stated, or where the page shows a telephone link, a street and opening hours: an address alone is an imprint, not a shop.',
    source: `${GOOGLE}/local-business`,
    fix: 'Describe the place as LocalBusiness (or its subtype) with name, address, telephone, openingHours and geo.',
    each: 'share',
    needs: ['start', 'page', 'jsonLd'],
    judge: judgeLocalBusiness,
  }),
  defineCheck({
    id: 'geo.schema.review-honest',
    title: 'Ratings are backed',
    failureTitle: 'Back ratings with visible reviews',
    weight: 1,
    grade: 'A',
    why: 'A rating out of its range, without a count, or that the page does not show misleads anyone who quotes it, and is a ground for a manual action.',
    source: `${GOOGLE}/review-snippet: technical guidelines, and self-serving reviews of Organization and LocalBusiness`,
    fix: 'State ratingValue between worstRating and bestRating with a true ratingCount, and show both on the page; remove ratings of your own organisation.',
    each: 'share',
    needs: ['start', 'page', 'jsonLd'],
    judge: judgeRatings,
  }),
  defineCheck({
    id: 'geo.schema.speakable',
    title: 'speakable is reported',
    failureTitle: 'Check whether speakable helps you',
    weight: 0,
    grade: 'D',
    why: 'The property is a beta for news in English in the United States; no effect elsewhere is known. Reported, not scored.',
    source: `${GOOGLE}/speakable (beta)`,
    fix: 'Nothing to fix: the property is optional and has no measured effect.',
    each: 'share',
    needs: ['start', 'jsonLd'],
    judge: judgeSpeakable,
  }),
  defineCheck({
    id: 'geo.schema.howto',
    title: 'HowTo is reported',
    failureTitle: 'Check whether HowTo helps you',
    weight: 0,
    grade: 'D',
    why: 'Google shows no rich result for it since September 2023; the type still describes steps to other readers. Reported, not scored.',
    source: 'https://developers.google.com/search/blog/2023/08/howto-faq-changes',
    fix: 'Nothing to fix in the markup: show the steps as a numbered list.',
    each: 'share',
    needs: ['start', 'jsonLd'],
    judge: judgeHowTo,
  }),
];

function judgeBreadcrumb({ start, page, jsonLd }: FactsOf<'start' | 'page' | 'jsonLd'>): CheckOutcome {
  const [best] = listBreadcrumbs(jsonLd.graph);
  const depth = computePathDepth(page.url);
  if (!best) {
    if (depth <= 1) return verdict.notApplicable('The page is at most one step below the root.');
    if (page.rdfaTypes.some((types) => types.includes('BreadcrumbList')))
      return verdict.unknown(
        'The trail is written in RDFa, which we do not read.',
        buildEvidence(start.exchange, { selector: '[typeof]' }),
      );
    return judgeMissingNode(
      jsonLd,
      `No BreadcrumbList on a page ${depth} steps below the root.`,
      buildEvidence(start.exchange),
    );
  }
  const evidence = buildEvidence(start.exchange, { line: best.line, excerpt: best.steps.join(' > ') });
  if (best.faults.length === 0) return verdict.pass(`A trail of ${best.steps.length} steps.`, evidence);
  const note = `The trail has ${formatCount(best.faults.length, 'fault')}: ${best.faults.join(', ')}.`;
  return best.steps.length === 0 ? verdict.fail(note, evidence) : verdict.partial(0.5, note, evidence);
}

function judgeLocalBusiness({ start, page, jsonLd }: FactsOf<'start' | 'page' | 'jsonLd'>): CheckOutcome {
  const best = findBestLocalBusiness(jsonLd.graph);
  if (!best)
    return isPlacePage(page)
      ? judgeMissingNode(
          jsonLd,
          'The page shows a telephone link, a street and opening hours, but no LocalBusiness.',
          buildEvidence(start.exchange),
        )
      : verdict.notApplicable(
          'Not the page of a place: no LocalBusiness, and not all of telephone link, street and opening hours.',
        );
  const evidence = buildEvidence(start.exchange, { line: best.line, excerpt: best.types.join(', ') });
  const found = LOCAL_FIELDS - best.missing.length;
  if (best.missing.length === 0) return verdict.pass(`All ${LOCAL_FIELDS} fields are there.`, evidence);
  const note = `${found} of ${LOCAL_FIELDS} fields. Missing: ${best.missing.join(', ')}.`;
  return found === 0 ? verdict.fail(note, evidence) : verdict.partial(found / LOCAL_FIELDS, note, evidence);
}

function judgeRatings({ start, page, jsonLd }: FactsOf<'start' | 'page' | 'jsonLd'>): CheckOutcome {
  const ratings = listRatings(jsonLd.graph, page);
  if (ratings.length === 0) return verdict.notApplicable('No AggregateRating.');
  const faulty = ratings.filter(({ hard, soft }) => hard.length + soft.length > 0);
  const shown = faulty.length > 0 ? faulty : ratings;
  const evidence: readonly CheckEvidence[] = shown.slice(0, SHOWN).map(({ line, value, count }) =>
    buildEvidence(start.exchange, {
      line,
      selector: 'aggregateRating',
      excerpt: `ratingValue ${value}, count ${count}`,
    }),
  );
  if (faulty.length === 0)
    return verdict.pass(
      `${formatCount(ratings.length, 'rating')}, each in its range, with value and count in the HTML beside the markup.`,
      evidence,
    );
  const reasons = [...new Set(faulty.flatMap(({ hard, soft }) => [...hard, ...soft]))];
  const note = `${faulty.length} of ${formatCount(ratings.length, 'rating')} at fault: ${reasons.join('; ')}.`;
  return faulty.some(({ hard }) => hard.length > 0)
    ? verdict.fail(note, evidence)
    : verdict.partial(0.5, note, evidence);
}

function judgeSpeakable({
  start,
  jsonLd: { graph },
}: Omit<FactsOf<'start' | 'page' | 'jsonLd'>, 'page'>): CheckOutcome {
  const node = graph.nodes.find(({ props }) => props.has('speakable'));
  if (!node) return verdict.notApplicable('No speakable property, and none is needed.');
  const parts = listPropertyNodes(graph, node, 'speakable').filter(
    ({ props }) => props.has('cssSelector') || props.has('xpath'),
  );
  return verdict.pass(
    `speakable is stated, ${parts.length > 0 ? 'with' : 'without'} a selector. Reported, not judged.`,
    buildEvidence(start.exchange, { line: node.line, selector: 'speakable' }),
  );
}

function judgeHowTo({ start, jsonLd: { graph } }: Omit<FactsOf<'start' | 'page' | 'jsonLd'>, 'page'>): CheckOutcome {
  const [node] = listNodesOfType(graph, 'HowTo');
  if (!node) return verdict.notApplicable('No HowTo node, and none is needed.');
  const steps = listPropertyNodes(graph, node, 'step').length;
  return verdict.pass(
    `A HowTo with ${formatCount(steps, 'step')}. Reported, not judged.`,
    buildEvidence(start.exchange, { line: node.line }),
  );
}
