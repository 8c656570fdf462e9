import { DAY_MS } from '../../../lib/time.ts';
import { requireNamedRow, type CollectionDefinition } from '../../core/engine/named-collection.ts';
import { refuseField } from '../../core/conventions/invalid.ts';
import type { Call, Context } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../lib/json.ts';

/** Of one trace: as many as the vendor shows of one. */
export const MAX_SPANS_A_TRACE = 1_000;
/** Of all spans of one trace, in characters of JSON: a trace is answered whole. */
export const MAX_TRACE_CHARS = 8_388_608;
/** Spans are kept so long after they were received. */
export const SPAN_RETENTION_MS = 30 * DAY_MS;

/** A span by its name: `project` is `projects/p`, ids are lower-case hexadecimal. */
export type SpanName = { project: string; traceId: string; spanId: string };

const SPAN_NAME = /^(projects\/[^/]+)\/traces\/([^/]+)\/spans\/([^/]+)$/;
const TRACE_ID = /^[0-9a-f]{32}$/;
const SPAN_ID = /^[0-9a-f]{16}$/;

/** The id of a trace: 32 hexadecimal digits that are not all zero; undefined for any other text. */
export const parseTraceId = (text: string): string | undefined => parseHexId(text, TRACE_ID);
/** The id of a span: 16 hexadecimal digits that are not all zero; undefined for any other text. */
export const parseSpanId = (text: string): string | undefined => parseHexId(text, SPAN_ID);

/** `projects/p/traces/<32 hex>/spans/<16 hex>` in its parts. @throws Refusal for any other text */
export function splitSpanName(name: string, field: string): SpanName {
  const [, project, trace = '', span = ''] = SPAN_NAME.exec(name) ?? [];
  const [traceId, spanId] = [parseTraceId(trace), parseSpanId(span)];
  if (project === undefined || traceId === undefined || spanId === undefined)
    throw refuseField(
      field,
      'must be projects/[PROJECT_ID]/traces/[TRACE_ID]/spans/[SPAN_ID] with 32 and 16 hexadecimal digits that are not all zero',
    );
  return { project, traceId, spanId };
}

export const formatSpanName = ({ project, traceId, spanId }: SpanName): string =>
  `${project}/traces/${traceId}/spans/${spanId}`;

function parseHexId(text: string, form: RegExp): string | undefined {
  const id = text.toLowerCase();
  return form.test(id) && /[^0]/.test(id) ? id : undefined;
}

/** Trace sinks of one project. */
export const MAX_SINKS = 100;

/** Sinks in the store: parent = `projects/p`, id = the sink's id; the body is without its name. */
export const TRACE_SINKS = 'tracing.sinks';

const ACCOUNT_BYTES = 4;

export const traceSinks: CollectionDefinition = {
  name: TRACE_SINKS,
  schema: 'TraceSink',
  items: 'sinks',
  page: { default: 100, max: 1_000 },
  view: ({ parent, id, body }) => ({ name: `${parent}/traceSinks/${id}`, ...body }),
};

/** The sink that the path names. @throws Refusal 404 */
export const requireSinkRow = ({ path }: Call, context: Context): ResourceRow =>
  requireNamedRow(traceSinks, path['name'] ?? '', context);

export const toTraceSinkResource = (row: ResourceRow, call: Call, context: Context): JsonObject =>
  traceSinks.view(row, call, context);

/** The account that would write to a sink's destination, as the vendor's look. */
export function generateSinkAccount({ random }: Context): string {
  const digits = (): string => String(Number.parseInt(random(ACCOUNT_BYTES), 16)).padStart(10, '0');
  return `service-${digits()}@${digits()}.iam.gserviceaccount.com`;
}
