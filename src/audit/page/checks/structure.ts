import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import type { Heading, PageFacts } from '../facts/page-facts.ts';

/** Checks of the outline by which a page is cut into passages. */
export const pageStructureChecks = [
  defineCheck({
    id: 'aeo.structure.h1',
    title: 'Exactly one clear h1',
    failureTitle: 'Use exactly one h1',
    weight: 1,
    grade: 'B',
    why: 'The h1 is the name under which a passage of the page is stored and found. 75 % of real pages have exactly one, 7 % have none.',
    source: 'HTML, section 4.3.6 (headings); agent-lighthouse 6.1',
    fix: 'Give the page one h1 that names its topic, and make other headings h2 or lower.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeH1,
  }),
  defineCheck({
    id: 'aeo.structure.heading-order',
    title: 'Headings do not skip levels',
    failureTitle: 'Use heading levels without gaps',
    weight: 1,
    grade: 'B',
    why: 'Programs that cut a page into passages do so at headings and nest them by level; a skipped level puts a passage under the wrong one. 45 % of real pages skip none.',
    source: 'WCAG 2.2, success criterion 1.3.1, technique G141; axe heading-order',
    fix: 'Renumber the headings in the evidence so that each is at most one level below the one before.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeOrder,
  }),
  defineCheck({
    id: 'aeo.structure.landmarks',
    title: 'main, article, nav, header and footer are used',
    failureTitle: 'Mark up main, article, nav, header and footer',
    scores: ['aeo', 'agent'],
    weight: 1,
    grade: 'B',
    why: 'Extractors keep what is in main or article and drop menus and footers; without landmarks they guess. main counts half; 48 % of real pages have it.',
    source: 'WAI-ARIA 1.2, landmark roles; HTML Accessibility API Mappings; mozilla/readability',
    fix: 'Wrap the content in <main> and <article>, menus in <nav>, and the top and bottom of the page in <header> and <footer>.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeLandmarks,
  }),
];

/** Headings that a reader of the page meets. */
const listVisibleHeadings = (page: PageFacts): readonly Heading[] =>
  page.headings.filter(({ text, hidden }) => text !== '' && (hidden === undefined || hidden === 'aria-hidden'));

function judgeH1({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const found = listVisibleHeadings(page).filter(({ level }) => level === 1);
  const [first] = found;
  if (!first) return verdict.fail('The page has no h1 with text.', buildEvidence(exchange, { selector: 'h1' }));
  const evidence = found
    .slice(0, 5)
    .map(({ line, text }) => buildEvidence(exchange, { selector: 'h1', line, excerpt: text }));
  if (found.length === 1) return verdict.pass('The page has one h1.', evidence);
  return verdict.partial(0.5, `The page has ${found.length} h1 headings.`, evidence);
}

/** Fewer headings have no order. */
const MIN_HEADINGS = 3;
const FAIR_SKIPS = 0.2;

function judgeOrder({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const headings = listVisibleHeadings(page);
  if (headings.length < MIN_HEADINGS)
    return verdict.notApplicable(`The page has ${formatCount(headings.length, 'heading')}: too few for an order.`);
  const skips = headings.flatMap((heading, index) => {
    const before = headings[index - 1];
    return before && heading.level > before.level + 1 ? [{ heading, from: before.level }] : [];
  });
  const note = `${skips.length} of ${headings.length} headings skip a level.`;
  if (skips.length === 0) return verdict.pass(note, buildEvidence(exchange, { selector: 'h1, h2, h3, h4, h5, h6' }));
  const evidence = skips
    .slice(0, 10)
    .map(({ heading: { level, line, text }, from }) =>
      buildEvidence(exchange, { selector: `h${level}`, line, excerpt: `h${from} -> h${level}: ${text}` }),
    );
  return skips.length / headings.length <= FAIR_SKIPS
    ? verdict.partial(0.5, note, evidence)
    : verdict.fail(note, evidence);
}

/** What each landmark is worth; together 1. */
const LANDMARKS: readonly { name: string; worth: number; elements: readonly string[]; roles: readonly string[] }[] = [
  { name: 'main', worth: 0.5, elements: ['main'], roles: ['main'] },
  { name: 'article or section', worth: 0.2, elements: ['article', 'section'], roles: ['article', 'region'] },
  { name: 'nav', worth: 0.15, elements: ['nav'], roles: ['navigation'] },
  { name: 'header or footer', worth: 0.15, elements: ['header', 'footer'], roles: ['banner', 'contentinfo'] },
];

function judgeLandmarks({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const has = ({ name, elements, roles }: (typeof LANDMARKS)[number]): boolean => {
    const there =
      elements.some((element) => (page.elements[element] ?? 0) > 0) ||
      roles.some((role) => (page.roles[role] ?? 0) > 0);
    // A part of the page without any heading is no passage.
    return there && (name !== 'article or section' || listVisibleHeadings(page).length > 0);
  };
  const found = LANDMARKS.filter(has);
  const value = Math.round(100 * found.reduce((sum, { worth }) => sum + worth, 0)) / 100;
  const lacking = LANDMARKS.filter((landmark) => !found.includes(landmark)).map(({ name }) => name);
  const note = lacking.length === 0 ? 'All landmarks are there.' : `Missing: ${lacking.join(', ')}.`;
  return verdict.byShare(
    value,
    { passAt: 1, partialAt: 0.1 },
    note,
    buildEvidence(exchange, { selector: 'main, article, section, nav, header, footer' }),
  );
}
