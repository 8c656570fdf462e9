import { type CheckOutcome, defineCheck, type FactsOf, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { findUrlFault, type UrlFault } from '../facts/urls.ts';

/** Checks of addresses, and of the archive that models are trained from. */
export const urlShapeChecks = [
  defineCheck({
    id: 'aeo.url.readable',
    title: 'Addresses are short and readable',
    failureTitle: 'Shorten addresses and make them readable',
    weight: 1,
    grade: 'C',
    why: 'An address that says where it leads is chosen and cited more easily; the evidence is weak. Judged are the start page and the sampled pages by path and query; the bare root says nothing and is left out.',
    source: 'Google Search Central, "URL structure best practices"; agent-lighthouse 10.15',
    fix: 'Use lower-case words with hyphens in the path, at most 100 characters, and no session or numeric ids in the query.',
    needs: ['start', 'sample'],
    judge: judgeUrls,
  }),
  defineCheck({
    id: 'aeo.archive.presence',
    title: 'Presence in Common Crawl is not looked up',
    failureTitle: 'Check your presence in Common Crawl',
    weight: 0,
    grade: 'C',
    why: 'Whether the site is in an archive depends on a third party, whose service may be down or slow: the same site would get another report tomorrow. An audit asks only the site, so this is never judged.',
    source: 'https://index.commoncrawl.org/ (where it can be looked up by hand)',
    fix: 'If the site should be in the archive, let CCBot in by robots.txt; see aeo.robots.training-choice.',
    needs: ['start'],
    judge: () => verdict.notApplicable('Archives of others are not asked; look the site up at index.commoncrawl.org.'),
  }),
];

const WORDS: Readonly<Record<UrlFault, string>> = {
  long: 'longer than 100 characters',
  upper_case: 'with upper-case letters',
  separator: 'with underscores or spaces',
  session: 'with a session id',
  query_id: 'with a numeric id in the query',
  opaque: 'with a segment that is no word',
};

function judgeUrls({ start: { exchange, answer }, sample }: FactsOf<'start' | 'sample'>): CheckOutcome {
  const pages = [{ url: answer.url, exchange }, ...sample.map((one) => ({ url: one.url, exchange: one }))];
  const judged = pages.filter(({ url }) => new URL(url).pathname !== '/' || new URL(url).search !== '');
  if (judged.length === 0) return verdict.notApplicable('Only the root of the site was read, which has no path.');
  const faults = judged.flatMap((page) => {
    const fault = findUrlFault(new URL(page.url));
    return fault ? [{ ...page, fault }] : [];
  });
  const good = judged.length - faults.length;
  const said = [...new Set(faults.map(({ fault }) => WORDS[fault]))].join('; ');
  const note = `${good} of ${judged.length} addresses are short and readable${said === '' ? '' : `; the others are ${said}`}.`;
  const evidence = (faults.length > 0 ? faults : judged).map((page) =>
    buildEvidence(page.exchange, { excerpt: page.url }),
  );
  return verdict.byShare(good / judged.length, { passAt: 0.8, partialAt: 0.5 }, note, evidence);
}
