import type { Hono } from 'hono';
import { VERSION } from '../../../src/lib/product.ts';
import { TRUST_OBJECT } from '../../../src/payment/facilitator/trust.ts';
import { getPaymentNetwork } from '../../../src/sales/seller.ts';
import { findUnsafeApiSettings } from '../../../src/sales/unsafe-settings.ts';
import { readBrowserSession, hasFormToken, isSameOrigin } from '../../shared/cookies.ts';
import { getPeopleStore } from '../bindings/people-store.ts';
import { readOr, readQueues } from '../bindings/queue-depths.ts';
import { type AppContext, type AppEnv, type AppOptions, fail } from '../context.ts';

/**
 * `GET /operator/checkup`: what a check from outside cannot see of this Worker. As the rest below `/operator`, it needs
 * the cookie of an operator's sign-in and the token of its forms (rule A4). Settings are named, their values never are.
 */
export function registerCheckupRoute(app: Hono<AppEnv>, options: AppOptions): void {
  app.get('/operator/checkup', async (c) => {
    if (!isSameOrigin(c.req.raw, c.get('settings').BASE_URL)) return fail(c, 'foreign_origin');
    const session = await readBrowserSession(c, options);
    if (!hasFormToken(session, c.req.header('x-csrf-token'))) return fail(c, 'operator_sign_in_required');
    const signedIn = await getPeopleStore(c).session(session.hash);
    if (signedIn === undefined) return fail(c, 'operator_sign_in_required');
    if (signedIn.kind !== 'operator') return fail(c, 'operator_only');
    return c.json(await readCheckup(c), 200, { 'cache-control': 'no-store' });
  });
}

async function readCheckup(c: AppContext) {
  const { env } = c;
  const settings = c.get('settings');
  const nowMs = Date.now();
  const isSet = (name: string): boolean => typeof env[name] === 'string' && env[name] !== '';
  const [{ queues, deadLetters }, facilitator] = await Promise.all([
    readQueues(env),
    readOr('facilitator_trust', async () => ({
      distrusted_at_ms: await env.PAYMENT_LEDGER.getByName(TRUST_OBJECT).distrustedAtMs(),
    })),
  ]);
  return {
    worker: 'api',
    version: VERSION,
    at: new Date(nowMs).toISOString(),
    network: getPaymentNetwork(settings).id,
    settings: findUnsafeApiSettings({ settings, isSet, nowMs }),
    queues,
    dead_letters: deadLetters,
    facilitator,
  };
}
