import { isPublishableCapability } from '../../../src/capabilities/published/publishing.ts';
import { runOrUnavailable } from '../../../src/sales/ledger-client.ts';
import { findSiteKey, readHistory, unpublish } from '../../../src/sales/reports/published-store.ts';
import { reportStore } from '../../../src/sales/reports/report-store.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { PublishedCount, type PublishedReport, renderPublishedPage } from '../../../src/web/account/published.tsx';
import { reportsWords } from '../../../src/web/account/reports-words.ts';
import { refuseRequest } from '../pages/pages.ts';
import { isOwnReport, listBought } from './reports.ts';
import type { AccountSection, AccountTask, AccountVisit } from './visit.ts';

/** The newest reports of the account of which those that can be published are looked at. */
const MAX_LOOKED = 50;
const REPORT_ID = /^[0-9a-f]{32}$/;

/** Reports that are public: in a history, and perhaps on a badge. */
export const publishedSection: AccountSection = {
  path: '/account/published',
  id: 'published',
  title: (language) => reportsWords[language].published.title,
  kinds: ['payer'],
  card: async (visit) => {
    const { language } = visit;
    const found = await findPublished(visit);
    return {
      more: reportsWords[language].published.more,
      body: PublishedCount({ published: found?.published, language }),
    };
  },
  show: async (visit, frame) => {
    const found = await findPublished(visit);
    return renderPublishedPage({ frame, published: found?.published, looked: found?.looked });
  },
  exported: async (visit) => (await findPublished(visit))?.published,
  actions: [{ path: '/account/unpublish', run: takeBack }],
};

/** `looked`: how many were, where there are more. */
async function findPublished(
  visit: AccountVisit,
): Promise<{ published: readonly PublishedReport[]; looked: number | undefined } | undefined> {
  const bought = await listBought(visit, { limit: MAX_LOOKED + 1 });
  if (bought === undefined) return undefined;
  const candidates = bought.slice(0, MAX_LOOKED).filter(({ capability }) => isPublishableCapability(capability));
  const sited = await Promise.all(
    candidates.map(async ({ reportId, atMs }) => ({ reportId, atMs, host: await findSite(visit, reportId) })),
  );
  const hosts = [...new Set(sited.flatMap(({ host }) => host ?? []))];
  const histories = new Map(
    await Promise.all(hosts.map(async (host) => [host, await readHistory(visit.c.env.REPORTS, host)] as const)),
  );
  const published = sited.flatMap(({ host, reportId, atMs }) =>
    host !== undefined && histories.get(host)?.some((entry) => entry.reportId === reportId) === true
      ? [{ reportId, atMs, host }]
      : [],
  );
  return { published, looked: bought.length > MAX_LOOKED ? candidates.length : undefined };
}

/** The site of a report that can be published. Reports of before that was kept beside them are read for it. */
async function findSite({ c }: AccountVisit, reportId: string): Promise<string | undefined> {
  const store = reportStore(c.env.REPORTS, Date.now);
  const about = await store.describe(reportId);
  if (about?.publishing !== 'possible') return undefined;
  if (about.site !== undefined) return about.site;
  const report = await store.get(reportId);
  return report && findSiteKey(report);
}

/** The account shows that its owner is the buyer: no publish token is needed. */
async function takeBack(visit: AccountVisit, posted: Parameters<AccountTask>[1]): Promise<Response> {
  const { c } = visit;
  const reportId = posted.get('report_id') ?? '';
  const isOwn = REPORT_ID.test(reportId)
    ? await runOrUnavailable<boolean | undefined>(() => isOwnReport(visit, reportId), undefined)
    : false;
  if (isOwn === undefined) return refuseRequest(c, buildProblem('ledger_unavailable'));
  if (!isOwn) return refuseRequest(c, buildProblem('report_not_found'));
  const host = await findSite(visit, reportId);
  if (host === undefined) return refuseRequest(c, buildProblem('report_not_found'));
  await unpublish(c.env.REPORTS, host, reportId);
  if (!posted.form) return c.json({ ok: true, report_id: reportId, published: false });
  return c.redirect(`${publishedSection.path}?done=unpublished`, 303);
}
