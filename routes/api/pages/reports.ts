import type { Hono } from 'hono';
import { RUBRIC_VERSION } from '../../../src/audit/core/rubric-version.ts';
import { listAcceptedTypes } from '../../../src/openapi/accept.ts';
import { DESCRIPTION_VERSION } from '../../../src/openapi/document.ts';
import { reportOperations } from '../../../src/openapi/report-operations.ts';
import { buildFilesArchive } from '../../../src/web/report/archive.ts';
import { FORM_NAMES, listReportForms, type ReportForm, reportForms } from '../../../src/web/report/forms.ts';
import { CHECKS_PATH } from '../../../src/report/reportable.ts';
import { formatReportLink } from '../../../src/results/links.ts';
import { type Reading, renderView } from '../../../src/results/view.ts';
import { reportPage, reportView } from '../../../src/web/report/page.tsx';
import { readStoredAnswers } from '../../../src/web/report/answers/stored-answers.ts';
import type { ShownAnswers } from '../../../src/web/report/answers/shown-answer.ts';
import { escapeForPage, readStored } from '../../../src/web/report/stored.ts';
import { formatStoredMarkdown, formatStoredSarif } from '../../../src/web/report/texts.ts';
import { type AppContext, type AppEnv, fail } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { listReadingHeaders, readReading } from '../reading.ts';
import { logLine } from '../../shared/telemetry.ts';
import { showPage } from './pages.ts';
import type { PublishedState } from '../../../src/capabilities/published/publishing.ts';
import { readPublishedState } from '../../../src/sales/reports/published-store.ts';
import { computeReportExpiry, reportStore, type ReportRecord } from '../../../src/sales/reports/report-store.ts';
import { readStoredRun } from '../../../src/sales/stored-run.ts';
import type { ResultName } from '../../../src/capabilities/capability-name.ts';
import type { PageLanguage } from '../../../src/web/language/language.ts';
import { createPdfStore } from '../../../src/sales/reports/report-pdfs.ts';
import { hasPdfBrowser, printReport } from '../bindings/pdf.ts';
import {
  noReport,
  buildNoSuchFormProblem,
  buildPdfProblem,
  LANGUAGE_VARY,
  openReportOrRefuse,
  PAGE_CACHE,
  PRIVATE_HEADERS,
  type Refuse,
  refuseByAccept,
  refuseByPage,
} from './report-refusals.ts';

/**
 * `GET /reports/{id}`: a stored result, once its payment is settled, for those who know its unguessable id, in the form
 * that `Accept` prefers; each form also has a fixed address. Programs that accept anything get JSON.
 */
export function reportRoutes(app: Hono<AppEnv>): void {
  const { asAccepted, json } = reportOperations;
  app.on(asAccepted.method, asAccepted.route, guardFreeRoute, (c) => showNegotiatedReport(c));
  app.on(json.method, json.route, guardFreeRoute, (c) => showFixedForm(c)); // Every form has this route.
  app.get('/reports/:other', guardFreeRoute, (c) => refuseByAccept(c, noReport));
}

async function showNegotiatedReport(c: AppContext): Promise<Response> {
  const id = c.req.param('id') ?? '';
  const found = await openReportOrRefuse(c, id, refuseByAccept);
  if (found instanceof Response) return found;
  const forms = listReportForms(found.capability);
  const types = forms.map((form) => FORM_NAMES[form].type);
  const [liked] = listAcceptedTypes(c.req.header('accept') ?? null, types);
  const form = forms.find((one) => FORM_NAMES[one].type === liked);
  if (form === undefined) return refuseByAccept(c, buildNoSuchFormProblem(forms));
  c.header('vary', 'Accept');
  return showReport(c, { id, report: found, form, refuse: refuseByAccept });
}

async function showFixedForm(c: AppContext): Promise<Response> {
  const [id = '', ending] = (c.req.param('file') ?? '').split('.');
  if (ending === 'pdf') return showPdf(c, id);
  const form = reportForms.find((one) => one === ending);
  const refuse = form === 'html' ? refuseByPage : refuseByAccept;
  if (form === undefined) return refuse(c, noReport);
  const found = await openReportOrRefuse(c, id, refuse);
  if (found instanceof Response) return found;
  const forms = listReportForms(found.capability);
  return forms.includes(form)
    ? showReport(c, { id, report: found, form, refuse })
    : refuse(c, buildNoSuchFormProblem(forms));
}

type Showing = { id: string; report: ReportRecord; form: ReportForm; refuse: Refuse };
type Rendering = Pick<Showing, 'id' | 'report' | 'form'> & {
  language: PageLanguage;
  /** The answers behind a measurement, where they are stored. */
  shownAnswers?: ShownAnswers | undefined;
};

/** A report in a form that it has. What a newer version of the service cannot read any more can be had as JSON still. */
async function showReport(c: AppContext, showing: Showing): Promise<Response> {
  const { id, report, form, refuse } = showing;
  if (form === 'json') return showJson(c, showing);
  const state = await readPublishedState(c.env.REPORTS, c.get('settings').BASE_URL, id, report, Date.now());
  const shownAnswers = form === 'html' || form === 'md' ? await readAnswersBehind(c, id, report) : undefined;
  const body = renderReportBody(c, { id, report, form, language: c.get('language'), shownAnswers }, state);
  if (body === undefined) {
    logLine({ event: 'report_unreadable', request_id: c.get('requestId'), capability: report.capability, form });
    return refuse(c, buildNoSuchFormProblem(['json']));
  }
  setPrivateHeaders(c, state);
  if (form === 'zip') c.header('content-disposition', `attachment; filename="sightline-${id}.zip"`);
  if (typeof body === 'string' || body instanceof Uint8Array)
    return c.body(body, 200, { 'content-type': contentTypes[form] });
  c.header('vary', LANGUAGE_VARY, { append: true });
  return showPage(c, body, { script: true, cacheControl: PAGE_CACHE });
}

/** A measurement whose answers are gone is shown without them. */
async function readAnswersBehind(
  c: AppContext,
  id: string,
  { capability, json }: ReportRecord,
): Promise<ShownAnswers | undefined> {
  if (!MEASUREMENTS.has(capability)) return undefined;
  const run = await readStoredRun(reportStore(c.env.REPORTS, Date.now), id);
  return run && readStoredAnswers(escapeForPage(readStored(json)), run);
}

const MEASUREMENTS: ReadonlySet<string> = new Set<ResultName>([
  'visibility_check',
  'visibility_vs_competitor',
  'visibility_panel_2',
  'visibility_panel_4',
]);

/** The data of a report in the view that the reader asks for. */
async function showJson(c: AppContext, { id, report }: Showing): Promise<Response> {
  const asked = readReading(c);
  if (!asked.ok) return fail(c, asked.reason, { detail: asked.detail });
  const { BASE_URL: baseUrl } = c.get('settings');
  const state = await readPublishedState(c.env.REPORTS, baseUrl, id, report, Date.now());
  const place = { baseUrl, reportId: id };
  setPrivateHeaders(c, state);
  setReadingHeaders(c, asked.reading);
  c.header('link', `<${baseUrl}${CHECKS_PATH}>; rel="help", ${formatReportLink(place)}`);
  return c.body(renderView(report.json, asked.reading, place), 200, { 'content-type': 'application/json' });
}

function setPrivateHeaders(c: AppContext, state: PublishedState): void {
  for (const [name, value] of Object.entries(PRIVATE_HEADERS))
    if (name !== 'x-robots-tag' || !state.published) c.header(name, value);
}

/** Beside what the answer varies by already. */
function setReadingHeaders(c: AppContext, reading: Reading): void {
  for (const [name, value] of Object.entries(listReadingHeaders(reading))) c.header(name, value, { append: true });
}

const contentTypes: Readonly<Record<Exclude<ReportForm, 'json'>, string>> = {
  html: 'text/html; charset=UTF-8',
  md: 'text/markdown; charset=utf-8',
  sarif: 'application/sarif+json',
  zip: 'application/zip',
};

/** The page as a PDF in the language of its reader. It is printed once in each, and stored: a browser costs money. */
async function showPdf(c: AppContext, id: string): Promise<Response> {
  const found = await openReportOrRefuse(c, id, refuseByAccept);
  if (found instanceof Response) return found;
  const language = c.get('language');
  // A page says what a later rubric judges otherwise.
  const form = `${RUBRIC_VERSION}-${isWholeWanted(c) ? 'whole' : 'short'}-${language}`;
  const store = createPdfStore(c.env.REPORTS, form);
  const stored = await store.get(id);
  if (stored !== undefined) return sendPdf(c, id, stored);
  const state = await readPublishedState(c.env.REPORTS, c.get('settings').BASE_URL, id, found, Date.now());
  const shownAnswers = await readAnswersBehind(c, id, found);
  const page = await renderReportBody(c, { id, report: found, form: 'html', language, shownAnswers }, state);
  if (page === undefined) return refuseByAccept(c, buildNoSuchFormProblem(['json']));
  const printed = await printReport(c.env, String(page));
  if (printed.ok) {
    await store.put(id, printed.pdf);
    return sendPdf(c, id, printed.pdf);
  }
  logLine({ event: 'pdf_unavailable', request_id: c.get('requestId'), reason: printed.reason, detail: printed.detail });
  return refuseByAccept(c, buildPdfProblem(printed.reason));
}

const isWholeWanted = (c: AppContext): boolean => c.req.query('print') === 'full';

function sendPdf(c: AppContext, id: string, pdf: ReadableStream | Uint8Array<ArrayBuffer>): Response {
  for (const [name, value] of Object.entries(PRIVATE_HEADERS)) c.header(name, value);
  c.header('vary', LANGUAGE_VARY, { append: true });
  c.header('content-disposition', `inline; filename="sightline-${id}.pdf"`);
  return c.body(pdf, 200, { 'content-type': 'application/pdf' });
}

/** Text or bytes of a form, or the page; undefined when the stored result is not of the shape that this version writes. */
function renderReportBody(
  c: AppContext,
  { id, report, form, language, shownAnswers }: Rendering,
  state: PublishedState,
) {
  const stored = readStored(report.json);
  switch (form) {
    case 'md':
      return formatStoredMarkdown(stored, { service: c.get('settings').BASE_URL, answers: shownAnswers });
    case 'sarif':
      return formatStoredSarif(stored, DESCRIPTION_VERSION, c.get('settings').BASE_URL);
    case 'zip':
      return buildFilesArchive(stored, report.storedAtMs);
    case 'html': {
      const view = reportView(
        {
          id,
          baseUrl: c.get('settings').BASE_URL,
          storedAtMs: report.storedAtMs,
          expiresAtMs: report.keptBy === undefined ? computeReportExpiry(report) : null,
          publishing: state,
          language,
          shownAnswers,
          whole: isWholeWanted(c),
          pdf: hasPdfBrowser(c.env),
        },
        stored,
      );
      return view && reportPage(view);
    }
  }
}
