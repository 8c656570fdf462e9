import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { classifyForm, listFormFields } from '../facts/forms.ts';
import { findStateChangeWord } from '../facts/state-changes.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import { type SearchAnswer, readSearchAnswer, type SearchTarget } from '../../page/facts/site-search.ts';

/** Checks of what happens when an agent searches, follows a link, or just stays. */
export const pageActionChecks = [
  defineCheck({
    id: 'agent.ui.search-url',
    title: 'Site search has a URL',
    failureTitle: 'Give the site search an address',
    weight: 1,
    grade: 'B',
    why: 'An agent that can put its words into an address searches in one request, without a browser.',
    source:
      'https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#form-submission-algorithm; https://schema.org/SearchAction',
    fix: 'Use a form with method="get", an action and a named field, and render the results on the server.',
    needs: ['start', 'page', 'siteSearch'],
    judge: judgeSearch,
  }),
  defineCheck({
    id: 'agent.ui.captcha',
    title: 'No captcha in front of read paths',
    failureTitle: 'Load captchas only where something is sent',
    weight: 1,
    grade: 'C',
    why: 'A captcha on a page that is only read stops honest agents and protects nothing that could be abused.',
    source: 'agent-lighthouse, check 5.18; squirrelscan, form-captcha',
    fix: 'Load the captcha only on pages with a form that writes something, such as contact or sign-up.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeCaptcha,
  }),
  defineCheck({
    id: 'agent.ui.dangerous-get',
    title: 'No state change by GET link',
    failureTitle: 'Use POST for links that change something',
    weight: 1,
    grade: 'B',
    why: 'Agents and crawlers follow links, and may: GET is defined to be safe. A link that deletes, signs out or puts something into a basket will be followed some day.',
    source: 'https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1',
    fix: 'Change things by a form with method="post"; until then mark such links with rel="nofollow".',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeLinks,
  }),
  defineCheck({
    id: 'agent.ui.refresh',
    title: 'No timed refresh',
    failureTitle: 'Remove the timed reload',
    weight: 1,
    grade: 'A',
    why: 'A page that reloads or leaves by itself is gone while an agent still works on it. There is no credit for not doing so.',
    source: 'https://www.w3.org/TR/WCAG22/#timing-adjustable; https://www.w3.org/WAI/WCAG22/Techniques/failures/F41',
    fix: 'Redirect with a 3xx status, and let people reload when they want to.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeRefresh,
  }),
];

const NO_URL: Readonly<Record<Extract<SearchTarget, { state: 'no_url' }>['why'], string>> = {
  post: 'The search form is sent by POST: its results have no address.',
  nameless: 'The search field has no name, so its words are never sent.',
  no_form: 'The search field is in no form: only a script can read it.',
  no_address: 'The action of the search form is no web address.',
};

function judgeSearch({
  start: { exchange: start },
  page,
  siteSearch: search,
}: FactsOf<'start' | 'page' | 'siteSearch'>): CheckOutcome {
  const { target, exchange } = search;
  if (target.state === 'none') return verdict.notApplicable('The page has no search field.');
  if (target.state === 'no_url')
    return verdict.fail(NO_URL[target.why], buildEvidence(start, { selector: 'input', line: target.line }));
  if (target.state === 'elsewhere')
    return verdict.unknown(
      'The search is at an address that we do not ask: another origin, or one that speaks of a change.',
      buildEvidence(start, { excerpt: target.url }),
    );
  const answer = readSearchAnswer(search, page);
  const evidence = buildEvidence(exchange ?? start);
  switch (answer.state) {
    case 'text':
      return verdict.pass(`A search answers with ${answer.words} words of text.`, evidence);
    case 'little_text':
      return verdict.partial(0.5, `A search answers with ${formatCount(answer.words, 'word')} only.`, evidence);
    case 'unread':
      return verdict.unknown(`Could not read the results of a search: ${answer.reason}.`, evidence);
    default:
      return verdict.fail(explainSearchFailure(answer), evidence);
  }
}

function explainSearchFailure(answer: Exclude<SearchAnswer, { state: 'text' | 'little_text' | 'unread' }>): string {
  switch (answer.state) {
    case 'missing':
      return `A search answers ${answer.status}.`;
    case 'same_page':
      return 'A search answers with the very page it started from.';
    case 'any_path':
      return 'A search answers with what the site sends for any path.';
    case 'not_html':
      return 'A search answers with something that is no page.';
  }
}

/** Fields that only a form which writes something has. */
const WRITING = new Set(['textarea', 'password', 'file', 'email', 'tel']);

function judgeCaptcha({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  if (page.captchas.length === 0) return verdict.notApplicable('The page loads no captcha.');
  const services = page.captchas.join(', ');
  const writes = page.forms.some(
    ({ method }, index) =>
      classifyForm(page, index) === 'other' &&
      (method === 'post' || listFormFields(page, index).some(({ type }) => WRITING.has(type))),
  );
  if (writes)
    return verdict.pass(`A captcha (${services}) on a page with a form that writes.`, buildEvidence(exchange));
  const forms = page.forms.length === 0 ? 'without a form' : 'whose only forms search or order a letter';
  return verdict.partial(0.5, `A captcha (${services}) on a page ${forms}.`, buildEvidence(exchange));
}

const MAX_SHOWN = 10;

/** What an address must hold to be looked at more closely: most links need not be taken apart. */
const HINT =
  /delete|remove|destroy|log[-_]?o|sign[-_]?out|unsubscribe|add|cart|basket|bag|trolley|warenkorb|wagen|panier|carrito|cesta|carrello|winkelmand|koszyk|carrinho|varukorg|korg|kurv|buy|order|kauf|bestel|achet|compra|acquist|kup|qty|quant/i;

function judgeLinks({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const own = new URL(page.url);
  const changing = page.anchors.flatMap((anchor) => {
    if (!HINT.test(anchor.href) || !/^https?:/i.test(anchor.href)) return [];
    const url = new URL(anchor.href);
    return findStateChangeWord(url, anchor.text) !== undefined && isSameOwner(url, own) ? [anchor] : [];
  });
  if (changing.length === 0) return verdict.notApplicable('No link of the page names a change of state that we know.');
  const open = changing.filter(({ rels }) => !rels.includes('nofollow'));
  const evidence = (open.length > 0 ? open : changing)
    .slice(0, MAX_SHOWN)
    .map(({ rawHref, line }) => buildEvidence(exchange, { selector: 'a[href]', line, excerpt: rawHref }));
  if (open.length === 0)
    return verdict.pass(`${formatCount(changing.length, 'link')} to a change of state, marked nofollow.`, evidence);
  return verdict.fail(
    `${formatCount(open.length, 'link')} would change something when followed, by the words of the address.`,
    evidence,
  );
}

/** WCAG 2.2.1 leaves limits of more than 20 hours out. */
const LONG_SECONDS = 20 * 60 * 60;

function judgeRefresh({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const refreshes = page.metas.flatMap(({ httpEquiv, content, line }) => {
    // Seconds first; without a number browsers ignore the tag (HTML, 4.2.5.3).
    const seconds = httpEquiv === 'refresh' ? /^\s{0,20}(\d{1,9})/.exec(content)?.[1] : undefined;
    return seconds === undefined ? [] : [{ seconds: Number(seconds), content, line }];
  });
  if (refreshes.length === 0) return verdict.notApplicable('The page has no meta refresh.');
  const timed = refreshes.find(({ seconds }) => seconds > 0);
  if (!timed) return verdict.notApplicable('The meta refresh redirects at once, which the check of redirects reports.');
  const evidence = buildEvidence(exchange, {
    selector: 'meta[http-equiv=refresh]',
    line: timed.line,
    excerpt: timed.content,
  });
  if (timed.seconds > LONG_SECONDS) return verdict.pass('The page refreshes after more than 20 hours.', evidence);
  return verdict.fail(`The page refreshes after ${formatCount(timed.seconds, 'second')}.`, evidence);
}
