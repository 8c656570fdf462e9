import { getMember, isObject } from '../lib/json.ts';
import { computeResultSha256, RESULT_CLAIMS, type ResultClaims, UNSIGNED } from './result-statement.ts';
import { RECEIPT_CLAIMS } from './purchase-receipt.ts';
import { readKeySet } from './key-set.ts';
import { type ClaimsFault, readSigned, type SignedClaims, type StatementType, verifyClaims } from './signed-claims.ts';

/** What is compared, each for itself: a reader sees which of them failed. */
export const verifiedParts = ['issuer', 'signature', 'report', 'result', 'snapshot', 'receipt', 'payment'] as const;
export type VerifiedPart = (typeof verifiedParts)[number];

/** `ok` is null where nothing says whether it holds: it was not checked. */
export type VerifiedLine = { part: VerifiedPart; ok: boolean | null; detail: string };

/** What a file was read as: nothing else in it was looked at. */
export type VerifiedSubject = 'report' | 'delivery_figures';

/** Why a file says nothing that could be checked. */
export type UnverifiableReason = 'no_report' | 'no_whole_report' | 'two_in_one' | 'unsigned' | 'no_key_set';

export type ReportVerification =
  | { kind: 'unverifiable'; reason: UnverifiableReason; detail: string }
  | {
      kind: 'judged';
      /** No line that was checked fails. It is as good as the reader's trust in where the key set came from. */
      ok: boolean;
      subject: VerifiedSubject;
      type: StatementType;
      /** As the file says: to be believed only if `ok`. */
      issuer: string;
      /** Thumbprint of the key that the signature names. */
      kid: string | undefined;
      claims: Readonly<Record<string, unknown>>;
      lines: readonly VerifiedLine[];
    };

/** What a reader has, and whom the reader expects. Nothing else is read, and nothing is fetched. */
export type VerifyRequest = {
  /** The parsed report, a buyer's answer, or the delivery figures of a service. */
  report: unknown;
  /** The text of the key set that the reader trusts to be the issuer's. */
  keySet: string;
  /** Origin of the issuer. */
  issuer: string;
  /** SHA-256 of the snapshot's bytes, where the reader has it. */
  snapshotSha256?: string | undefined;
};

/** Checks what a service signed against keys that the reader brings. */
export async function verifyReport(request: VerifyRequest): Promise<ReportVerification> {
  const { report } = request;
  if (!isObject(report)) return refuse('no_report', 'The file is no JSON object.');
  const figures = readSigned(report, ['issuer']);
  // A signature over `claims` says nothing about what is beside them.
  if (figures !== undefined && Object.keys(report).length > FIGURES_MEMBERS)
    return refuse(
      'two_in_one',
      'The file has the members of delivery figures, claims and jws, and others beside them. No service writes such a file: do not rely on it.',
    );
  if (figures !== undefined) return verifyFigures(figures, request);
  if (getMember(report, 'view') !== undefined)
    return refuse(
      'no_whole_report',
      'The file is a view of a report. Its statement is over the whole: read it with ?view=full.',
    );
  const statement = getMember(report, 'statement');
  if (statement === undefined && getMember(report, 'report_id') === undefined)
    return refuse('no_report', 'The file is no report of a service: it has no report_id.');
  if (statement === undefined || statement === UNSIGNED)
    return refuse(
      'unsigned',
      'The report is unsigned: its service had no key when it stored it, or the statement was taken out.',
    );
  const signed = readSigned(statement, RESULT_CLAIMS);
  return signed === undefined
    ? refuse('no_report', 'The statement of the report has not the form that this version reads.')
    : verifyResult(signed, report, request);
}

const refuse = (reason: UnverifiableReason, detail: string): ReportVerification => ({
  kind: 'unverifiable',
  reason,
  detail,
});
/** `claims` and `jws`, and no other. */
const FIGURES_MEMBERS = 2;
const NO_KEY_SET = refuse('no_key_set', 'The key set is no JSON with a list of keys.');

async function verifyResult(
  { claims, jws }: SignedClaims<ResultClaims>,
  report: Readonly<Record<string, unknown>>,
  request: VerifyRequest,
): Promise<ReportVerification> {
  const keys = await readKeySet(request.keySet, 'result-statement');
  if (keys === undefined) return NO_KEY_SET;
  const signature = await verifyClaims({ claims, jws }, 'result-statement', keys);
  const sameReport = report['report_id'] === claims.report_id && report['capability'] === claims.capability;
  const hash = await computeResultSha256(report);
  const lines = [
    judgeIssuer(claims.issuer, request.issuer),
    judgeSignature(signature),
    { part: 'report', ok: sameReport, detail: sameReport ? claims.report_id : 'The statement is of another report.' },
    {
      part: 'result',
      ok: hash === claims.result_sha256,
      detail: hash === claims.result_sha256 ? hash : 'The result was changed after it was signed.',
    },
    ...judgeSnapshot(claims, request.snapshotSha256),
    ...(await judgeReceipt(claims, report, request)),
  ] as const satisfies readonly VerifiedLine[];
  return judge({ subject: 'report', type: 'result-statement', claims, kid: signature.kid, lines });
}

async function verifyFigures({ claims, jws }: SignedClaims, request: VerifyRequest): Promise<ReportVerification> {
  const keys = await readKeySet(request.keySet, 'delivery-summary');
  if (keys === undefined) return NO_KEY_SET;
  const signature = await verifyClaims({ claims, jws }, 'delivery-summary', keys);
  const lines = [
    judgeIssuer(String(claims['issuer']), request.issuer),
    judgeSignature(signature),
    ...judgeSnapshot({}, request.snapshotSha256),
  ];
  return judge({ subject: 'delivery_figures', type: 'delivery-summary', claims, kid: signature.kid, lines });
}

function judge(found: {
  subject: VerifiedSubject;
  type: StatementType;
  claims: Readonly<Record<string, unknown>>;
  kid: string | undefined;
  lines: readonly VerifiedLine[];
}): ReportVerification {
  const issuer = String(found.claims['issuer']);
  return { kind: 'judged', ok: found.lines.every(({ ok }) => ok !== false), issuer, ...found };
}

const judgeIssuer = (said: string, expected: string): VerifiedLine => ({
  part: 'issuer',
  ok: said === expected,
  detail: said === expected ? said : `The statement names ${said}, not ${expected}.`,
});

const FAULTS: Readonly<Record<ClaimsFault, string>> = {
  malformed: 'The signature is no detached JWS.',
  wrong_type: 'The signature is of something else.',
  unknown_key: 'The key set has no such key for it. Keys of a report itself prove nothing.',
  bad_signature: 'The signature does not fit: what it signs was changed, or another key made it.',
};

const judgeSignature = (found: Awaited<ReturnType<typeof verifyClaims>>): VerifiedLine => ({
  part: 'signature',
  ok: found.ok,
  detail: found.ok ? `By key ${found.kid}.` : FAULTS[found.fault],
});

function judgeSnapshot(
  { snapshot_sha256: stated }: Pick<ResultClaims, 'snapshot_sha256'>,
  given: string | undefined,
): readonly VerifiedLine[] {
  if (given === undefined) return [];
  if (stated === undefined)
    return [{ part: 'snapshot', ok: false, detail: 'What was signed names no snapshot: it was not made from one.' }];
  const ok = stated === given;
  return [
    { part: 'snapshot', ok, detail: ok ? given : 'The result was not made from this snapshot, or it was changed.' },
  ];
}

/** Of a buyer's answer: its receipt is by the same keys and of the same result, and names the payment beside it. */
async function judgeReceipt(
  statement: ResultClaims,
  { receipt, payment }: Readonly<Record<string, unknown>>,
  { keySet }: VerifyRequest,
): Promise<readonly VerifiedLine[]> {
  const uncheck = (why: string): readonly VerifiedLine[] =>
    payment === undefined ? [] : [{ part: 'payment', ok: null, detail: `Not checked: ${why}.` }];
  if (receipt === undefined || receipt === UNSIGNED) return uncheck('there is no receipt');
  const found = await readReceipt(receipt, statement, keySet);
  if (!found.ok) return [{ part: 'receipt', ok: false, detail: found.detail }, ...uncheck('the receipt does not hold')];
  const { claims } = found;
  const detail = `${claims.amount_usd} USD by ${claims.rail}, ${claims.paid_at}.`;
  return [
    { part: 'receipt', ok: true, detail },
    ...(payment === undefined ? [] : [{ part: 'payment' as const, ...comparePayment(payment, claims) }]),
  ];
}

type FoundReceipt =
  | { ok: true; claims: SignedClaims<Record<(typeof RECEIPT_CLAIMS)[number], string>>['claims'] }
  | { ok: false; detail: string };

async function readReceipt(receipt: unknown, statement: ResultClaims, keySet: string): Promise<FoundReceipt> {
  const signed = readSigned(receipt, RECEIPT_CLAIMS);
  if (signed === undefined) return { ok: false, detail: 'The receipt has not the form that this version reads.' };
  const { claims } = signed;
  const keys = (await readKeySet(keySet, 'purchase-receipt')) ?? new Map<string, never>();
  const signature = await verifyClaims(signed, 'purchase-receipt', keys);
  if (!signature.ok) return { ok: false, detail: FAULTS[signature.fault] };
  return Object.entries(statement).every(([name, value]) => claims[name] === value)
    ? { ok: true, claims }
    : { ok: false, detail: 'The receipt is of another result.' };
}

/** Members of `payment` and the claims of a receipt that say the same. */
const SIGNED_MEMBERS = {
  amount: 'amount',
  amount_usd: 'amount_usd',
  transaction: 'transaction',
  network: 'network',
  payer: 'payer',
  settled_at: 'paid_at',
} as const;

/** What a buyer reads as `method`, where the rail of the ledger has another name. */
const METHODS: Readonly<Record<string, string>> = { 'x402-evm': 'x402', 'x402-svm': 'x402' };

/** Names that are listed of members without a signature, and their length: the file is foreign. */
const MAX_NAMES = 5;
const MAX_NAME_CHARS = 40;

/** Whether a payment is the one that a receipt names, member by member. A signature covers claims of the receipt alone. */
function comparePayment(
  payment: unknown,
  claims: Readonly<Record<string, unknown>>,
): Pick<VerifiedLine, 'ok' | 'detail'> {
  if (!isObject(payment)) return { ok: false, detail: 'The payment beside the receipt is no JSON object.' };
  const rail = String(claims['rail']);
  const names = Object.entries(SIGNED_MEMBERS).filter(([name, claim]) => {
    const said = getMember(payment, name);
    if (name === 'settled_at' && said === undefined) return false; // A payment by credits says no time.
    return said !== claims[claim];
  });
  const isByRail = getMember(payment, 'method') === (METHODS[rail] ?? rail);
  const changed = [...(isByRail ? [] : ['method']), ...names.map(([name]) => name)];
  if (changed.length > 0)
    return { ok: false, detail: `The payment is not the one that the receipt names: ${changed.join(', ')}.` };
  const unsigned = Object.keys(payment).filter((name) => name !== 'method' && !Object.hasOwn(SIGNED_MEMBERS, name));
  const shown = unsigned.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_CHARS));
  const detail = 'The payment is the one that the receipt names.';
  return { ok: true, detail: shown.length === 0 ? detail : `${detail} Not signed: ${shown.join(', ')}.` };
}
