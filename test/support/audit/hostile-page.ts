import { auditSite } from '../../../src/audit/core/report.ts';
import { getPageFacts } from '../../../src/audit/reach/facts/html-page.ts';
import { snapshotOf } from './audit.ts';
import { HOSTILE_PAGES } from './hostile-pages-data.ts';
import { html, SITE, siteFetch } from './site-fetch.ts';

/** Audits the site whose start page has this name, and says what was seen of it. Run it with a small heap. */
const name = process.argv[2] ?? '';
const make = HOSTILE_PAGES[name];
if (!make) throw new Error(`no hostile page ${name}`);
const site = { '/': html(make()) };
const { exchanges } = await snapshotOf(site, { only: ['page'] });
const answer = exchanges.find(({ role }) => role === 'page')?.answer;
if (answer?.ok !== true) throw new Error('the page was not read');
const { capped, text } = getPageFacts(answer);
const report = await auditSite(`${SITE}/`, { fetch: siteFetch(site), clockMs: Date.UTC(2026, 10, 21) });
if (!report.ok) throw new Error(report.detail);
process.stdout.write(
  JSON.stringify({ truncated: answer.truncated, capped, textChars: text.length, warnings: report.warnings }),
);
