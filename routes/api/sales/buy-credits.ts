import type { Hono } from 'hono';
import * as z from 'zod';
import { findCapability } from '../../../src/capabilities/catalog.ts';
import { findPanel } from '../../../src/capabilities/panels.ts';
import { VERSION_1_HEADER } from '../../../src/mcp/payment-meta.ts';
import { isOurVia } from '../../../src/net/guarded-fetch.ts';
import { parseJsonBody, readBodyBytes, readMediaType } from '../../../src/net/request-body.ts';
import { findPresented } from '../../../src/payment/rails/presented.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { describeBodyLimit } from '../../../src/problems/common.ts';
import { buildProblemBody } from '../../../src/problems/problem.ts';
import type { PurchaseAnswer } from '../../../src/sales/answer.ts';
import { sellToCredits } from '../../../src/sales/credit-sale.ts';
import { runOrUnavailable } from '../../../src/sales/ledger-client.ts';
import { MAX_ORDER_BODY_BYTES, parseIdempotencyKey } from '../../../src/sales/read-order.ts';
import { isSameOrigin, buildBrowserSession, findBrowserSession, hasFormToken } from '../../shared/cookies.ts';
import { logLine } from '../../shared/telemetry.ts';
import { buildRequestScope, createSalesPorts } from '../bindings/composition.ts';
import { createCreditAccounts } from '../bindings/credit-account.ts';
import { getPeopleStore } from '../bindings/people-store.ts';
import { type AppContext, type AppEnv, type AppOptions, fail, failWith } from '../context.ts';
import { buildTooManyPaidProblem, countPaidRequest, guardFreeRoute } from '../free-guard.ts';
import { requireOwnPagePost } from '../pages/pages.ts';
import { streamPurchase } from './paid.ts';

/** Where a browser that is signed in buys from its account's prepaid credits. */
const PATH = '/buy/credits';

/**
 * What our own pages are to an account, beside the clients that its owner has allowed. They have no limit a day: the owner
 * presses each button, and nothing else can send what the session's token vouches for.
 */
export const OWN_PAGES = { clientId: 'sightline:pages', capMicroUsdc: Number.MAX_SAFE_INTEGER } as const;

/** `account`: for whom the page was made; another that has signed in since does not pay. */
const orderSchema = z.strictObject({ capability: z.string(), account: z.string(), body: z.unknown() });

/** Around the body of an order: its capability, its account. */
const MAX_BODY_BYTES = MAX_ORDER_BODY_BYTES + 1_024;

/**
 * `GET /buy/credits`: who is signed in, what the account can spend, and the token that a purchase carries. `POST`: one call on
 * those credits, sold as an MCP client's call is (rule P6). The `Idempotency-Key` names the purchase: a page that is loaded again,
 * or open twice, is debited once.
 */
export function registerBuyCreditRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.use('/buy/*', guardFreeRoute, requireOwnPagePost);
  app.get(PATH, (c) => showCredits(c, options));
  app.post(PATH, (c) => buyFromCredits(c, options));
}

type SignedIn = { csrf: string; accountId: string };

async function findSignedIn(c: AppContext, options: AppOptions): Promise<SignedIn | undefined> {
  const value = findBrowserSession(c, options);
  if (value === undefined) return undefined;
  const browser = await buildBrowserSession(value);
  const access = await getPeopleStore(c).clientAccess(browser.hash);
  return access === undefined ? undefined : { csrf: browser.csrf, accountId: access.session.accountId };
}

async function showCredits(c: AppContext, options: AppOptions): Promise<Response> {
  const signedIn = await findSignedIn(c, options);
  if (signedIn === undefined) return fail(c, 'sign_in_needed');
  const { accountId: account, csrf } = signedIn;
  // Undefined when the account's object cannot be reached, which is logged.
  const balance = await runOrUnavailable(
    async () => (await createCreditAccounts(c.env, logLine).open(account).view()).balanceMicroUsdc,
    undefined,
  );
  const shown = { account, csrf, ...(balance === undefined ? {} : { balance_micro_usd: balance }) };
  return c.json(shown, 200, { 'cache-control': 'no-store' });
}

async function buyFromCredits(c: AppContext, options: AppOptions): Promise<Response> {
  if (!isSameOrigin(c.req.raw, c.get('settings').BASE_URL)) return fail(c, 'foreign_origin');
  // Rule F7: an audit of ours has no session, and would audit itself for ever if it had one.
  if (isOurVia(c.req.header('via') ?? null)) return fail(c, 'loop_detected');
  // Rule P6: who brings a payment means to pay with it, and never with credits as well.
  const { kind } = findPresented((name) => c.req.header(name));
  if (kind !== 'none' || c.req.header(VERSION_1_HEADER) !== undefined)
    return fail(c, 'invalid_payload', {
      detail: 'A purchase from credits takes no payment: send one without the other',
    });
  const signedIn = await findSignedIn(c, options);
  if (signedIn === undefined) return fail(c, 'sign_in_needed');
  if (!hasFormToken({ value: '', hash: '', csrf: signedIn.csrf }, c.req.header('x-csrf-token')))
    return fail(c, 'form_expired');
  const order = await readCreditOrder(c);
  if (order instanceof Response) return order;
  if (order.account !== signedIn.accountId)
    return fail(c, 'sign_in_needed', { detail: 'Another account is signed in than the one that was to pay' });
  const row = findCapability(order.capability) ?? findPanel(order.capability);
  if (!row) return fail(c, 'unknown_capability');
  const paid = await countPaidRequest(c);
  if (!paid.isAllowed) return failWith(c, buildTooManyPaidProblem(paid));
  const ports = createSalesPorts(buildRequestScope(c), options);
  const call = { row, args: order.body, account: order.account, idempotencyKey: order.key, ...OWN_PAGES };
  return streamPurchase(
    c,
    async (watcher) =>
      toPurchaseAnswer(
        await sellToCredits(ports, { ...call, authorizedAtMs: Date.now(), following: { watcher } }),
        order.account,
      ),
    {
      refused: (answer) => respondUnsold(c, answer),
      problemOf: (answer) => {
        const problem = getProblem(answer);
        logLine({ event: 'refused', request_id: c.get('requestId'), status: problem.status, code: problem.code });
        return buildProblemBody(c.get('requestId'), c.get('settings').BASE_URL, problem);
      },
    },
  );
}

type CreditAnswer = Awaited<ReturnType<typeof sellToCredits>>;

const toPurchaseAnswer = (answer: CreditAnswer, payer: string): PurchaseAnswer =>
  answer.kind === 'sold' ? { ...answer, headers: {}, isRepeat: false, payer } : answer;

const respondUnsold = (c: AppContext, answer: PurchaseAnswer): Response =>
  failWith(c, answer.kind === 'sold' ? buildProblem('internal_error') : getProblem(answer));

/** Credits are never answered "pay anew": that is for the credential of a payment. */
const getProblem = (answer: Exclude<PurchaseAnswer, { kind: 'sold' }>) =>
  answer.kind === 'problem' ? answer.problem : buildProblem('internal_error');

type CreditOrder = z.infer<typeof orderSchema> & { key: string };

/** Without a name a repeat would be a second debit: it is required. */
async function readCreditOrder(c: AppContext): Promise<CreditOrder | Response> {
  if (readMediaType(c.req.raw) !== 'application/json')
    return fail(c, 'unsupported_media_type', { detail: 'Send the body as application/json' });
  const bytes = await readBodyBytes(c.req.raw, MAX_BODY_BYTES);
  if (bytes === undefined) return fail(c, 'body_too_large', { detail: describeBodyLimit(MAX_BODY_BYTES) });
  const json = parseJsonBody(bytes);
  if (!json.ok) return fail(c, 'invalid_json');
  const order = orderSchema.safeParse(json.value);
  if (!order.success) return fail(c, 'invalid_body', { detail: 'The body is { capability, account, body }' });
  const named = parseIdempotencyKey({}, c.req.header('idempotency-key'));
  if (!named.ok || named.key === undefined)
    return fail(c, 'idempotency_key_invalid', { detail: named.ok ? 'There is none' : named.detail });
  return { ...order.data, key: named.key };
}
