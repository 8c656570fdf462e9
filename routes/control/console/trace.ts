import { traceView } from '../../../src/web/console/trace.tsx';
import { TRACES_PATH } from '../../../src/web/console/traces.tsx';
import { layOutWaterfall, readTraceStart, readConsoleSpans } from '../../../src/web/console/spans.ts';
import type { ConsoleContext, ConsolePage, NothingToShow } from './console-request.ts';
import { askOwn, NO_PROJECT, findConsoleProject } from './own-projects.ts';

const TRACE_ID = /^[0-9a-f]{32}$/;

/** `/console/traces/{id}`: the spans of one trace as a waterfall. */
export const tracePage: ConsolePage = { path: `${TRACES_PATH}/:trace`, title: 'Trace', under: TRACES_PATH, show };

async function show(c: ConsoleContext) {
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
  detail: 'Traces are kept for thirty days, and not every request has one: its log entries tell the rest.',
};
