import { refuseField } from '../../core/conventions/invalid.ts';

/** A span by its name: `project` is `projects/p`, ids are lower-case hexadecimal. */
export type SpanName = { project: string; traceId: string; spanId: string };

const NAME = /^(projects\/[^/]+)\/traces\/([^/]+)\/spans\/([^/]+)$/;
const TRACE_ID = /^[0-9a-f]{32}$/;
const SPAN_ID = /^[0-9a-f]{16}$/;

/** The id of a trace: 32 hexadecimal digits that are not all zero; undefined for any other text. */
export const parseTraceId = (text: string): string | undefined => parseHexId(text, TRACE_ID);
/** The id of a span: 16 hexadecimal digits that are not all zero; undefined for any other text. */
export const parseSpanId = (text: string): string | undefined => parseHexId(text, SPAN_ID);

/** `projects/p/traces/<32 hex>/spans/<16 hex>` in its parts. @throws Refusal for any other text */
export function splitSpanName(name: string, field: string): SpanName {
  const [, project, trace = '', span = ''] = NAME.exec(name) ?? [];
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
