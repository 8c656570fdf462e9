import { listBareTargets, TARGET_FIELDS } from '../capabilities/bodies.ts';
import { parseBody } from '../capabilities/parse-body.ts';
import type { SoldRow } from '../capabilities/credit-packs.ts';
import { type ApiProblemCode, buildProblem, type ProblemDetails } from '../problems/codes.ts';
import { formatCanonicalJson, formatJsonPointer } from '../lib/json.ts';
import { canonicaliseHref } from '../net/canonical-url.ts';
import { toHex, computeSha256Hex } from '../lib/digest.ts';
import { readBodyBytes, parseJsonBody, readMediaType } from '../net/request-body.ts';
import { describeBodyLimit } from '../problems/common.ts';
import type { ProblemInput } from '../problems/problem.ts';
import { IDEMPOTENCY_META } from '../mcp/payment-meta.ts';
import { parsePayerProof, PAYER_PROOF_HEADER } from '../payment/rails/payer-proof-header.ts';
import type { PresentedProof } from '../payment/rails/transfer/credential.ts';

/** Largest request body of a paid route, in bytes. */
export const MAX_ORDER_BODY_BYTES = 64 * 1024;

/** What the buyer asks for: the row and the parsed input. */
export type OrderInput<Row = SoldRow> = {
  row: Row;
  input: Record<string, unknown>;
  /** SHA-256 (hex) over capability and canonical parsed input: the same for HTTP and MCP (rule P23). */
  fingerprint: string;
  /** The same over the URLs as they were written, where that differs: what sales of earlier versions are kept under. */
  writtenFingerprint?: string;
  /** URLs of the input that came without a scheme: how they are reached differs, what was bought does not. */
  bareTargets?: readonly string[];
};

/** The same with the hashes that bind a payment to exactly this request. */
export type PurchaseOrder = OrderInput & {
  /** SHA-256 (hex) of the exact body bytes: what a payer proof signs. */
  bodySha256: string;
  /** SHA-256 (hex) of the exact credential header. */
  credentialSha256: string;
  /** What `Idempotency-Key` is to the ledger: a name of one purchase, like a payment-identifier. */
  keyIdentifier?: string;
  /** What proves the payer of a signed payment beside it, and whether that was found good. */
  payerProof?: PresentedProof;
  isPayerProven?: true;
};

export type OrderOutcome = { ok: true; order: PurchaseOrder } | OrderRefusal;
type OrderRefusal = { ok: false; problem: ProblemInput };

/** Reads and validates the body of a paid request. Nothing is claimed or charged for a body that does not parse. */
export async function readOrder(request: Request, row: SoldRow, credential: string): Promise<OrderOutcome> {
  const isJson = readMediaType(request) === 'application/json';
  const wrongType = refuse('unsupported_media_type', { detail: 'Send the body as application/json' });
  if (!isJson && !row.bodyOptional) return wrongType;
  const bytes = await readBodyBytes(request, MAX_ORDER_BODY_BYTES);
  if (!bytes) return refuse('body_too_large', { detail: describeBodyLimit(MAX_ORDER_BODY_BYTES) });
  const isLeftOut = row.bodyOptional === true && bytes.byteLength === 0;
  if (!isJson && !isLeftOut) return wrongType;
  const json = isLeftOut ? ({ ok: true, value: {} } as const) : parseJsonBody(bytes);
  if (!json.ok) return refuse('invalid_json');
  const named = parseIdempotencyKey({}, request.headers.get('idempotency-key') ?? undefined);
  if (!named.ok) return refuse('idempotency_key_invalid', { detail: named.detail });
  const proof = readPayerProof(request);
  if (!proof.ok) return refuse('payer_proof_invalid', { detail: proof.detail });
  const [asked, bodySha256, credentialSha256] = await Promise.all([
    readOrderInput(row, json.value),
    hashBytes(bytes),
    computeSha256Hex(credential),
  ]);
  if (!asked.ok) return asked;
  const name = named.key === undefined ? {} : { keyIdentifier: await formatKeyIdentifier(named.key) };
  return { ok: true, order: { ...asked.asked, bodySha256, credentialSha256, ...name, ...proof.given } };
}

function readPayerProof(
  request: Request,
): { ok: true; given: { payerProof?: PresentedProof } } | { ok: false; detail: string } {
  const text = request.headers.get(PAYER_PROOF_HEADER);
  if (text === null) return { ok: true, given: {} };
  const parsed = parsePayerProof(text);
  return parsed.ok ? { ok: true, given: { payerProof: parsed.proof } } : parsed;
}

/** No payment-identifier holds a colon: the two never name each other's purchases. */
const formatKeyIdentifier = async (key: string): Promise<string> => `idempotency-key:${await computeSha256Hex(key)}`;

/** Validates what a call asks of a row, whichever way it came; the fingerprint is the same for the same request. */
export async function readOrderInput<Row extends SoldRow>(
  row: Row,
  value: unknown,
): Promise<{ ok: true; asked: OrderInput<Row> } | OrderRefusal> {
  const parsed = parseBody(row, value);
  if (!parsed.ok) {
    const errors = parsed.issues.map(({ path, message }) => ({ pointer: formatJsonPointer(path), message }));
    return refuse('invalid_body', { errors });
  }
  const { input, body } = parsed;
  const refused = await row.refuse?.(input);
  if (refused) return refuse(refused.code, { errors: refused.errors });
  const [asFetched, asWritten] = [formatOrderText(row, normaliseInput(input)), formatOrderText(row, input)];
  const fingerprint = await computeSha256Hex(asFetched);
  const writtenFingerprint = asWritten === asFetched ? {} : { writtenFingerprint: await computeSha256Hex(asWritten) };
  const bare = listBareTargets(body);
  const bareTargets = bare.length === 0 ? {} : { bareTargets: bare };
  return { ok: true, asked: { row, input, fingerprint, ...writtenFingerprint, ...bareTargets } };
}

const formatOrderText = (row: SoldRow, input: Record<string, unknown>): string =>
  `${row.name}\n${formatCanonicalJson(input)}`;

/** The input with its URLs as they are fetched: `http://host`, `http://host/` and `http://host/#x` are one request. */
export function normaliseInput(input: Record<string, unknown>): Record<string, unknown> {
  const named = TARGET_FIELDS.flatMap((field) => {
    const value = input[field];
    return typeof value === 'string' ? [[field, canonicaliseHref(value)] as const] : [];
  });
  return { ...input, ...Object.fromEntries(named) };
}

const refuse = (code: ApiProblemCode, details?: ProblemDetails): OrderRefusal => ({
  ok: false,
  problem: buildProblem(code, details),
});

/** The part of a claim that finds the sales of earlier versions. */
export const selectWrittenFingerprint = ({
  writtenFingerprint,
}: OrderInput<unknown>): { writtenFingerprint?: string } =>
  writtenFingerprint === undefined ? {} : { writtenFingerprint };

const hashBytes = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));

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
