import { expect, test } from 'vitest';
import { gatherSite } from '../../../src/audit/core/gather.ts';
import { judgeSite, reportOn } from '../../../src/audit/core/report.ts';
import { CLOCK_MS } from '../../support/audit/audit.ts';
import { hostileSite } from '../../support/audit/hostile-site.ts';
import { faultySite, lockedSite } from '../../support/audit/marked-sites.ts';
import { type SiteMap, SITE, siteFetch } from '../../support/audit/site-fetch.ts';

/** In every place that a site can put words; no word of ours, and legal in names, addresses and versions. */
const MARK = 'quokkazeit';

const sites: readonly (readonly [string, SiteMap])[] = [
  ['well kept', hostileSite((slot) => `${MARK} ${slot}`)],
  ['with a fault in everything', faultySite(MARK)],
  ['behind a login, with a fault in everything', lockedSite(MARK)],
];

test.each(sites)('X3, X7: on a site %s no note, summary or warning holds a word of the site', async (_name, map) => {
  const snapshot = await gatherSite(`${SITE}/`, { fetch: siteFetch(map), clockMs: CLOCK_MS });
  const { judged } = judgeSite(snapshot);
  const notes = judged.map(({ check, outcome }) => `${check.id}: ${outcome.note}`);
  expect(notes.filter((note) => isTold(note))).toEqual([]);
  const report = await reportOn(snapshot);
  if (!report.ok) throw new Error(report.detail);
  expect(isTold(JSON.stringify([report.summary, report.warnings, report.profile]))).toBe(false);
});

test.each(sites)(
  'the words of a site %s are in the evidence, so that the test above could fail',
  async (_name, map) => {
    const snapshot = await gatherSite(`${SITE}/`, { fetch: siteFetch(map), clockMs: CLOCK_MS });
    const { judged } = judgeSite(snapshot);
    const marked = judged.filter(({ outcome }) => isTold(JSON.stringify(outcome.evidence)));
    expect(marked.length).toBeGreaterThan(10);
  },
);

const isTold = (text: string): boolean => text.toLowerCase().includes(MARK);
