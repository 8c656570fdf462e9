import { PRODUCT } from '../../../src/lib/product.ts';
import type { DeliverTools } from '../../../src/monitors/receivers/deliver.ts';
import { createMailPort, type PlainMailPort, type SendMailPort } from '../../../src/monitors/receivers/send-mail.ts';
import { createHostGate } from '../../../src/net/host-gate.ts';
import type { ApiWorkerSettings } from '../../../src/sales/settings.ts';
import type { AppOptions } from '../context.ts';
import type { Env } from './env.ts';

const sleepFor = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** The mail of monitors; undefined where the deployment has no binding for it, or no address that it writes from. */
export const openMonitorMail = (
  env: Pick<Env, 'EMAIL'>,
  { MONITOR_MAIL_FROM: from }: Pick<ApiWorkerSettings, 'MONITOR_MAIL_FROM'>,
): SendMailPort | undefined => openMail(env, from);

/** The mail of links to sign in; undefined in the same way. */
export const openSignInMail = (
  env: Pick<Env, 'EMAIL'>,
  { SIGN_IN_MAIL_FROM: from }: Pick<ApiWorkerSettings, 'SIGN_IN_MAIL_FROM'>,
): PlainMailPort | undefined => openMail(env, from);

const openMail = ({ EMAIL: binding }: Pick<Env, 'EMAIL'>, from: string | undefined): PlainMailPort | undefined =>
  binding === undefined || from === undefined
    ? undefined
    : createMailPort(binding, { from, name: PRODUCT, now: Date.now });

/**
 * What the deliveries of one batch work with. Turns at hosts are shared within it: a turn that another batch held would be
 * lost with that batch.
 */
export const createDeliverTools = (env: Env, settings: ApiWorkerSettings, options: AppOptions): DeliverTools => ({
  fetch: (url, init) => fetch(url, init),
  policy: options.policy(env),
  now: Date.now,
  gate: createHostGate({ now: Date.now, sleep: sleepFor }),
  baseUrl: settings.BASE_URL,
  email: openMonitorMail(env, settings),
});
