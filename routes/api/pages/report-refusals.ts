import { errorPage } from '../../../src/web/error-page.ts';
import { acceptedTypes } from '../../../src/openapi/accept.ts';
import { reasonRow } from '../../../src/payment/terms/reasons.ts';
import { FORM_NAMES, type ReportForm } from '../../../src/web/report/forms.ts';
import { type AppContext, failWith } from '../context.ts';
import { logLine } from '../../shared/log.ts';
import { openReport } from '../bindings/open-report.ts';
import { pageHeaders } from '../../shared/page-headers.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';
import { REPORT_DAYS, type StoredReport } from '../../../src/sales/report-store.ts';

/** Makes the answer to a refusal: a problem, or a page where people asked. */
export type Refuse = (c: AppContext, input: ProblemInput) => Response | Promise<Response>;

export const noReport: ProblemInput = {
  status: 404,
  code: 'report_not_found',
  title: 'No report under this id',
  detail: `Reports are kept ${REPORT_DAYS} days`,
};

const EXPIRED: ProblemInput = {
  status: 410,
  code: 'report_expired',
  title: 'This report has expired',
  detail: `Reports can be read for ${REPORT_DAYS} days, and those of this one are over. A new audit shows how things stand now.`,
};

/** No form of a report that was asked for is one that this report has. */
export const noSuchForm = (forms: readonly ReportForm[]): ProblemInput => ({
  status: 406,
  code: 'not_acceptable',
  title: 'This report has no such form',
  detail: `It can be read as ${forms.map((form) => `${FORM_NAMES[form].name} (.${form})`).join(', ')}`,
});

/** The stored report when its payment is settled, else the answer that says why not. */
export async function openedReport(
  c: AppContext,
  id: string,
  refuse: Refuse = failWith,
  missing: ProblemInput = noReport,
): Promise<StoredReport | Response> {
  const found = await openReport(c.env, id);
  switch (found.kind) {
    case 'open':
      return found.report;
    case 'missing':
      return refuse(c, missing);
    case 'expired':
      return refuse(c, EXPIRED);
    case 'unavailable':
      return refuse(c, { ...reasonRow('ledger_unavailable'), code: 'ledger_unavailable' });
  }
}

/** A page for people. `detail` is ours, so nothing of a site stands in it. */
export const refuseByPage: Refuse = (c, input) => {
  const requestId = c.get('requestId');
  const { status, code, title, detail = title, retryAfterS } = input;
  logLine({ event: 'refused', request_id: requestId, status, code });
  for (const [name, value] of Object.entries(pageHeaders())) c.header(name, value);
  c.header('x-robots-tag', 'noindex, nofollow');
  if (retryAfterS !== undefined) c.header('retry-after', String(retryAfterS));
  c.status(status as 400); // A status of our own tables.
  return c.html(errorPage({ title, detail, requestId }));
};

const PREFERENCE = ['application/json', 'text/html'] as const;

/** By Accept: a page for browsers, a problem for programs; neither may be kept for the other. */
export const refuseByAccept: Refuse = (c, input) => {
  c.header('vary', 'Accept');
  const [liked] = acceptedTypes(c.req.header('accept') ?? null, PREFERENCE);
  if (liked === 'text/html') return refuseByPage(c, input);
  return failWith(c, { ...input, headers: { ...input.headers, vary: 'Accept' } });
};
