import { privateKeyToAccount } from 'viem/accounts';
import * as z from 'zod';
import { buildProblemResponse } from '../src/problems/problem.ts';
import { isSameText, toHex, computeSha256Hex } from '../src/lib/digest.ts';
import { NONCE_FORM } from '../src/authorization/oauth/nonce.ts';
import { signInMessage, signInTerms } from '../src/authorization/people/siwe.ts';
import { findCapability } from '../src/capabilities/catalog.ts';
import { creditPacks } from '../src/capabilities/credit-packs.ts';
import { MAX_TIMEOUT_S, NETWORK, USDC_LOWER } from '../src/payment/terms/constants.ts';
import { accepted as acceptedSchema } from '../src/payment/rails/x402-message.ts';
import {
  buildAuthorization,
  buildAuthorizationTypedData,
  formatPaymentHeader,
} from '../src/web/islands/buying/payment-signing.ts';
import { formatPaidPath } from '../src/web/islands/buying/paid-path.ts';
import { buildTransferProofTypedData } from '../src/web/islands/buying/transfer-proof.ts';

export const DEMO_BUYER_PATH = '/local/demo-buyer';
/** Carries the token of this start. No page of another site can send it without asking first, which is not answered. */
const TOKEN_HEADER = 'x-demo-token';
/** An order of a page has at most 64 KiB. */
const MAX_BODY_CHARS = 131_072;

const settings = z.object({
  BASE_URL: z.string(),
  PAY_TO: z.string(),
  LOCAL_DEMO_BUYER_KEY: z.custom<`0x${string}`>((key) => typeof key === 'string' && /^0x[0-9a-f]{64}$/.test(key)),
  LOCAL_DEMO_BUYER_TOKEN: z.string().min(32),
});
type DemoBuyer = z.infer<typeof settings>;

const SECRET_PLACE = 'operator.secret in the file .local/stack.json, in the folder in which the stack was started';

/** What a page needs to have the demo buyer pay; undefined where the stack gave none. */
export function findDemoBuyer(env: Record<string, unknown>): { token: string; secretPlace: string } | undefined {
  const demo = settings.safeParse(env);
  return demo.success ? { token: demo.data.LOCAL_DEMO_BUYER_TOKEN, secretPlace: SECRET_PLACE } : undefined;
}

const order = z.strictObject({ capability: z.string(), accepted: acceptedSchema });
/** A nonce of the sign-in page: the text around it is made here, so that nothing else is ever signed. */
const signIn = z.strictObject({ sign_in: z.strictObject({ nonce: z.string().regex(NONCE_FORM) }) });
/** A transfer of the demo buyer, for one order: the text around it is made here too. */
const proving = z.strictObject({
  proof: z.strictObject({
    transaction: z.string().regex(/^0x[0-9a-f]{64}$/),
    capability: z.string(),
    body: z.string(),
    issued_at: z.int().min(0),
  }),
});

/**
 * `POST /local/demo-buyer`: signs terms of our own with the demo buyer's key and answers `{ payment_signature }`, proves
 * that a transfer is its own and answers `{ signature }`, or signs in and answers `{ message, signature }`, for pages of this stack only (rule F3): other sites' pages run in the same browser and could press the button too.
 */
export async function answerDemoBuyer(request: Request, env: Record<string, unknown>): Promise<Response> {
  const parsed = settings.safeParse(env);
  if (!parsed.success) return refuse(404, 'not_found', 'There is no demo buyer here');
  const demo = parsed.data;
  const stranger = await refuseStranger(request, demo);
  if (stranger) return stranger;
  const json = await readJson(request);
  const signingIn = signIn.safeParse(json);
  if (signingIn.success)
    return Response.json(await signInAs(demo, signingIn.data.sign_in.nonce), { headers: NO_STORE });
  const proven = proving.safeParse(json);
  if (proven.success)
    return Response.json({ signature: await signProof(demo, proven.data.proof) }, { headers: NO_STORE });
  const ordered = order.safeParse(json);
  if (!ordered.success)
    return refuse(422, 'invalid_body', 'The body is none of { capability, accepted }, { proof } and { sign_in }');
  const differs = findDifference(ordered.data, demo.PAY_TO);
  if (differs !== undefined) return refuse(403, 'terms_refused', `The demo buyer pays this stack only: ${differs}`);
  return Response.json({ payment_signature: await signPayment(ordered.data, demo) }, { headers: NO_STORE });
}

async function refuseStranger(request: Request, demo: DemoBuyer): Promise<Response | undefined> {
  const own = new URL(demo.BASE_URL);
  if (new URL(request.url).host !== own.host) return refuse(421, 'wrong_host', 'This host name is not served here');
  if (request.method !== 'POST') return refuse(405, 'method_not_allowed', 'Allowed here: POST', { allow: 'POST' });
  const origin = request.headers.get('origin');
  const isOwnPage =
    request.headers.get('sec-fetch-site') === 'same-origin' && (origin === null || origin === own.origin);
  if (!isOwnPage) return refuse(403, 'foreign_origin', 'Only pages of this service may send this');
  const given = request.headers.get(TOKEN_HEADER) ?? '';
  if (!isSameText(await computeSha256Hex(given), await computeSha256Hex(demo.LOCAL_DEMO_BUYER_TOKEN)))
    return refuse(403, 'wrong_token', 'The page is of another start of this stack: load it again');
  return undefined;
}

async function readJson(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text.length > MAX_BODY_CHARS) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // Not JSON: said to the caller.
  }
}

type Ordered = z.infer<typeof order>;

function findDifference({ capability, accepted }: Ordered, payTo: string): string | undefined {
  const row = findCapability(capability) ?? creditPacks.find(({ name }) => name === capability);
  if (!row) return 'no capability of this name';
  if (accepted.scheme !== 'exact' || accepted.network !== NETWORK) return 'scheme or network';
  if (accepted.asset !== USDC_LOWER) return 'asset';
  if (accepted.payTo !== payTo.toLowerCase()) return 'payee';
  if (!/^[1-9]\d{0,15}$/.test(accepted.amount) || Number(accepted.amount) > row.priceMicroUsdc) return 'amount';
  return accepted.maxTimeoutSeconds > 0 && accepted.maxTimeoutSeconds <= MAX_TIMEOUT_S ? undefined : 'time';
}

async function signPayment({ capability, accepted }: Ordered, demo: DemoBuyer): Promise<string> {
  const account = privateKeyToAccount(demo.LOCAL_DEMO_BUYER_KEY);
  const nowS = Math.floor(Date.now() / 1000);
  const authorization = buildAuthorization(accepted, account.address, nowS);
  const { domain, types, primaryType, message } = buildAuthorizationTypedData(authorization);
  const signature = await account.signTypedData({ domain, types, primaryType, message });
  const resource = { url: `${demo.BASE_URL}${formatPaidPath(capability)}` };
  return formatPaymentHeader({ resource, accepted, payload: { signature, authorization } });
}

type Proving = z.infer<typeof proving>['proof'];

async function signProof(demo: DemoBuyer, { transaction, capability, body, issued_at }: Proving): Promise<string> {
  const typed = await buildTransferProofTypedData({
    origin: new URL(demo.BASE_URL).origin,
    transaction,
    capability,
    bodyText: body,
    nowS: issued_at,
  });
  const { EIP712Domain: _own, ...types } = typed.types;
  return privateKeyToAccount(demo.LOCAL_DEMO_BUYER_KEY).signTypedData({ ...typed, types });
}

/** The message for this stack, at this moment, signed by the demo buyer. */
async function signInAs(demo: DemoBuyer, nonce: string): Promise<{ message: string; signature: string }> {
  const account = privateKeyToAccount(demo.LOCAL_DEMO_BUYER_KEY);
  const message = signInMessage(signInTerms(demo.BASE_URL), account.address, nonce, Date.now());
  return { message, signature: await account.signMessage({ message }) };
}

const NO_STORE = { 'cache-control': 'no-store' };
const REQUEST_ID_BYTES = 16;

/** Without CORS headers: no other page reads even the refusal. */
function refuse(status: number, code: string, title: string, headers: Record<string, string> = {}): Response {
  const requestId = toHex(crypto.getRandomValues(new Uint8Array(REQUEST_ID_BYTES)));
  return buildProblemResponse(requestId, '', { status, code, title, headers });
}
