import type { Hono } from 'hono';
import { acceptedTypes } from '../../../src/openapi/accept.ts';
import { DESCRIPTION_VERSION } from '../../../src/openapi/document.ts';
import { FORM_NAMES, formsOf, type ReportForm, reportForms } from '../../../src/web/report/forms.ts';
import { reportPage, reportView } from '../../../src/web/report/page.tsx';
import { readStored } from '../../../src/web/report/stored.ts';
import { storedMarkdown, storedSarif } from '../../../src/web/report/texts.ts';
import { type AppContext, type AppEnv, failWith } from '../context.ts';
import { freeGuard } from '../free-guard.ts';
import { logLine } from '../../shared/log.ts';
import { pageHeaders } from '../../shared/page-headers.ts';
import { type PublishedState, publishedState } from '../bindings/published-store.ts';
import { expiryOf, type StoredReport } from '../../../src/sales/report-store.ts';
import {
  noReport,
  noSuchForm,
  openedReport,
  PAGE_CACHE,
  PRIVATE_HEADERS,
  type Refuse,
  refuseByAccept,
  refuseByPage,
} from './report-refusals.ts';

/**
 * `GET /reports/{id}`: a stored result, once its payment is settled, to whoever knows its unguessable id, in the form
 * that `Accept` likes best; and each form under a fixed address of its own. Programs that accept anything get JSON.
 */
export function reportRoutes(app: Hono<AppEnv>): void {
  app.get('/reports/:id{[0-9a-f]{32}}', freeGuard, (c) => negotiated(c));
  app.get('/reports/:file{[0-9a-f]{32}\\.[a-z]{2,5}}', freeGuard, (c) => fixed(c));
  app.get('/reports/:other', freeGuard, (c) => refuseByAccept(c, noReport));
}

async function negotiated(c: AppContext): Promise<Response> {
  const id = c.req.param('id') ?? '';
  const found = await openedReport(c, id, refuseByAccept);
  if (found instanceof Response) return found;
  const forms = formsOf(found.capability);
  const types = forms.map((form) => FORM_NAMES[form].type);
  const [liked] = acceptedTypes(c.req.header('accept') ?? null, types);
  const form = forms.find((one) => FORM_NAMES[one].type === liked);
  if (form === undefined) return refuseByAccept(c, noSuchForm(forms));
  c.header('vary', 'Accept');
  return shown(c, { id, report: found, form, refuse: refuseByAccept });
}

async function fixed(c: AppContext): Promise<Response> {
  const [id = '', ending] = (c.req.param('file') ?? '').split('.');
  const form = reportForms.find((one) => one === ending);
  const refuse = form === 'html' ? refuseByPage : failWith;
  if (form === undefined) return refuse(c, noReport);
  const found = await openedReport(c, id, refuse);
  if (found instanceof Response) return found;
  const forms = formsOf(found.capability);
  return forms.includes(form) ? shown(c, { id, report: found, form, refuse }) : refuse(c, noSuchForm(forms));
}

type Showing = { id: string; report: StoredReport; form: ReportForm; refuse: Refuse };

/** A report in a form that it has. What a newer version of the service cannot read any more can be had as JSON still. */
async function shown(c: AppContext, showing: Showing): Promise<Response> {
  const { id, report, form, refuse } = showing;
  const state = await publishedState(c.env, c.get('settings').BASE_URL, id, report);
  const body = bodyOf(c, showing, state);
  if (body === undefined) {
    logLine({ event: 'report_unreadable', request_id: c.get('requestId'), capability: report.capability, form });
    return refuse(c, noSuchForm(['json']));
  }
  for (const [name, value] of Object.entries(PRIVATE_HEADERS))
    if (name !== 'x-robots-tag' || !state.published) c.header(name, value);
  if (typeof body === 'string') return c.body(body, 200, { 'content-type': contentTypes[form] });
  return c.html(body, 200, { ...pageHeaders({ script: true }), 'cache-control': PAGE_CACHE });
}

const contentTypes: Readonly<Record<ReportForm, string>> = {
  json: 'application/json',
  html: 'text/html; charset=UTF-8',
  md: 'text/markdown; charset=utf-8',
  sarif: 'application/sarif+json',
};

/** Text of a form, or the page; undefined when the stored result is not of the shape that this version writes. */
function bodyOf(c: AppContext, { id, report, form }: Showing, state: PublishedState) {
  if (form === 'json') return report.json;
  const stored = readStored(report.json);
  switch (form) {
    case 'md':
      return storedMarkdown(stored);
    case 'sarif':
      return storedSarif(stored, DESCRIPTION_VERSION);
    case 'html': {
      const view = reportView(
        {
          id,
          baseUrl: c.get('settings').BASE_URL,
          storedAtMs: report.storedAtMs,
          expiresAtMs: expiryOf(report),
          publishing: state,
        },
        stored,
      );
      return view && reportPage(view);
    }
  }
}
