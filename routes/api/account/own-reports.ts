import type { Hono } from 'hono';
import { isNonceOf, makeNonce } from '../../../src/authorization/oauth/nonce.ts';
import { verifySignInSignature } from '../../../src/authorization/people/siwe.ts';
import {
  buildSiwxExtension,
  buildSiwxNonceScope,
  buildSiwxTerms,
  MAX_SIWX_CHARS,
  readSiwxProof,
  SIWX,
} from '../../../src/authorization/people/siwx.ts';
import { formatIsoTimestamp } from '../../../src/lib/time.ts';
import { ownReportsOperation } from '../../../src/openapi/own-reports-operation.ts';
import { decodeBase64Text } from '../../../src/payment/terms/bytes.ts';
import { formatUsdAmount } from '../../../src/payment/terms/constants.ts';
import { type ApiProblemCode, buildProblem, type ProblemDetails } from '../../../src/problems/codes.ts';
import { buildProblemBody } from '../../../src/problems/problem.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';
import { formatReportUrl } from '../../../src/results/links.ts';
import { getPaymentNetwork } from '../../../src/sales/seller.ts';
import { logLine } from '../../shared/telemetry.ts';
import { createContractAsker, PROOF_FAULTS, type ProofRefusal } from '../authorization/wallet-proof.ts';
import { getAuthorizationStore, getPeopleStore, getSealingKeys } from '../bindings/people-store.ts';
import { type AppContext, type AppEnv, type AppOptions, failWith } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { isPagePreferred } from '../pages/pages.ts';
import {
  describeBought,
  formatOlderPath,
  listBought,
  PAGE_REPORTS,
  readPlace,
  type ReportHolder,
  reportsSection,
} from './reports.ts';

/** A list is its wallet's alone (rule A6). */
const PRIVATE_LIST = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  vary: 'Accept, Sign-In-With-X',
} as const;

/**
 * `GET /reports`: the reports that a wallet bought, for who proves to hold it by `SIGN-IN-WITH-X`, an extension of x402. It
 * opens no session and adds nothing to any limit: each request needs a proof of its own. Browsers go on to the account.
 */
export function registerOwnReports(app: Hono<AppEnv>, options: AppOptions): void {
  app.on(ownReportsOperation.method, ownReportsOperation.route, guardFreeRoute, (c) => answerOwnReports(c, options));
}

async function answerOwnReports(c: AppContext, options: AppOptions): Promise<Response> {
  const proof = c.req.header(SIWX);
  if (proof === undefined && isPagePreferred(c)) {
    c.header('vary', 'Accept');
    return c.redirect(reportsSection.path, 303);
  }
  const proven = proof === undefined ? await askForProof(c, 'wallet_proof_needed') : await proveWallet(c, proof);
  return proven instanceof Response ? proven : listReports(c, options, proven.address);
}

const getTerms = (c: AppContext) => {
  const settings = c.get('settings');
  return buildSiwxTerms(settings.BASE_URL, ownReportsOperation.path, getPaymentNetwork(settings).chainId);
};

/**
 * The address that a proof is of (rule A3). Its nonce is used up before the signature is read, so that each try needs a
 * new one. A payment or a payer proof never passes: those are typed data (rule P10).
 */
async function proveWallet(c: AppContext, header: string): Promise<{ address: string } | Response> {
  const terms = getTerms(c);
  const refuse = (reason: ProofRefusal) => askForProof(c, 'wallet_proof_refused', { detail: PROOF_FAULTS[reason] });
  if (header.length > MAX_SIWX_CHARS) return refuse('malformed');
  const read = readSiwxProof(decodeBase64Text(header.trim()), terms, Date.now());
  if (!read.ok) return refuse(read.reason);
  const { address, message, nonce, signature } = read;
  if (!(await isNonceOf(await getSealingKeys(c.env), buildSiwxNonceScope(terms), nonce, Date.now())))
    return refuse('nonce_not_yours');
  const taken = await getPeopleStore(c).takeNonce(nonce, getCallerAddress(c.req.raw));
  if (!taken.ok)
    return taken.reason === 'used'
      ? refuse('nonce_not_yours')
      : failWith(c, buildProblem(taken.reason, { retryAfterS: taken.retryAfterS }));
  const verdict = await verifySignInSignature({ message, address, signature }, createContractAsker(c));
  if (verdict.ok) return { address: address.toLowerCase() };
  return 'retryAfterS' in verdict
    ? failWith(c, buildProblem(verdict.reason, { retryAfterS: verdict.retryAfterS }))
    : refuse(verdict.reason);
}

/**
 * 401 with a fresh challenge, where the extension of x402 has it. Not 402: that says that a new payment is the next step,
 * and clients would pay it (rule P13).
 */
async function askForProof(c: AppContext, code: ApiProblemCode, details?: ProblemDetails): Promise<Response> {
  const { BASE_URL } = c.get('settings');
  const problem = buildProblem(code, details);
  const requestId = c.get('requestId');
  logLine({ event: 'refused', request_id: requestId, status: problem.status, code });
  const terms = getTerms(c);
  const nowMs = Date.now();
  const { nonce } = await makeNonce(await getSealingKeys(c.env), buildSiwxNonceScope(terms), nowMs);
  const body = {
    ...buildProblemBody(requestId, BASE_URL, problem),
    x402Version: 2,
    resource: { url: terms.uri },
    accepts: [],
    extensions: { [SIWX]: buildSiwxExtension(terms, nonce, nowMs) },
  };
  return new Response(JSON.stringify(body), {
    status: problem.status,
    headers: {
      ...PRIVATE_LIST,
      'content-type': 'application/problem+json',
      'www-authenticate': `Sign-In-With-X realm="${terms.uri}"`,
    },
  });
}

async function listReports(c: AppContext, options: AppOptions, address: string): Promise<Response> {
  const holder = { c, options, session: { addresses: [address], accountId: await findAccount(c, address) } };
  const found = await listBought(holder, { after: readPlace(holder), limit: PAGE_REPORTS + 1 });
  if (found === undefined) return failWith(c, buildProblem('ledger_unavailable'));
  const { BASE_URL } = c.get('settings');
  const older = formatOlderPath(found, ownReportsOperation.path);
  const reports = await Promise.all(
    found.slice(0, PAGE_REPORTS).map((report) => describeOwn(holder, report, BASE_URL)),
  );
  return c.json({ address, reports, next: older === undefined ? null : `${BASE_URL}${older}` }, 200, PRIVATE_LIST);
}

/** The account of an address, where it has one with credits; none is made by looking. */
async function findAccount(c: AppContext, address: string): Promise<string | undefined> {
  const { payers } = await getAuthorizationStore(c.env).listPayers({ addresses: [address] });
  return payers[0]?.id;
}

async function describeOwn(holder: ReportHolder, report: Parameters<typeof describeBought>[1], baseUrl: string) {
  const { reportId, capability, site, amountMicroUsd, by, method, atMs, readableUntilMs } = await describeBought(
    holder,
    report,
  );
  return {
    report_id: reportId,
    report_url: formatReportUrl({ baseUrl, reportId }),
    capability,
    site: site ?? null,
    price_usd: formatUsdAmount(amountMicroUsd),
    paid_by: by,
    method: method ?? null,
    bought_at: formatIsoTimestamp(atMs),
    readable_until: readableUntilMs === undefined ? null : formatIsoTimestamp(readableUntilMs),
  };
}
