import { type CheckOutcome, defineCheck, type FactsOf, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import type { SitemapFault, Sitemaps, SitemapTry } from '../facts/sitemap.ts';

/** Checks of the site's sitemaps. */
export const sitemapChecks = [
  defineCheck({
    id: 'aeo.sitemap.exists',
    title: 'A sitemap is found',
    failureTitle: 'Publish a sitemap',
    weight: 3,
    grade: 'A',
    why: 'The sitemap is how the indexes behind AI search find pages that few links lead to, and learn which have changed.',
    source: 'sitemaps.org protocol 0.90; RFC 9309, section 2.2.4',
    fix: 'Generate /sitemap.xml and name it in robots.txt.',
    capabilities: ['check_health'],
    needs: ['sitemaps'],
    judge: judgeExists,
  }),
  defineCheck({
    id: 'aeo.sitemap.valid',
    title: 'Sitemap is well formed and within limits',
    failureTitle: 'Correct the sitemap',
    weight: 2,
    grade: 'A',
    why: 'Indexes ignore a broken or oversized sitemap as a whole, not just its bad lines.',
    source: 'sitemaps.org protocol 0.90',
    fix: 'Use the sitemaps.org namespace, escape "&" as "&amp;", list absolute addresses of the same host, split after 50,000 of them.',
    needs: ['sitemaps'],
    judge: judgeValid,
  }),
  defineCheck({
    id: 'aeo.sitemap.robots-ref',
    title: 'robots.txt names the sitemap',
    failureTitle: 'Name the sitemap in robots.txt',
    weight: 1,
    grade: 'A',
    why: 'A Sitemap line is the only way to announce a sitemap that every crawler knows.',
    source: 'sitemaps.org, "Informing search engine crawlers"; RFC 9309, section 2.2.4',
    fix: 'Add a line "Sitemap: https://<your host>/sitemap.xml" to robots.txt.',
    capabilities: ['check_health'],
    needs: ['sitemaps'],
    judge: judgeReference,
  }),
];

const listFoundSitemaps = (sitemaps: Sitemaps): readonly SitemapTry[] =>
  sitemaps.tries.filter(({ state }) => state === 'found');
const listSitemapEvidence = (tries: readonly SitemapTry[]): ReturnType<typeof buildEvidence>[] =>
  tries.map(({ exchange }) => buildEvidence(exchange));

function judgeExists({ sitemaps }: FactsOf<'sitemaps'>): CheckOutcome {
  const found = listFoundSitemaps(sitemaps);
  const count = found.reduce((sum, { file }) => sum + (file?.urlCount ?? 0), 0);
  if (found.length > 0) return verdict.pass(`A sitemap with ${count} entries is found.`, listSitemapEvidence(found));
  const evidence = listSitemapEvidence(sitemaps.tries);
  if (sitemaps.tries.some(({ state }) => state === 'failed'))
    return verdict.unknown('Not every place of a sitemap could be read.', evidence);
  return verdict.fail(
    sitemaps.named
      ? 'The sitemaps that robots.txt names are not there.'
      : 'No sitemap at the usual addresses, and robots.txt names none.',
    evidence,
  );
}

/** Faults that cost entries but not the file. */
const MINOR = new Set<SitemapFault>(['loc_on_other_host', 'empty']);

const WORDS: Readonly<Record<SitemapFault, string>> = {
  not_a_sitemap: 'it is no sitemap',
  doctype: 'it has a document type, which parsers refuse',
  wrong_namespace: 'its namespace is not that of sitemaps.org',
  not_well_formed: 'its XML is not well formed',
  unescaped_ampersand: 'it has a bare "&"',
  too_many_urls: 'it lists more than 50,000 addresses',
  loc_not_absolute: 'it lists addresses that are not absolute',
  loc_on_other_host: 'it lists addresses of another host',
  empty: 'it lists nothing',
};

function judgeValid({ sitemaps }: FactsOf<'sitemaps'>): CheckOutcome {
  const found = listFoundSitemaps(sitemaps);
  if (found.length === 0) return verdict.notApplicable('There is no sitemap to judge.');
  const files = sitemaps.child?.file ? [...found, sitemaps.child] : found;
  const faults = files.flatMap(({ exchange, file }) => (file?.faults ?? []).map((fault) => ({ ...fault, exchange })));
  const evidence = faults.map(({ exchange, fault, excerpt }) =>
    buildEvidence(exchange, { excerpt: `${fault}: ${excerpt}` }),
  );
  if (sitemaps.child?.file?.kind === 'sitemapindex')
    return verdict.fail('A sitemap index lists another index.', buildEvidence(sitemaps.child.exchange));
  const grave = faults.filter(({ fault }) => !MINOR.has(fault));
  if (grave.length > 0) return verdict.fail(`The sitemap is broken: ${formatFaults(grave)}.`, evidence);
  if (faults.length > 0) return verdict.partial(0.5, `The sitemap can be read, but ${formatFaults(faults)}.`, evidence);
  if (files.some(({ truncated }) => truncated))
    return verdict.unknown('The sitemap is larger than we read; its first part is sound.', listSitemapEvidence(files));
  return verdict.pass('The sitemap is well formed and within its limits.', listSitemapEvidence(files));
}

const formatFaults = (faults: readonly { fault: SitemapFault }[]): string =>
  [...new Set(faults.map(({ fault }) => WORDS[fault]))].join('; ');

function judgeReference({ sitemaps }: FactsOf<'sitemaps'>): CheckOutcome {
  const found = listFoundSitemaps(sitemaps);
  const evidence = listSitemapEvidence(found.length > 0 ? found : sitemaps.tries);
  if (!sitemaps.named) {
    if (found.length > 0 && !sitemaps.robotsRead)
      return verdict.unknown('A sitemap is there; whether robots.txt names it could not be seen.', evidence);
    if (found.length > 0) return verdict.partial(0.5, 'A sitemap is there, but robots.txt does not name it.', evidence);
    return verdict.notApplicable('There is no sitemap to name.');
  }
  if (found.length > 0) return verdict.pass('robots.txt names a sitemap that answers and parses.', evidence);
  if (sitemaps.tries.some(({ state }) => state === 'failed'))
    return verdict.unknown('The sitemap that robots.txt names gave no answer.', evidence);
  return verdict.fail('robots.txt names a sitemap that is not there.', evidence);
}
