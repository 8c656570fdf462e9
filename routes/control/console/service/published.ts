import { formatTimeLeft } from '../../../../src/web/console/channels.tsx';
import type { Signal } from '../../../../src/web/console/overview.tsx';
import { renderConfirmation, renderOlderWorker } from '../../../../src/web/console/service/confirm.tsx';
import {
  formatPublishedHref,
  formatSiteReportsCsv,
  formatSitesCsv,
  PUBLISHED_PATH,
  renderPublishedSite,
  renderPublishedSites,
  SITE_PATH,
  TAKE_DOWN_PATH,
} from '../../../../src/web/console/service/published.tsx';
import {
  type ActionOutcome,
  CSV_TYPE,
  type ConsoleContext,
  type ConsoleFormInput,
  type ConsolePage,
  type NothingToShow,
} from '../console-request.ts';
import { askWorker } from '../../bindings/ask-worker.ts';
import {
  NO_REASON,
  OLDER_SAID,
  OLDER_WORKER,
  SESSION_REFUSALS,
  describeReason,
  readReason,
  refuseAct,
} from './commands.ts';

const PAGE = 50;
const PREFIX = /^[a-z0-9._:[\]-]{0,260}$/;
const REPORT = /^[0-9a-f]{32}$/;
const MAX_CURSOR_CHARS = 2_048;

/** `/console/published?host=&cursor=`: sites with published reports. */
const publishedPage: ConsolePage = {
  path: PUBLISHED_PATH,
  title: 'Published reports',
  show: async (c) => {
    const asked = parseAsked(c);
    if ('status' in asked) return asked;
    const found = await askWorker(c.env.OPERATIONS, 'publishedSites', asked);
    return found.known ? renderPublishedSites({ ...found.value, prefix: asked.prefix }) : renderOlderWorker();
  },
  signals: [{ question: 'lapse', title: 'Published reports', read: readEndsSignal }],
  downloads: [{ path: `${PUBLISHED_PATH}.csv`, read: readSitesFile }],
};

/** Which published reports can soon no longer be read. That is their life, and no fault. */
async function readEndsSignal(c: ConsoleContext): Promise<Signal> {
  const found = await askWorker(c.env.OPERATIONS, 'publishedEnds');
  if (!found.known) return { mood: 'idle', text: 'Cannot say', figure: '', note: OLDER_WORKER.title };
  const { sites, ending, withinDays, next, isPartial } = found.value;
  const of = `${isPartial ? 'the first ' : ''}${sites} ${sites === 1 ? 'site' : 'sites'}`;
  if (next === undefined)
    return { mood: 'idle', text: 'None', figure: '0', note: `Of ${of}, no published report can still be read.` };
  const note = `Of ${of}, reports that can be read for less than ${withinDays} days; badge and history stay. The next: ${next.key}, ${formatTimeLeft(next.endsAtMs - c.now())}.`;
  return { mood: 'idle', text: ending === 0 ? 'None' : 'End soon', figure: String(ending), note };
}

/** `/console/published/site?host=`: the reports of one host. */
const publishedSitePage: ConsolePage = {
  path: SITE_PATH,
  title: 'Published reports of a host',
  under: PUBLISHED_PATH,
  show: async (c) => {
    const host = parseHost(c.query.get('host'));
    if (host === undefined) return NO_HOST;
    const found = await askWorker(c.env.OPERATIONS, 'publishedReports', { host });
    if (!found.known) return renderOlderWorker();
    return renderPublishedSite({ host, reports: found.value, apiUrl: new URL(c.settings.BASE_URL).origin });
  },
  downloads: [{ path: `${SITE_PATH}.csv`, read: readSiteFile }],
};

/** `/console/published/take-down?host=&report=`: says what happens to the report, and asks why. */
const takeDownPage: ConsolePage = {
  path: TAKE_DOWN_PATH,
  title: 'Take a report down',
  under: PUBLISHED_PATH,
  show: async ({ query, forms }) => {
    const order = parseTakeDown((name) => query.get(name) ?? undefined);
    if (order === undefined) return NO_HOST;
    const { host, reportId } = order;
    return renderConfirmation({
      facts: [
        ['Host', host],
        ['Report', reportId],
      ],
      effect:
        'Badge and history of the host stop showing the report, and search engines are asked to leave it out. Its buyer cannot publish it again. It can still be read at its address until it expires.',
      forms,
      action: TAKE_DOWN_PATH,
      fields: { host, report: reportId },
      label: 'Take down',
      back: formatPublishedHref({ host }, SITE_PATH),
    });
  },
  actions: [
    {
      path: TAKE_DOWN_PATH,
      title: 'Take a published report down',
      target: (form) => form.get('host') ?? '',
      about: describeReason,
      run: takeDownReport,
    },
  ],
};

export const publishedPages: readonly ConsolePage[] = [publishedPage, publishedSitePage, takeDownPage];

function parseAsked({ query }: ConsoleContext) {
  const prefix = (query.get('host') ?? '').trim().toLowerCase();
  const cursor = query.get('cursor') ?? '';
  if (!PREFIX.test(prefix) || cursor.length > MAX_CURSOR_CHARS) return NO_HOST;
  return { prefix, limit: PAGE, ...(cursor === '' ? {} : { cursor }) };
}

function parseHost(given: string | null | undefined): string | undefined {
  const host = (given ?? '').trim().toLowerCase();
  return host !== '' && PREFIX.test(host) ? host : undefined;
}

function parseTakeDown(read: (name: string) => string | undefined): { host: string; reportId: string } | undefined {
  const host = parseHost(read('host'));
  const reportId = read('report') ?? '';
  return host !== undefined && REPORT.test(reportId) ? { host, reportId } : undefined;
}

async function takeDownReport(c: ConsoleContext, form: ConsoleFormInput): Promise<ActionOutcome> {
  const order = parseTakeDown((name) => form.get(name));
  if (order === undefined) return refuseAct(PUBLISHED_PATH, 'The form was not complete.', 'bad_form');
  const to = formatPublishedHref({ host: order.host }, SITE_PATH);
  const reason = readReason(form);
  if (reason === '') return refuseAct(to, NO_REASON, 'no_reason');
  const found = await askWorker(c.env.CONSOLE_ACCESS, 'takeDown', c.session.hash, { ...order, reason });
  if (!found.known) return refuseAct(to, OLDER_SAID, 'older_worker');
  if (!found.value.ok) {
    const said = SESSION_REFUSALS[found.value.reason] ?? 'The host does not list this report any more.';
    return refuseAct(to, said, found.value.reason);
  }
  return { to, said: `Taken down. Badge and history of ${order.host} follow.`, entry: { host: order.host } };
}

async function readSitesFile(c: ConsoleContext) {
  const asked = parseAsked(c);
  if ('status' in asked) return asked;
  const found = await askWorker(c.env.OPERATIONS, 'publishedSites', asked);
  if (!found.known) return OLDER_WORKER;
  const { sites, next } = found.value;
  const name = `published-${next === undefined ? '' : 'first-'}${sites.length}.csv`;
  return { name, type: CSV_TYPE, text: formatSitesCsv(found.value) };
}

async function readSiteFile(c: ConsoleContext) {
  const host = parseHost(c.query.get('host'));
  if (host === undefined) return NO_HOST;
  const found = await askWorker(c.env.OPERATIONS, 'publishedReports', { host });
  if (!found.known) return OLDER_WORKER;
  return { name: 'published-of-host.csv', type: CSV_TYPE, text: formatSiteReportsCsv(found.value) };
}

const NO_HOST: NothingToShow = {
  status: 400,
  title: 'That is no host',
  detail: 'A host has letters, digits, points, `-`, and a port where it has one.',
};
