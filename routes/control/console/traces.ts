import { formatDuration } from '../../../src/web/console/search.tsx';
import { TRACES_PATH, type TracesAsked, renderTraces } from '../../../src/web/console/traces.tsx';
import type { OwnProject } from '../bindings/own-project.ts';
import type { ConsoleContext, ConsolePage, NothingToShow } from './console-request.ts';
import type { Tile } from '../../../src/web/console/overview.tsx';
import {
  isAboutPage,
  type ProjectList,
  NO_PROJECT,
  NO_SUCH_PAGE,
  findConsoleProject,
  readList,
  askOwn,
  formatHourAgo,
  readSearchStart,
} from './own-projects.ts';
import {
  buildTraceLine,
  type TraceLine,
  layOutWaterfall,
  readTraceStart,
  readConsoleSpans,
} from '../../../src/web/console/spans.ts';
import { traceView } from '../../../src/web/console/trace.tsx';

const PAGE = 50;
/** Traces that the overview looks at. */
const MAX_LOOKED_AT = 500;
/** An address has about this much room. */
const MAX_FILTER_CHARS = 2_000;

/** `/console/traces?filter=&since=&order=&page=`: what the service did, request by request. */
export const tracesPage: ConsolePage = {
  path: TRACES_PATH,
  title: 'Traces',
  show: showTraces,
  tile: buildSlowestTraceTile,
};

async function showTraces(c: ConsoleContext) {
  const { page, ...start } = readSearchStart(c);
  const { query } = c;
  const asked: TracesAsked = {
    filter: (query.get('filter') ?? '').slice(0, MAX_FILTER_CHARS + 1),
    order: query.get('order') === 'slowest' ? 'slowest' : 'newest',
    ...start,
  };
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
  { filter, order, from: startTime }: Omit<TracesAsked, 'since'>,
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
    ask: (asked) => ({
      method: 'cloudtrace.v1.projects.traces.list',
      path: { projectId: own.project.slice('projects/'.length) },
      query: { ...query, ...asked },
    }),
  });
}

/** The longest of the last hour's traces. What is not sampled is not known. */
async function buildSlowestTraceTile(c: ConsoleContext): Promise<Tile> {
  const title = 'Slowest route in the last hour';
  const own = await findConsoleProject(c);
  if (own === undefined) return { title, value: 'Not stored', note: 'This deployment keeps no traces of its own.' };
  const from = formatHourAgo(c);
  const found = await listTraces(c, own, { filter: '', order: 'newest', from }, { page: '', wanted: MAX_LOOKED_AT });
  if (!found.ok) throw new Error('The traces refuse to be listed');
  const traces = found.items.map(buildTraceLine);
  const slowest = traces.reduce<TraceLine | undefined>(
    (most, trace) => (most === undefined || trace.durationMs > most.durationMs ? trace : most),
    undefined,
  );
  const newest = found.next === undefined ? '' : 'the newest ';
  if (slowest === undefined) return { title, value: 'None', note: 'No trace began in the last hour.' };
  const note = `${slowest.name}, the longest of ${newest}${traces.length} traces.`;
  return { title, value: formatDuration(slowest.durationMs), note };
}

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
