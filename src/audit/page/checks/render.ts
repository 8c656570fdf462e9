import { type AnyCheck, type CheckOutcome, defineCheck, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { FEW_WORDS, findRenderSign } from '../../reach/facts/client-rendered.ts';
import type { PageFacts } from '../facts/page-facts.ts';
import { getMetaContent } from '../facts/page.ts';
import type { ExchangeWithAnswer } from '../../reach/facts/site-files.ts';

/** Checks of what the raw HTML of the start page says before any script runs. */
export const pageRenderChecks: readonly AnyCheck[] = [
  defineCheck({
    id: 'aeo.render.ssr-text',
    title: 'The main content is in the raw HTML',
    scores: ['aeo', 'geo', 'agent'],
    weight: 5,
    grade: 'A',
    why: 'AI crawlers do not run scripts, and pages that need them are one of two configurations that made agents fail in an experiment.',
    source: 'AgentReady standard v2.0, dataset of 1,033 runs; Vercel, "The rise of the AI crawler"',
    fix: 'Render the content on the server or at build time, so that it stands in the HTML that the first request gets.',
    capabilities: ['check_health'],
    gate: { caps: { aeo: 30, geo: 30 } },
    needs: ['start', 'page'],
    judge: ({ start, page }) => judgeText(start, page),
  }),
  defineCheck({
    id: 'aeo.meta.title',
    title: 'Page title is present and descriptive',
    weight: 2,
    grade: 'A',
    why: 'The title is the label under which every assistant cites the page. Against the lower bound a wide (Chinese, Japanese, Korean) character counts as two.',
    source: 'Google Search Central, title links; HTML, section 4.2.2',
    fix: 'Write one title of 10 to 70 characters: what the page is about, then the brand.',
    needs: ['start', 'page'],
    judge: ({ start, page }) => judgeTitle(start, page),
  }),
  defineCheck({
    id: 'aeo.meta.description',
    title: 'Meta description is present',
    weight: 2,
    grade: 'B',
    why: 'In an ablation study removing the description cost agents 43 % and no other part of the page made up for it. Against the lower bound a wide character counts as two.',
    source: 'a14y public study of page-side signals; Google Search Central, meta descriptions',
    fix: 'Add <meta name="description"> with 50 to 170 characters that say what the page answers.',
    needs: ['start', 'page'],
    judge: ({ start, page }) => judgeDescription(start, page),
  }),
];

/** Visible words that are enough: 95.5 % of real pages have as many. */
const ENOUGH_WORDS = 200;

function judgeText({ exchange }: ExchangeWithAnswer, page: PageFacts): CheckOutcome {
  const sign = findRenderSign(page);
  const words = `${page.words} visible words in the raw HTML`;
  const evidence = buildEvidence(exchange, sign === undefined ? {} : sign);
  if (page.words >= ENOUGH_WORDS) return verdict.pass(`${words}.`, buildEvidence(exchange));
  if (page.words >= FEW_WORDS) {
    if (sign === undefined)
      return verdict.pass(`${words}: a short page, with no sign of rendering by script.`, evidence);
    return verdict.partial(share(page.words), `${words}, and a sign that scripts add the rest.`, evidence);
  }
  if (sign !== undefined) return verdict.fail(`Only ${words}: the content comes from scripts.`, evidence);
  if (page.words === 0) return verdict.fail('No visible text in the raw HTML.', evidence);
  return verdict.partial(share(page.words), `Only ${words}, though no sign of rendering by script.`, evidence);
}

const share = (words: number): number => Math.round((1000 * words) / ENOUGH_WORDS) / 1000;

/** Titles that name no subject. */
const GENERIC = new Set([
  'home',
  'homepage',
  'home page',
  'untitled',
  'untitled document',
  'index',
  'app',
  'react app',
  'vite app',
  'welcome',
  'new page',
  'document',
  'website',
  'start',
]);

function judgeTitle({ exchange }: ExchangeWithAnswer, page: PageFacts): CheckOutcome {
  const titles = page.titles.filter((title) => title !== '');
  const [title] = titles;
  if (title === undefined)
    return verdict.fail('The page has no title.', buildEvidence(exchange, { selector: 'title' }));
  const evidence = buildEvidence(exchange, { selector: 'title', excerpt: title });
  if (GENERIC.has(title.toLowerCase())) return verdict.fail('The title names no subject.', evidence);
  const chars = countCharacters(title);
  if (chars > 120) return verdict.fail(`The title has ${chars} characters: no assistant shows it whole.`, evidence);
  if (titles.length > 1) return verdict.partial(0.5, `The page has ${titles.length} titles.`, evidence);
  if (computeTextWidth(title, chars) >= 10 && chars <= 70)
    return verdict.pass(`The title has ${chars} characters.`, evidence);
  return verdict.partial(0.5, `The title has ${chars} characters; 10 to 70 are shown whole.`, evidence);
}

function judgeDescription({ exchange }: ExchangeWithAnswer, page: PageFacts): CheckOutcome {
  const description = getMetaContent(page, 'description');
  if (description === '')
    return verdict.fail(
      'The page has no meta description.',
      buildEvidence(exchange, { selector: 'meta[name=description]' }),
    );
  const chars = countCharacters(description);
  const evidence = buildEvidence(exchange, { selector: 'meta[name=description]', excerpt: description });
  if (computeTextWidth(description, chars) >= 50 && chars <= 170)
    return verdict.pass(`The description has ${chars} characters.`, evidence);
  return verdict.partial(0.5, `The description has ${chars} characters; 50 to 170 are useful.`, evidence);
}

/** Characters as wide as Latin ones: one of Chinese, Japanese or Korean takes the room, and says as much, as two. */
const computeTextWidth = (text: string, chars: number): number =>
  chars + (text.slice(0, MAX_WIDE).match(WIDE)?.length ?? 0);

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** More decide nothing: every lower bound is reached by then. */
const MAX_WIDE = 200;

/** Printable ASCII: each character is one to a reader, and the segmenter's tables need not be loaded. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Characters as a reader counts them, not UTF-16 units. */
const countCharacters = (text: string): number =>
  PLAIN.test(text) ? text.length : Array.from(new Intl.Segmenter('und').segment(text)).length;
