import { type CheckOutcome, defineCheck, type FactsOf, formatCount, formatShare, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { isHindered } from '../facts/rendered-look.ts';
import type { RenderedPage } from '../facts/rendered-page.ts';

/** Checks of the start page after its scripts ran, against its raw HTML. Where nothing was rendered they are unknown. */
export const renderedContentChecks = [
  defineCheck({
    id: 'agent.content.raw-vs-rendered',
    title: 'The raw HTML has what the rendered page has',
    failureTitle: 'Put content that scripts add into the HTML',
    weight: 3,
    grade: 'B',
    why: 'Crawlers and fetchers of AI systems read the raw HTML and run no scripts: words, links, structured data and prices that scripts add do not exist for them.',
    source: 'Vercel, "The rise of the AI crawler"; Agent-Friendly Docs Spec 0.5.0, rendering-strategy',
    fix: 'Render on the server or at build time what scripts add now: text first, then links, JSON-LD and prices.',
    needs: ['start', 'rendered'],
    judge: judgeShare,
  }),
  defineCheck({
    id: 'agent.content.script-errors',
    title: 'Scripts of the page run without errors',
    failureTitle: 'Fix the scripts that fail',
    weight: 0,
    grade: 'C',
    why: 'Reported, not scored: an exception can leave a page without its content or its controls. Pictures, fonts and requests to other sites’ frames are not loaded here, which some scripts do not expect.',
    source: 'https://html.spec.whatwg.org/multipage/webappapis.html#report-the-exception',
    fix: 'Repair what the evidence quotes: an exception, or an error on the console.',
    needs: ['start', 'rendered'],
    judge: judgeErrors,
  }),
];

/** Shares of the rendered words that the raw HTML has. */
const ENOUGH = 0.9;
const HALF = 0.5;
/** A page with fewer words after rendering says too little to be compared. */
const LEAST_WORDS = 20;
/** What facts that only scripts bring leave of the value: prices and JSON-LD are what answers quote. */
const WITHOUT_FACTS = 0.7;
const MAX_SHOWN = 5;

type Shown = Extract<RenderedPage, { state: 'shown' }>;

function judgeShare({ start: { exchange }, rendered }: FactsOf<'start' | 'rendered'>): CheckOutcome {
  if (rendered.state === 'none') return verdict.unknown(rendered.note);
  const { scripts, look } = rendered;
  const evidence = [
    ...listFacts(rendered).map((excerpt) => buildEvidence(exchange, { selector: 'after rendering', excerpt })),
    buildEvidence(exchange, { excerpt: describeCompared(rendered) }),
  ];
  const limits = describeLimits(look);
  if (scripts.words < LEAST_WORDS && (isHindered(look) || !look.settled))
    return verdict.unknown(`Only ${formatCount(scripts.words, 'word')} after rendering.${limits}`, evidence);
  const share = scripts.words === 0 ? 1 : 1 - scripts.addedWords / scripts.words;
  const note = `After rendering the page has ${formatCount(scripts.words, 'word')}; ${formatShare(share)} of them are in the raw HTML.${describeAdded(rendered)}${limits}`;
  const lostFacts = scripts.types.length + scripts.prices.length > 0;
  if (share < HALF && scripts.words >= LEAST_WORDS) return verdict.fail(note, evidence);
  if (share >= ENOUGH && !lostFacts) return verdict.pass(note, evidence);
  const value = lostFacts ? Math.min(share, WITHOUT_FACTS) : share;
  return verdict.partial(Math.round(value * 1000) / 1000, note, evidence);
}

function describeAdded({ scripts: { addedWords, links, headings, types, prices, headTags } }: Shown): string {
  const parts = [
    [addedWords, 'word'],
    [links.length, 'link'],
    [headings.length, 'heading'],
    [types.length, 'type of JSON-LD'],
    [prices.length, 'price'],
    [headTags.length, 'tag of the head'],
  ] as const;
  const added = parts.filter(([count]) => count > 0).map(([count, noun]) => formatPlural(count, noun));
  return added.length === 0 ? '' : ` Only after scripts: ${added.join(', ')}.`;
}

const formatPlural = (count: number, noun: string): string =>
  noun.includes(' of ') ? noun.replace(/^\w{1,10}/, (first) => formatCount(count, first)) : formatCount(count, noun);

function describeLimits(look: Shown['look']): string {
  const reasons = Object.entries(look.requests.refused).map(([reason, count]) => `${reason} ${count}`);
  return [
    look.settled ? '' : ' The page was still at work when its time was over.',
    look.truncated ? ' Only its first part was compared.' : '',
    reasons.length === 0 ? '' : ` Requests that it made and that were not answered: ${reasons.join(', ')}.`,
  ].join('');
}

const describeCompared = ({ page, look }: Shown): string =>
  `${page.words} visible words after rendering; ${look.requests.made} requests by scripts, styles and data; ${look.frames} frames; ${look.shadowRoots} shadow roots`;

const listFacts = ({ scripts: { prices, types, headings, links, headTags } }: Shown): readonly string[] =>
  [
    prices.length === 0 ? '' : `prices: ${prices.slice(0, MAX_SHOWN).join(', ')}`,
    types.length === 0 ? '' : `JSON-LD: ${types.slice(0, MAX_SHOWN).join(', ')}`,
    headTags.length === 0 ? '' : `head: ${headTags.join(', ')}`,
    headings.length === 0 ? '' : `headings: ${headings.slice(0, MAX_SHOWN).join('; ')}`,
    links.length === 0 ? '' : `links: ${links.slice(0, MAX_SHOWN).join(' ')}`,
  ].filter((text) => text !== '');

function judgeErrors({ start: { exchange }, rendered }: FactsOf<'start' | 'rendered'>): CheckOutcome {
  if (rendered.state === 'none') return verdict.unknown(rendered.note);
  const { errors, consoleErrors } = rendered.look;
  const evidence = [...errors, ...consoleErrors]
    .slice(0, MAX_SHOWN)
    .map((excerpt) => buildEvidence(exchange, { selector: 'console', excerpt }));
  if (evidence.length === 0)
    return verdict.pass('No exception was left uncaught, and no error written.', buildEvidence(exchange));
  if (errors.length === 0)
    return verdict.partial(
      0.5,
      `Scripts wrote ${formatCount(consoleErrors.length, 'error')} to the console.`,
      evidence,
    );
  return verdict.fail(`${formatCount(errors.length, 'exception')} that nothing caught, after rendering.`, evidence);
}
