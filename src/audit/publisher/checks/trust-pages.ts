import { type CheckOutcome, defineCheck, type FactsOf, verdict } from '../../core/check.ts';
import { type CheckEvidence, buildEvidence } from '../../core/evidence.ts';
import { type AboutPage, type AboutRole, aboutRoles } from '../facts/about-pages.ts';
import { readExistence } from '../../reach/facts/existence.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { findPurposeLinks } from '../../text/facts/link-words.ts';
import { computeSimilarity } from '../../language/statistics.ts';
import type { ExchangeWithAnswer } from '../../reach/facts/site-files.ts';
import type { SnapshotAnswer } from '../../core/snapshot.ts';

/** Checks of the pages by which readers verify who is behind a site. */
export const trustPageChecks = [
  defineCheck({
    id: 'aeo.trust.about-contact',
    title: 'About and contact pages exist',
    failureTitle: 'Add an about page and a contact page',
    weight: 1,
    grade: 'C',
    why: 'Who is behind a site, and how to reach them, is what people and raters look for first. Both pages are found by the links of the start page, in twelve languages, and each is asked for once; a link that leads back to the start page, or to the page that any path gets, is none.',
    source:
      'Google Search Quality Rater Guidelines, section 2.5.3 (contact and about information); agent-lighthouse 10.4',
    fix: 'Add a page about the people or company behind the site and one with contact details, and link both from menu or footer.',
    needs: ['start', 'page', 'aboutPages', 'control'],
    judge: judgeAbout,
  }),
  defineCheck({
    id: 'aeo.trust.policies',
    title: 'Privacy and terms are linked',
    failureTitle: 'Link privacy and terms',
    weight: 0,
    grade: 'C',
    why: 'They tell readers and buying agents under which rules the site works. Only the links are checked: to fetch two more pages for a check that scores nothing is not worth the requests.',
    source: 'agent-lighthouse 8.19 and 8.20',
    fix: 'Link the privacy policy and the terms from the footer of every page.',
    needs: ['start', 'page'],
    judge: judgePolicies,
  }),
];

type AboutPageFinding = { role: AboutRole; state: 'there' | 'absent' | 'unknown'; evidence: readonly CheckEvidence[] };

function judgeAbout({ start, aboutPages: pages, control }: FactsOf<'start' | 'aboutPages' | 'control'>): CheckOutcome {
  const found = aboutRoles.map((role): AboutPageFinding => findPage(start, role, pages[role], control));
  const of = (state: AboutPageFinding['state']): readonly AboutPageFinding[] =>
    found.filter((one) => one.state === state);
  const evidence = found.flatMap((one) => one.evidence);
  const names = (list: readonly AboutPageFinding[]): string => list.map(({ role }) => role).join(' and ');
  if (of('unknown').length > 0) return verdict.unknown(`Could not be read: ${names(of('unknown'))}.`, evidence);
  const [there, absent] = [of('there'), of('absent')];
  const shown = evidence.length > 0 ? evidence : buildEvidence(start.exchange, { selector: 'a[href]' });
  if (absent.length === 0) return verdict.pass('The about page and the contact page are linked and there.', shown);
  const note = `Not found by the links of the start page: ${names(absent)}.`;
  return there.length > 0 ? verdict.partial(0.5, note, shown) : verdict.fail(note, shown);
}

function findPage(
  start: ExchangeWithAnswer,
  role: AboutRole,
  { link, exchange }: AboutPage,
  control: ExchangeWithAnswer,
): AboutPageFinding {
  if (!link) return { role, state: 'absent', evidence: [] };
  const at = buildEvidence(start.exchange, {
    selector: 'a[href]',
    line: link.line,
    excerpt: `${link.text} -> ${link.href}`,
  });
  if (!exchange?.answer.ok) return { role, state: 'unknown', evidence: [at] };
  const { answer } = exchange;
  const evidence = [at, buildEvidence(exchange)];
  if ([401, 403, 429].includes(answer.status) || answer.status >= 500) return { role, state: 'unknown', evidence };
  const existence = readExistence(exchange, control.exchange, 'html');
  if (existence.state === 'unknown') return { role, state: 'unknown', evidence };
  const isStart = link.href.split('#')[0] !== start.answer.url.split('#')[0] && answer.url === start.answer.url;
  const isThere = existence.state === 'exists' && !isStart && !isLikeControl(answer, control.answer);
  return { role, state: isThere ? 'there' : 'absent', evidence };
}

/** Share of common word 5-grams from which a page is the one that any path gets, whatever it says of the path. */
const SAME_PAGE = 0.8;

function isLikeControl(answer: SnapshotAnswer, control: SnapshotAnswer): boolean {
  if (control.status < 200 || control.status > 299 || !isHtmlAnswer(control) || !isHtmlAnswer(answer)) return false;
  return computeSimilarity(getPageFacts(answer).text, getPageFacts(control).text) >= SAME_PAGE;
}

const POLICIES = ['privacy', 'terms'] as const;

function judgePolicies({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const links = findPurposeLinks(
    page.anchors.filter(({ href }) => /^https?:/.test(href)),
    POLICIES,
  );
  const missing = POLICIES.filter((purpose) => !links.has(purpose));
  const evidence = [...links.values()].map(({ line, text, href }) =>
    buildEvidence(exchange, { selector: 'a[href]', line, excerpt: `${text} -> ${href}` }),
  );
  if (missing.length === 0) return verdict.pass('The start page links a privacy policy and terms.', evidence);
  if (missing.length === 1) return verdict.partial(0.5, `Not linked from the start page: ${missing.join()}.`, evidence);
  return verdict.fail(
    'The start page links neither a privacy policy nor terms.',
    buildEvidence(exchange, { selector: 'a[href]' }),
  );
}
