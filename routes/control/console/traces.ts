import { formatDuration } from '../../../src/web/console/search.tsx';
import { formatTracesCsv, TRACES_PATH, type TracesAsked, renderTraces } from '../../../src/web/console/traces.tsx';
import type { OwnProject } from '../bindings/own-project.ts';
import { CSV_TYPE, type ConsoleContext, type ConsolePage, type NothingToShow } from './console-request.ts';
import type { Signal } from '../../../src/web/console/overview.tsx';
import {
  isAboutPage,
  type ProjectList,
  NO_PROJECT,
  NO_SUCH_PAGE,
  findConsoleProject,
  readList,
  askOwn,
  formatBefore,
  readSearchStart,
} from './own-projects.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import {
  buildTraceLine,
  isOwnView,
  layOutWaterfall,
  readTraceStart,
  readConsoleSpans,
} from '../../../src/web/console/spans.ts';
import { traceView } from '../../../src/web/console/trace.tsx';

const PAGE = 50;
/** Traces of which the slowest is named: beside the console's own, which are not counted. */
const MAX_COMPARED = 20;
/** Traces that a file holds. */
const MAX_LOOKED_AT = 500;
/** An address has about this much room. */
const MAX_FILTER_CHARS = 2_000;

/** `/console/traces?filter=&since=&order=&page=`: what the service did, request by request. */
export const tracesPage: ConsolePage = {
  path: TRACES_PATH,
  title: 'Traces',
  show: showTraces,
  signals: [{ question: 'customers', title: 'Slowest request, last hour', read: readSlowestSignal }],
  downloads: [{ path: `${TRACES_PATH}.csv`, read: readTracesFile }],
};

function parseTracesAsked(c: ConsoleContext): { asked: TracesAsked; page: string } {
  const { page, ...start } = readSearchStart(c);
  const { query } = c;
  const asked: TracesAsked = {
    filter: (query.get('filter') ?? '').slice(0, MAX_FILTER_CHARS + 1),
    order: query.get('order') === 'slowest' ? 'slowest' : 'newest',
    ...start,
  };
  return { asked, page };
}

/** The same search as a file. */
async function readTracesFile(c: ConsoleContext) {
  const { asked, page } = parseTracesAsked(c);
  const own = await findConsoleProject(c);
  if (own === undefined) return NO_PROJECT;
  const found = await listTraces(c, own, asked, { page, wanted: MAX_LOOKED_AT });
  if (!found.ok) return { status: 400 as const, title: 'That cannot be searched', detail: found.message };
  const name = `traces-${found.next === undefined ? '' : 'first-'}${found.items.length}.csv`;
  return { name, type: CSV_TYPE, text: formatTracesCsv(found.items.map(buildTraceLine)) };
}

async function showTraces(c: ConsoleContext) {
  const { asked, page } = parseTracesAsked(c);
  const own = await findConsoleProject(c);
  if (own === undefined) return NO_PROJECT;
  if (asked.filter.length > MAX_FILTER_CHARS)
    return renderTraces({
      asked,
      page,
      ok: false,
      problem: `A filter has at most ${MAX_FILTER_CHARS} characters here.`,
    });
  const found = await listTraces(c, own, asked, { page, wanted: PAGE });
  if (!found.ok && isAboutPage(found.message)) return NO_SUCH_PAGE;
  if (!found.ok) return renderTraces({ asked, page, ok: false, problem: found.message });
  return renderTraces({ asked, page, ok: true, traces: found.items.map(buildTraceLine), next: found.next });
}

function listTraces(
  c: ConsoleContext,
  own: OwnProject,
  { filter, order, own: isWithOwn, from: startTime }: Omit<TracesAsked, 'since'>,
  { page, wanted }: { page: string; wanted: number },
): Promise<ProjectList> {
  const query = {
    view: 'ROOTSPAN',
    orderBy: order === 'slowest' ? 'duration desc' : 'start desc',
    ...(filter === '' ? {} : { filter }),
    ...(startTime === '' ? {} : { startTime }),
  };
  return readList(c, own, {
    items: 'traces',
    from: page,
    wanted,
    ...(isWithOwn === '1' ? {} : { shows: (trace: JsonObject) => !isOwnView(trace) }),
    ask: (asked) => ({
      method: 'cloudtrace.v1.projects.traces.list',
      path: { projectId: own.project.slice('projects/'.length) },
      query: { ...query, ...asked },
    }),
  });
}

/** The longest of the last hour's traces. What is not sampled is not known. */
async function readSlowestSignal(c: ConsoleContext): Promise<Signal> {
  const own = await findConsoleProject(c);
  if (own === undefined) return NOT_STORED;
  const asked = { filter: '', order: 'slowest', own: '', from: formatBefore(c, HOUR_MS) } as const;
  const found = await listTraces(c, own, asked, { page: '', wanted: MAX_COMPARED });
  if (!found.ok) throw new Error('The traces refuse to be listed');
  const [slowest] = found.items.map(buildTraceLine);
  if (slowest === undefined)
    return { mood: 'idle', text: 'None', figure: '0', note: 'No request of others came in the last hour.' };
  return { mood: 'idle', text: 'Longest', figure: formatDuration(slowest.durationMs), note: slowest.name };
}

const NOT_STORED: Signal = {
  mood: 'idle',
  text: 'Not stored',
  figure: 'None',
  note: 'This deployment keeps no traces of its own.',
};

const TRACE_ID = /^[0-9a-f]{32}$/;

/** `/console/traces/{id}`: the spans of one trace as a waterfall. */
export const tracePage: ConsolePage = {
  path: `${TRACES_PATH}/:trace`,
  title: 'Trace',
  under: TRACES_PATH,
  show: showTrace,
};

async function showTrace(c: ConsoleContext) {
  const traceId = c.url.pathname.slice(`${TRACES_PATH}/`.length).toLowerCase();
  if (!TRACE_ID.test(traceId)) return NO_SUCH_TRACE;
  const own = await findConsoleProject(c);
  if (own === undefined) return NO_PROJECT;
  const projectId = own.project.slice('projects/'.length);
  const said = await askOwn(c, own, { method: 'cloudtrace.v1.projects.traces.get', path: { projectId, traceId } });
  if (!said.ok) return NO_SUCH_TRACE;
  const spans = readConsoleSpans(said.body);
  return traceView({
    name: `${own.project}/traces/${traceId}`,
    startTime: readTraceStart(said.body),
    spans: spans.length,
    failed: spans.filter(({ isFailed }) => isFailed).length,
    waterfall: layOutWaterfall(spans),
  });
}

const NO_SUCH_TRACE: NothingToShow = {
  status: 404,
  title: 'There is no such trace',
  detail: 'Traces are stored for 30 days, and not every request has one. Its log entries show the rest.',
};
