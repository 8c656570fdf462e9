import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { isContent } from '../../text/facts/content.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import type { ElementPlace } from '../../page/facts/element-facts.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import type { Site } from '../../core/site.ts';

/** Checks of the parts that a page is put together from. */
export const pagePartChecks = [
  defineCheck({
    id: 'agent.docs.code-language',
    title: 'Code blocks name their language',
    failureTitle: 'Name the language of code blocks',
    weight: 1,
    grade: 'B',
    why: 'A converter to Markdown takes the language of a block from its class: without it agents guess what they copy.',
    source: 'a14y scorecard, code.language-tags; HTML, section 4.5.15 (class language-*)',
    fix: 'Give each code element in a pre the class language-<name>, for example language-json.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeCode,
  }),
  defineCheck({
    id: 'agent.docs.tabs',
    title: 'Tabbed content is in the HTML',
    failureTitle: 'Put tabbed content into the HTML',
    weight: 1,
    grade: 'B',
    why: 'Panels that a script fills on a click are lost to agents: of five languages of an example they see one.',
    source: 'Agent-Friendly Documentation Spec 0.5.0, tabbed content serialisation',
    fix: 'Render all panels into the HTML and hide the inactive ones with the hidden attribute.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeTabs,
  }),
  defineCheck({
    id: 'agent.docs.single-fetch',
    title: 'A page does not need a second fetch for its content',
    failureTitle: 'Put the content into the first response',
    weight: 1,
    grade: 'B',
    why: 'Agents fetch a page once: what a frame or a script loads into it afterwards is not there for them. The catalogue leaves open when this does not apply: here a page without text and without such parts.',
    source: 'Agent-Friendly Documentation Spec 0.5.0, single-fetch completeness',
    fix: 'Put the content of the frame or include into the HTML of the page, on the server or at build time.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeSingleFetch,
  }),
  defineCheck({
    id: 'agent.sec.mixed',
    title: 'No mixed content',
    failureTitle: 'Load all parts of the page by https',
    weight: 1,
    grade: 'A',
    why: 'Browsers block scripts, styles and frames that an https page loads over http: for browser agents these parts are missing.',
    source: 'https://www.w3.org/TR/mixed-content/',
    fix: 'Load every script, style sheet and frame by its https address.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeMixed,
  }),
];

const MAX_SHOWN = 10;

function judgeCode({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const blocks = page.codeBlocks.filter(({ code, language }) => code || language !== '');
  if (blocks.length === 0) return verdict.notApplicable('The page has no blocks of code.');
  const silent = blocks.filter(({ language }) => language === '');
  const note = `${blocks.length - silent.length} of ${formatCount(blocks.length, 'block')} of code name their language.`;
  const shown = (silent.length > 0 ? silent : blocks).slice(0, MAX_SHOWN);
  return verdict.byShare(
    (blocks.length - silent.length) / blocks.length,
    { passAt: 0.8, partialAt: 0.4 },
    note,
    shown.map(({ line }) => buildEvidence(exchange, { selector: 'pre code', line })),
  );
}

function judgeTabs({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const panels = page.tabPanels;
  if (panels.length === 0) return verdict.notApplicable('The page has no tab panels.');
  const empty = panels.filter(({ chars, others }) => chars === 0 && others === 0);
  const filled = panels.length - empty.length;
  const note = `${filled} of ${formatCount(panels.length, 'tab panel')} have their content in the HTML.`;
  const shown = (empty.length > 0 ? empty : panels).slice(0, MAX_SHOWN);
  const evidence = shown.map(({ line }) => buildEvidence(exchange, { selector: '[role=tabpanel]', line }));
  return empty.length === 0 ? verdict.pass(note, evidence) : verdict.fail(note, evidence);
}

/** With fewer visible words there is no content whose parts could be missing. */
const FEW_WORDS = 60;
/** From here on the page says what it is about by itself. */
const ENOUGH_WORDS = 200;

function judgeSingleFetch({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const parts = listLaterParts(page);
  if (parts.length === 0 && page.words < FEW_WORDS)
    return verdict.notApplicable(`The page has fewer than ${FEW_WORDS} visible words and loads no content later.`);
  if (parts.length === 0)
    return verdict.pass(
      `${page.words} visible words, and no frame or include of the main content that must be fetched separately.`,
      buildEvidence(exchange),
    );
  const evidence = parts
    .slice(0, MAX_SHOWN)
    .map(({ selector, url, line }) => buildEvidence(exchange, { selector, line, excerpt: url }));
  const note = `${formatCount(parts.length, 'part')} of the main content must be fetched separately, beside ${page.words} visible words.`;
  return page.words < ENOUGH_WORDS ? verdict.fail(note, evidence) : verdict.partial(0.5, note, evidence);
}

/** Frames from the site itself and client-side includes in the main content. */
function listLaterParts(page: PageFacts): readonly { selector: string; url: string; line: number }[] {
  const own = new URL(page.url);
  const frames = page.frames.filter(({ src }) => /^https?:/i.test(src) && isSameOwner(new URL(src), own));
  const inContent = (place: ElementPlace): boolean => isContent(page, place);
  return [
    ...frames.filter(inContent).map(({ src, line }) => ({ selector: 'iframe[src]', url: src, line })),
    ...page.includes.filter(inContent).map(({ how, url, line }) => ({ selector: how, url, line })),
  ];
}

/** Content that browsers fetch over https instead, or show all the same: it is upgraded, not blocked. */
const UPGRADED = new Set(['img', 'video', 'audio', 'source']);
/** The same machine is trustworthy over http as well. */
const LOOPBACK =
  /^http:\/\/(?:localhost|(?:[a-z0-9-]{1,63}\.){1,5}localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?:[:/]|$)/i;

const isPlain = (url: string): boolean => /^http:/i.test(url) && !LOOPBACK.test(url);

function judgeMixed({ start: { exchange, answer }, page }: FactsOf<'start' | 'page'>, site: Site): CheckOutcome {
  if (site.local) return verdict.notApplicable('Private hosts need no https.');
  if (!page.url.startsWith('https:')) return verdict.notApplicable('The page is served over http.');
  const upgrades = hasInsecureUpgrade(answer.headers['content-security-policy'] ?? '', page);
  const forms = upgrades ? [] : page.forms.filter(({ action, hidden }) => hidden === undefined && isPlain(action));
  if (page.subresources.length === 0 && forms.length === 0)
    return verdict.notApplicable(
      'The page loads no script, style sheet, frame or media file, and sends no form over http.',
    );
  const plain = page.subresources.filter(({ url }) => isPlain(url));
  const active = plain.filter(({ tag }) => !UPGRADED.has(tag));
  const passive = plain.length - active.length;
  const also = passive === 0 ? '' : ` ${formatCount(passive, 'image or media file')} of http: browsers upgrade these.`;
  if (active.length === 0 && forms.length > 0)
    return verdict.partial(
      0.5,
      `${formatCount(forms.length, 'form')} sent over http, before which browsers warn.${also}`,
      forms
        .slice(0, MAX_SHOWN)
        .map(({ action, line }) => buildEvidence(exchange, { selector: 'form', line, excerpt: action })),
    );
  if (active.length === 0 && passive > 0 && !upgrades)
    return verdict.partial(
      0.5,
      `Nothing that browsers block is loaded over http.${also} Other readers ask for them as they are written.`,
      plain
        .slice(0, MAX_SHOWN)
        .map(({ tag, url, line }) => buildEvidence(exchange, { selector: tag, line, excerpt: url })),
    );
  if (active.length === 0)
    return verdict.pass(`Nothing that browsers block is loaded over http.${also}`, buildEvidence(exchange));
  const evidence = active
    .slice(0, MAX_SHOWN)
    .map(({ tag, url, line }) => buildEvidence(exchange, { selector: tag, line, excerpt: url }));
  if (upgrades)
    return verdict.pass(
      `${formatCount(active.length, 'address')} of http, which the page asks browsers to upgrade.`,
      evidence,
    );
  return verdict.fail(`${formatCount(active.length, 'part')} loaded over http, which browsers block.${also}`, evidence);
}

/** `upgrade-insecure-requests` in a policy makes browsers ask by https instead. */
const hasInsecureUpgrade = (header: string, page: PageFacts): boolean =>
  [
    header,
    ...page.metas.filter(({ httpEquiv }) => httpEquiv === 'content-security-policy').map(({ content }) => content),
  ]
    .flatMap((policy) => policy.split(/[;,]/))
    .some((directive) => directive.trim().toLowerCase() === 'upgrade-insecure-requests');
