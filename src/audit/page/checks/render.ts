import { type CheckOutcome, defineCheck, type FactsOf, formatShare, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { FEW_WORDS, findRenderSign } from '../../reach/facts/html-page.ts';
import { isHindered } from '../../rendered/facts/rendered-look.ts';
import type { RenderedPage } from '../../rendered/facts/rendered-page.ts';
import type { PageFacts } from '../facts/page-facts.ts';
import { hasArticleInState } from '../facts/unrendered.ts';
import { getMetaContent } from '../facts/page.ts';
import { hasScriptDemand } from '../../controls/facts/scripts.ts';

/** Checks of what the raw HTML of the start page says before any script runs, and to a reader without style sheets. */
export const pageRenderChecks = [
  defineCheck({
    id: 'aeo.render.ssr-text',
    title: 'The main content is in the raw HTML',
    failureTitle: 'Put the main content into the raw HTML',
    scores: ['aeo', 'geo', 'agent'],
    weight: 5,
    grade: 'A',
    why: 'AI crawlers do not run scripts, and pages that need them are one of two configurations that made agents fail in an experiment.',
    source:
      'https://github.com/agentready-org/standard, dataset of over 1,000 runs and changelog of v2.0; Vercel, "The rise of the AI crawler"',
    fix: 'Render the content on the server or at build time, so that it is in the HTML that the first request gets.',
    capabilities: ['check_health'],
    gate: { caps: { aeo: 30, geo: 30 } },
    each: 'share',
    needs: ['start', 'page', 'rendered'],
    judge: judgeText,
  }),
  defineCheck({
    id: 'aeo.meta.title',
    title: 'Page title is present and descriptive',
    failureTitle: 'Write a descriptive page title',
    weight: 2,
    grade: 'A',
    why: 'The title is the label under which every assistant cites the page. Against the lower bound a wide (Chinese, Japanese, Korean) character counts as two.',
    source: 'Google Search Central, title links; HTML, section 4.2.2',
    fix: 'Write one title of 10 to 70 characters: what the page is about, then the brand.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeTitle,
  }),
  defineCheck({
    id: 'aeo.meta.description',
    title: 'Meta description is present',
    failureTitle: 'Write a meta description of the right length',
    weight: 2,
    grade: 'B',
    why: 'In an ablation study removing the description cost agents 43 % and no other part of the page made up for it. Against the lower bound a wide character counts as two.',
    source: 'a14y public study of page-side signals; Google Search Central, meta descriptions',
    fix: 'Add <meta name="description"> with 50 to 170 characters that say what the page answers.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeDescription,
  }),
  defineCheck({
    id: 'aeo.render.head-tags-static',
    title: 'Title and description are in the raw head',
    failureTitle: 'Put title and description into the raw head',
    weight: 1,
    grade: 'A',
    why: 'Tags that a script adds do not exist for a fetcher that runs none. What a script would add cannot be seen from here either, so canonical link and JSON-LD have checks of their own.',
    source: 'Vercel, "The rise of the AI crawler"; HTML, section 4.2',
    fix: 'Let the server or the build write title and meta description into the head.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeHead,
  }),
  defineCheck({
    id: 'aeo.render.hidden-text',
    title: 'Most of the text is visible',
    failureTitle: 'Show the text that is hidden',
    weight: 1,
    grade: 'B',
    why: 'Text that attributes or inline styles hide looks like cloaking, or is content that readers of the raw HTML miss. Closed details elements are not hidden, text with aria-hidden is seen, and style sheets are not read.',
    source: 'Google Search Central, spam policies, "Hidden text and link abuse"; HTML, section 6.1 (hidden)',
    fix: 'Show the text of tabs and panels, put it into details elements, or leave it out of this page.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeHidden,
  }),
  defineCheck({
    id: 'aeo.render.noscript-wall',
    title: 'No “enable JavaScript” wall',
    failureTitle: 'Show the content without JavaScript',
    weight: 1,
    grade: 'B',
    why: 'A page that says nothing but "enable JavaScript" is all that a fetcher without scripts can quote. A page of few words without such a notice is judged by aeo.render.ssr-text.',
    source: 'Agent-Friendly Docs Spec 0.5.0, rendering-strategy; Vercel, "The rise of the AI crawler"',
    fix: 'Put the content, or at least a readable summary with links, into the HTML that the server sends.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeWall,
  }),
];

/** Visible words that are enough: 95.5 % of real pages have as many. */
const ENOUGH_WORDS = 200;

function judgeText({ start: { exchange }, page, rendered }: FactsOf<'start' | 'page' | 'rendered'>): CheckOutcome {
  const sign = findScriptSign(page, rendered);
  const words = `${page.words} visible words in the raw HTML${describeAdded(rendered)}`;
  const evidence = buildEvidence(exchange, sign === undefined ? {} : sign);
  if (page.words >= ENOUGH_WORDS) return verdict.pass(`${words}.`, buildEvidence(exchange));
  if (page.words >= FEW_WORDS) {
    if (sign === undefined)
      return verdict.pass(`${words}: a short page, with no sign of rendering by script.`, evidence);
    return verdict.partial(computeWordShare(page.words), `${words}, and a sign that scripts add the rest.`, evidence);
  }
  if (sign !== undefined) return verdict.fail(`Only ${words}, and a sign that scripts add the content.`, evidence);
  if (page.words === 0) return verdict.fail('No visible text in the raw HTML.', evidence);
  return verdict.partial(
    computeWordShare(page.words),
    `Only ${words}, though no sign of rendering by script.`,
    evidence,
  );
}

/** Words that scripts may add without being the content: a banner, a menu. */
const FEW_ADDED_WORDS = 20;

/** What a browser saw decides where one looked at the whole page; else the signs that the raw HTML gives. */
function findScriptSign(page: PageFacts, rendered: RenderedPage): { selector: string; line?: number } | undefined {
  const sign = findRenderSign(page) ?? (hasArticleInState(page) ? { selector: 'script' } : undefined);
  if (rendered.state === 'none' || !rendered.look.settled || isHindered(rendered.look)) return sign;
  const { addedWords } = rendered.scripts;
  return addedWords > Math.max(FEW_ADDED_WORDS, page.words) ? (sign ?? { selector: 'script' }) : undefined;
}

const describeAdded = (rendered: RenderedPage): string =>
  rendered.state === 'none'
    ? ''
    : `, ${rendered.page.words} after rendering (${rendered.scripts.addedWords} exist only after scripts)`;

const computeWordShare = (words: number): number => Math.round((1000 * words) / ENOUGH_WORDS) / 1000;

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

function judgeTitle({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
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

function judgeDescription({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
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

function judgeHead({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const title = page.titles.find((text) => text !== '');
  const description = page.metas.find(
    ({ name, content, inHead }) => name === 'description' && inHead && content !== '',
  );
  const sign = findRenderSign(page);
  const evidence = buildEvidence(exchange, { selector: 'head', excerpt: title ?? '' });
  if (title !== undefined && description)
    return verdict.pass('Title and description are in the HTML itself.', evidence);
  if (title === undefined && sign)
    return verdict.fail(
      'The HTML has no title, and a sign that a script adds the page.',
      buildEvidence(exchange, sign),
    );
  if (title === undefined && !description)
    return verdict.fail('Neither title nor description is in the HTML.', evidence);
  const missing = title === undefined ? 'title' : 'description';
  return verdict.partial(0.5, `The head has no ${missing} in the HTML itself.`, evidence);
}

function judgeHidden({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  // Panels of tabs that wait for a click are known to readers of the accessibility tree by their role.
  const inTabs = page.tabPanels.reduce((sum, { hidden: how, chars }) => sum + (how === undefined ? 0 : chars), 0);
  const hidden = Math.max(0, page.hiddenChars - inTabs);
  const all = page.text.length + hidden;
  if (all === 0) return verdict.notApplicable('The page has no text.');
  const share = hidden / all;
  const [first] = page.hiddenTexts
    .filter(({ how }) => how !== 'aria-hidden')
    .toSorted((a, b) => b.text.length - a.text.length);
  const evidence = buildEvidence(
    exchange,
    first ? { selector: `${first.tag} (${first.how})`, line: first.line, excerpt: first.text } : {},
  );
  const note = `${formatShare(share)} of the text is hidden by attributes or inline styles.`;
  if (share <= 0.2) return verdict.pass(note, evidence);
  return share <= 0.5 ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

function judgeWall({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  if (page.words >= FEW_WORDS)
    return verdict.pass(`${page.words} words can be read without scripts.`, buildEvidence(exchange));
  const wall = page.noscripts.find(hasScriptDemand);
  if (wall !== undefined)
    return verdict.fail(
      `The page says that it needs JavaScript, and has ${page.words} words beside that.`,
      buildEvidence(exchange, { selector: 'noscript', excerpt: wall }),
    );
  if (findRenderSign(page) && hasScriptDemand(page.text))
    return verdict.fail(
      'The page says little but that it needs JavaScript.',
      buildEvidence(exchange, { excerpt: page.text }),
    );
  return verdict.notApplicable(`The page has ${page.words} words, and no notice that it needs JavaScript.`);
}
