import * as z from 'zod';
import { SINCE } from '../../../src/web/console/age.ts';
import { formatDuration } from '../../../src/web/console/search-parts.tsx';
import { TRACES_PATH, type TracesAsked, renderTraces } from '../../../src/web/console/traces.tsx';
import type { OwnProject } from '../bindings/own-project.ts';
import type { ConsoleContext, ConsolePage, Tile } from './console-request.ts';
import {
  isAboutPage,
  type ProjectList,
  NO_PROJECT,
  NO_SUCH_PAGE,
  findConsoleProject,
  readList,
} from './own-projects.ts';
import { buildTraceLine, type TraceLine } from '../../../src/web/console/spans.ts';

const PAGE = 50;
/** Traces that the overview looks at. */
const MAX_LOOKED_AT = 500;
/** An address has about this much room. */
const MAX_FILTER_CHARS = 2_000;
const MAX_PAGE_CHARS = 6_000;
const HOUR_MS = 3_600_000;

/** `/console/traces?filter=&since=&order=&page=`: what the service did, request by request. */
export const tracesPage: ConsolePage = { path: TRACES_PATH, title: 'Traces', show, tile: buildSlowestTraceTile };

async function show(c: ConsoleContext) {
  const page = (c.query.get('page') ?? '').slice(0, MAX_PAGE_CHARS);
  const asked = parseTraceFields(c, page === '' ? '' : (c.query.get('from') ?? ''));
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

const fromSchema = z.iso.datetime({ precision: 3 });

function parseTraceFields({ query, now }: ConsoleContext, from: string): TracesAsked {
  const since = SINCE.find(({ value }) => value === query.get('since'));
  const start = fromSchema.safeParse(from);
  return {
    filter: (query.get('filter') ?? '').slice(0, MAX_FILTER_CHARS + 1),
    since: since?.value ?? '',
    order: query.get('order') === 'slowest' ? 'slowest' : 'newest',
    from: since === undefined ? '' : start.success ? start.data : new Date(now() - since.ms).toISOString(),
  };
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
  if (own === undefined) return { title, value: 'Not kept', note: 'This deployment keeps no traces of its own.' };
  const from = new Date(c.now() - HOUR_MS).toISOString();
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
