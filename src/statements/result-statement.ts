import { computeSha256Hex } from '../lib/digest.ts';
import { formatJcs } from '../lib/jcs.ts';
import { getTextMember, isObject, parseJson } from '../lib/json.ts';
import { formatIsoTimestamp } from '../lib/time.ts';
import { readSigned, signClaims, type SignedClaims } from './signed-claims.ts';
import type { ResultSigner } from './signing-key.ts';

/** In the place of a statement, where a service has no key, or had none when it stored the result. */
export const UNSIGNED = 'unsigned';

/**
 * What the service says of a result. All are texts of ASCII, so that a sorted JSON of them is canonical in any language. A
 * claim of a later version is kept, since it is signed too.
 */
export type ResultClaims = Readonly<Record<string, unknown>> & {
  issuer: string;
  report_id: string;
  capability: string;
  rubric_version?: string;
  rubric_sha256?: string;
  /** Absent where nothing was recorded. */
  snapshot_sha256?: string;
  result_sha256: string;
  issued_at: string;
};

/** Claims that every statement has. */
export const RESULT_CLAIMS = ['issuer', 'report_id', 'capability', 'result_sha256', 'issued_at'] as const;

/** Members of a result that are not hashed: what signs it, and what is for its buyer or added where it is read. */
export const UNHASHED_MEMBERS: readonly string[] = ['statement', 'receipt', 'payment', 'publish_token', 'report_url'];

/** SHA-256 of the canonical JSON of a result without those members. */
export const computeResultSha256 = (result: Readonly<Record<string, unknown>>): Promise<string> =>
  computeSha256Hex(formatJcs(selectHashedMembers(result)));

export const selectHashedMembers = (result: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(result).filter(([name]) => !UNHASHED_MEMBERS.includes(name)));

/** What of a statement is not in the result. */
export type StatementFacts = {
  reportId: string;
  capability: string;
  snapshotSha256?: string | undefined;
  issuedAtMs: number;
};

/**
 * A result as it is stored, with its statement as last member.
 * @param json the text of a result without a statement
 * @param signer undefined: the result says that it is unsigned
 */
export async function addStatement(
  json: string,
  facts: StatementFacts,
  signer: ResultSigner | undefined,
): Promise<string> {
  const statement = signer === undefined ? UNSIGNED : await signResult(JSON.parse(json) as Result, facts, signer); // Our own text.
  return appendStatement(json, statement);
}

const appendStatement = (json: string, statement: object | string): string =>
  `${json.slice(0, -1)}${STATEMENT}${JSON.stringify(statement)}}`;

type Result = Readonly<Record<string, unknown>>;

async function signResult(
  result: Result,
  { reportId, capability, snapshotSha256, issuedAtMs }: StatementFacts,
  { issuer, key }: ResultSigner,
): Promise<SignedClaims<ResultClaims>> {
  const { rubric } = result;
  const claims = {
    issuer,
    report_id: reportId,
    capability,
    ...(isObject(rubric)
      ? { rubric_version: getTextMember(rubric, 'version'), rubric_sha256: getTextMember(rubric, 'sha256') }
      : {}),
    ...(snapshotSha256 === undefined ? {} : { snapshot_sha256: snapshotSha256 }),
    result_sha256: await computeResultSha256(result),
    issued_at: formatIsoTimestamp(issuedAtMs),
  };
  return signClaims(claims, 'result-statement', key);
}

/** Between the last member of a result and its statement. A quote inside of a text has a backslash before it. */
const STATEMENT = ',"statement":';

/** The statement at the end of a stored text, without reading all of it; undefined where it has none. */
export function readStatement(json: string): SignedClaims<ResultClaims> | undefined {
  const at = findStatement(json);
  return at === undefined ? undefined : readSigned(parseJson(json.slice(at + STATEMENT.length, -1)), RESULT_CLAIMS);
}

/** A stored text of a time when none had a statement says so. */
export const markUnsigned = (json: string): string =>
  json === '{}' || findStatement(json) !== undefined ? json : appendStatement(json, UNSIGNED);

/** Where the statement begins: it is the last member, and has no member of this name. */
function findStatement(json: string): number | undefined {
  const at = json.lastIndexOf(STATEMENT);
  if (at === -1) return undefined;
  const rest = json.slice(at + STATEMENT.length);
  return rest === `"${UNSIGNED}"}` || rest.startsWith('{"claims":{') ? at : undefined;
}
