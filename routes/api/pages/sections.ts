import type { Hono } from 'hono';
import { computeSha256Hex } from '../../../src/lib/digest.ts';
import { listAcceptedTypes } from '../../../src/openapi/accept.ts';
import { reportOperations } from '../../../src/openapi/report-operations.ts';
import { parseBought } from '../../../src/results/bought.ts';
import { formatReportLink, type ReportPlace } from '../../../src/results/links.ts';
import { formatSectionMarkdown } from '../../../src/results/section-markdown.ts';
import {
  findSection,
  readSectionPage,
  type SectionPage,
  type SectionQuery,
} from '../../../src/results/section-page.ts';
import { isFromRecording, type SectionSource } from '../../../src/results/sections.ts';
import { reportStore } from '../../../src/sales/reports/report-store.ts';
import { readStoredRun } from '../../../src/sales/stored-run.ts';
import { type AppContext, type AppEnv, fail } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { formatEntityTag, isKnownTag } from '../../../src/net/entity-tag.ts';
import { openReportOrRefuse, PRIVATE_HEADERS } from './report-refusals.ts';

const FORMS = ['application/json', 'text/markdown'] as const;
type SectionForm = (typeof FORMS)[number];

/**
 * `GET /reports/{id}/sections/{name}`: one page of a section of a report, as JSON or, by `.md` or `Accept`, as Markdown. A
 * report never changes, so each page has an ETag.
 */
export function registerSectionRoutes(app: Hono<AppEnv>): void {
  const { section } = reportOperations;
  app.on(section.method, section.route, guardFreeRoute, async (c) => {
    const id = c.req.param('id');
    const report = await openReportOrRefuse(c, id);
    if (report instanceof Response) return report;
    const [name = '', ending] = c.req.param('section').split('.');
    const result = parseBought(report.json);
    if (result === undefined || (ending !== undefined && ending !== 'md')) {
      return fail(c, 'unknown_section', { detail: 'A section is read at its name, or at its name and .md' });
    }
    const source = await withRecording(c, id, { result }, name);
    const place = { baseUrl: c.get('settings').BASE_URL, reportId: id };
    const read = await readSectionPage(source, name, readSectionQuery(c), place);
    if (!read.ok) return fail(c, read.reason, { detail: read.detail });
    return sendPage(c, read.page, { place, form: ending === 'md' ? 'text/markdown' : chooseForm(c) });
  });
}

const NAMES = ['status', 'score', 'id', 'cursor'] as const;

const readSectionQuery = (c: AppContext): SectionQuery =>
  Object.fromEntries(NAMES.flatMap((name) => (c.req.query(name) === undefined ? [] : [[name, c.req.query(name)]])));

const chooseForm = (c: AppContext): SectionForm =>
  FORMS.find((type) => type === listAcceptedTypes(c.req.header('accept') ?? null, FORMS)[0]) ?? 'application/json';

/** With the answers behind a measurement, for the sections that show them. */
async function withRecording(c: AppContext, id: string, source: SectionSource, name: string): Promise<SectionSource> {
  const section = findSection(source, name);
  if (section === undefined || !isFromRecording(section)) return source;
  const run = await readStoredRun(reportStore(c.env.REPORTS, Date.now), id);
  return run === undefined ? source : { ...source, run };
}

type Sending = { place: ReportPlace; form: SectionForm };

async function sendPage(c: AppContext, page: SectionPage, { place, form }: Sending): Promise<Response> {
  const body = form === 'text/markdown' ? formatSectionMarkdown(page) : JSON.stringify(page);
  const etag = formatEntityTag(await computeSha256Hex(body));
  const next = page.links?.next;
  const headers = {
    ...PRIVATE_HEADERS,
    etag,
    vary: 'Accept',
    link: [...(next === undefined ? [] : [`<${next}>; rel="next"`]), formatReportLink(place)].join(', '),
  };
  if (isKnownTag(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);
  return c.body(body, 200, {
    ...headers,
    'content-type': form === 'text/markdown' ? 'text/markdown; charset=utf-8' : form,
  });
}
