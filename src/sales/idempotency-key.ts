import { IDEMPOTENCY_META } from '../mcp/payment-meta.ts';

export type IdempotencyKeyResult = { ok: true; key: string | undefined } | { ok: false; detail: string };

const KEY = /^[ -~]{1,255}$/;

/**
 * The client's name for a call, from `_meta` or the header, or from both when they say the same. A name that cannot be used
 * is refused and never left out: its client would be debited for each repeat.
 * @param header the value of `Idempotency-Key`: a quoted text as the draft has it, or the plain text that many clients send
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ section 2.1
 */
export function parseIdempotencyKey(
  meta: Readonly<Record<string, unknown>>,
  header: string | undefined,
): IdempotencyKeyResult {
  const inMeta = meta[IDEMPOTENCY_META];
  const inHeader = header === undefined ? undefined : unquoteText(header);
  if (inMeta !== undefined && !isKey(inMeta)) return { ok: false, detail: `in _meta["${IDEMPOTENCY_META}"]` };
  if (inHeader !== undefined && !isKey(inHeader)) return { ok: false, detail: 'in the header Idempotency-Key' };
  if (inMeta === undefined || inHeader === undefined || inMeta === inHeader)
    return { ok: true, key: inMeta ?? inHeader };
  return { ok: false, detail: `the header Idempotency-Key and _meta["${IDEMPOTENCY_META}"] differ` };
}

const isKey = (value: unknown): value is string => typeof value === 'string' && KEY.test(value);

/** A quoted text of a structured field has the value between its quotes (RFC 9651, section 3.3.3). */
function unquoteText(header: string): string {
  const isQuoted = header.length > 1 && header.startsWith('"') && header.endsWith('"');
  return isQuoted ? header.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : header;
}
