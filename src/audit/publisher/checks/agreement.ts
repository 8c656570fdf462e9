import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { listHtmlPages, type SamplePage } from '../../reach/facts/site-files.ts';
import { getJsonLd } from '../../structured-data/facts/json-ld.ts';
import { compareContacts } from '../facts/contact-agreement.ts';
import { compareHours, formatDayName, readShownHours, readStatedHours } from '../facts/opening-hours.ts';

/** Checks of facts that a site states in two places. */
export const agreementChecks = [
  defineCheck({
    id: 'geo.entity.contact-agrees',
    title: 'Stated contacts are those that pages show',
    failureTitle: 'Make stated contacts agree with the pages',
    weight: 1,
    grade: 'B',
    why: 'An assistant quotes the number of the structured data, and people dial the one of the imprint: two answers to one question. Telephone, e-mail and street are compared over all pages that were read; a contact of which no page shows its kind is left out.',
    source:
      'https://developers.google.com/search/docs/appearance/structured-data/sd-policies: markup must be of visible content; https://schema.org/ContactPoint',
    fix: 'Correct telephone, email and streetAddress of the structured data, or the pages, until they say the same.',
    needs: ['start', 'page', 'samplePages', 'aboutPages'],
    judge: judgeContacts,
  }),
  defineCheck({
    id: 'geo.entity.hours-agree',
    title: 'Stated opening hours are those that pages show',
    failureTitle: 'Make stated opening hours agree with the pages',
    weight: 1,
    grade: 'B',
    why: 'Answers about places take the hours from structured data; a visitor who finds the door closed could have read it on the page. Days that both state are compared; seasons and holidays of the structured data are left out.',
    source:
      'https://developers.google.com/search/docs/appearance/structured-data/local-business: openingHoursSpecification; https://schema.org/openingHours',
    fix: 'Build the visible hours and openingHoursSpecification from one value.',
    needs: ['start', 'page', 'samplePages', 'aboutPages'],
    judge: judgeHours,
  }),
];

type Pages = FactsOf<'start' | 'page' | 'samplePages' | 'aboutPages'>;

/** The pages that were read, each once: the start page, the sample, and the linked About and Contact pages. */
function listPages({ start, page, samplePages, aboutPages }: Pages): readonly SamplePage[] {
  const linked = listHtmlPages([aboutPages.about, aboutPages.contact].flatMap(({ exchange }) => exchange ?? []));
  const all = [{ exchange: start.exchange, page }, ...samplePages, ...linked];
  return [...new Map(all.map((one) => [one.page.url, one])).values()];
}

const KIND_WORDS = { telephone: 'a telephone number', email: 'an e-mail address', address: 'a street' } as const;

function judgeContacts(facts: Pages): CheckOutcome {
  const compared = compareContacts(listPages(facts));
  if (compared.length === 0)
    return verdict.notApplicable('No contact of the same kind is both in structured data and on a page.');
  const wrong = compared.filter(({ agrees }) => !agrees);
  const words = [...new Set(wrong.map(({ kind }) => KIND_WORDS[kind]))];
  const good = compared.length - wrong.length;
  const tail =
    words.length === 0
      ? ''
      : ` No page shows the stated ${words.map((word) => word.replace(/^an? /, '')).join(', ')}, though pages show ${words.join(', ')}.`;
  const evidence = (wrong.length > 0 ? wrong : compared)
    .slice(0, 10)
    .map(({ at, stated }) =>
      buildEvidence(at.exchange, { line: stated.line, selector: stated.kind, excerpt: stated.text }),
    );
  return verdict.byShare(
    good / compared.length,
    { passAt: 1, partialAt: 0.01 },
    `${good} of ${formatCount(compared.length, 'stated contact')} can be seen on a page.${tail}`,
    evidence,
  );
}

function judgeHours(facts: Pages): CheckOutcome {
  const pages = listPages(facts);
  const found = pages.flatMap((at) => {
    const stated = readStatedHours(getJsonLd(at.page).graph);
    return stated ? [{ at, ...stated }] : [];
  })[0];
  if (!found) return verdict.notApplicable('No opening hours in structured data.');
  const shown = pages.map((at) => ({ at, hours: readShownHours(at.page.text) })).filter(({ hours }) => hours.size > 0);
  if (shown.length === 0) return verdict.notApplicable('No page that was read shows opening hours that we can read.');
  const judged = shown.map(({ at, hours }) => ({ at, ...compareHours(found.hours, hours) }));
  const compared = judged.filter((one) => one.compared.length > 0);
  if (compared.length === 0) return verdict.notApplicable('Pages and structured data speak of different days.');
  const [worst] = compared.toSorted((a, b) => b.differ.length - a.differ.length);
  const days = worst?.differ ?? [];
  const evidence = [
    buildEvidence(found.at.exchange, {
      line: found.line,
      selector: 'openingHours',
      excerpt: formatHours(found.hours, days),
    }),
    ...(worst ? [buildEvidence(worst.at.exchange, { selector: 'body' })] : []),
  ];
  if (days.length === 0)
    return verdict.pass(`${formatCount(worst?.compared.length ?? 0, 'day')} compared: the hours agree.`, evidence);
  return verdict.fail(
    `The page shows other hours than the structured data states on ${days.map(formatDayName).join(', ')}.`,
    evidence,
  );
}

const formatHours = (hours: ReadonlyMap<number, readonly string[]>, days: readonly number[]): string =>
  (days.length === 0 ? [...hours.keys()].toSorted((a, b) => a - b) : days)
    .map((day) => `${formatDayName(day)} ${(hours.get(day) ?? []).join(' ') || 'closed'}`)
    .join(', ');
