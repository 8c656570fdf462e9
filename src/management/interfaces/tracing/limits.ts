/** Limits of tracing: those of a span are the vendor's (documentation of cloudtrace v2; docs/trace/quotas). */
export const SPAN_LIMITS = {
  displayNameBytes: 128,
  attributes: 32,
  attributeKeyBytes: 128,
  attributeValueBytes: 256,
  annotations: 32,
  annotationAttributes: 4,
  annotationBytes: 256,
  messageEvents: 128,
  links: 128,
  linkAttributes: 32,
  frames: 128,
  functionNameBytes: 1_024,
  fileNameBytes: 256,
  moduleBytes: 256,
  buildIdBytes: 128,
  sourceVersionBytes: 128,
  /** v1 only: labels are longer there. */
  labelValueBytes: 16_384,
} as const;

/** Spans of one `batchWrite`, and of all traces of one `patchTraces`. The vendor takes 25,000; a body is 4 MiB here. */
export const MAX_SPANS_A_CALL = 2_000;
/** Of one span as it is kept, in characters of JSON: a row is read with others. */
export const MAX_STORED_SPAN_CHARS = 262_144;
/** Of one trace: as many as the vendor shows of one. */
export const MAX_SPANS_A_TRACE = 1_000;
/** Of all spans of one trace, in characters of JSON: a trace is answered whole. */
export const MAX_TRACE_CHARS = 8_388_608;
/** Spans are kept so long after they were received. */
export const SPAN_RETENTION_MS = 30 * 86_400_000;
