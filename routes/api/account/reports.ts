import { NewestReports, renderReportsPage } from '../../../src/web/account/reports.tsx';
import { reportsWords } from '../../../src/web/account/reports-words.ts';
import { describeBought, listBought, type ListedReport, type ListPlace } from './bought.ts';
import type { AccountSection, AccountVisit } from './visit.ts';

/** Reports on one page. */
const PAGE_REPORTS = 20;
/** Reports on the overview. */
const NEWEST = 5;
/** `<milliseconds>.<report id>`. */
const PLACE = /^(\d{1,15})\.([0-9a-f]{32})$/;

/** What was bought, newest first. */
export const reportsSection: AccountSection = {
  path: '/account/reports',
  id: 'reports',
  title: (language) => reportsWords[language].title,
  kinds: ['payer'],
  card: async (visit) => {
    const { language } = visit;
    const found = await listBought(visit, { limit: NEWEST });
    const reports = found && (await describeAll(visit, found));
    return { more: reportsWords[language].more, body: NewestReports({ reports, language }) };
  },
  show: async (visit, frame) => {
    const found = await listBought(visit, { after: readPlace(visit), limit: PAGE_REPORTS + 1 });
    const page = found?.slice(0, PAGE_REPORTS);
    return renderReportsPage({
      frame,
      reports: page && (await describeAll(visit, page)),
      older: found === undefined ? undefined : formatOlderPath(found),
    });
  },
};

const describeAll = (visit: AccountVisit, reports: readonly ListedReport[]) =>
  Promise.all(reports.map((report) => describeBought(visit, report)));

function readPlace({ c }: AccountVisit): ListPlace | undefined {
  const [, atMs, reportId] = PLACE.exec(c.req.query('after') ?? '') ?? [];
  return atMs === undefined || reportId === undefined ? undefined : { atMs: Number(atMs), reportId };
}

function formatOlderPath(found: readonly ListedReport[]): string | undefined {
  const last = found[PAGE_REPORTS - 1];
  if (last === undefined || found.length <= PAGE_REPORTS) return undefined;
  return `${reportsSection.path}?after=${last.atMs}.${last.reportId}`;
}
