import * as z from 'zod';
import type { PlatformApi } from './api.ts';
import { type DeployRefusal, refuseByPlatform, refuseDeploy } from './refusal.ts';

const accountSchema = z.looseObject({ id: z.string(), name: z.string() });
export type PlatformAccount = z.infer<typeof accountSchema>;

/** The accounts of a login that a message names. */
const MAX_NAMED = 10;

/**
 * The account to deploy into: the one that was named, or the only one.
 * @param named id or name, of --account or CLOUDFLARE_ACCOUNT_ID
 * @param choose asks a person where there are several; undefined where no one can be asked
 */
export async function findAccount(
  api: PlatformApi,
  named: string | undefined,
  choose: ((accounts: readonly PlatformAccount[]) => Promise<PlatformAccount | undefined>) | undefined,
): Promise<{ ok: true; account: PlatformAccount } | DeployRefusal> {
  const listed = await api.list('/accounts', accountSchema);
  if (!listed.ok) return refuseByPlatform(listed, 'read the accounts of this login');
  const accounts = listed.result;
  const lines = accounts.slice(0, MAX_NAMED).map(({ id, name }) => `${id}  ${name}`);
  if (accounts.length === 0)
    return refuseDeploy(
      'account_missing',
      'This login may see no account.',
      'Give the token the permission Account Settings: Read, or run npx wrangler login.',
    );
  if (named !== undefined) {
    const account = accounts.find(({ id, name }) => id === named || name === named);
    if (account !== undefined) return { ok: true, account };
    return refuseDeploy(
      'account_unknown',
      `This login may not use the account ${named}.`,
      'Give --account one of these, or sign in as someone who may.',
      lines,
    );
  }
  const only = accounts.length === 1 ? accounts[0] : await choose?.(accounts);
  if (only !== undefined) return { ok: true, account: only };
  return refuseDeploy('account_open', 'This login has several accounts.', 'Give --account one of these.', lines);
}

const subscriptionSchema = z.looseObject({
  state: z.string().optional(),
  rate_plan: z.looseObject({ id: z.string().optional(), public_name: z.string().optional() }).optional(),
});

/** Plan of the account; `unknown` where this login may not read it. */
export type WorkersPlan = 'paid' | 'free' | 'unknown';

/** What the free plan cannot do for this service. */
const WITHOUT_PAID_PLAN = [
  'A request may use 10 ms of processor time; a full audit needs up to 3.4 s.',
  'A request may make 50 others; an audit makes up to 60.',
  'Durable Objects, queues and the limits of our configurations are refused, or end after a fixed number of calls a day.',
] as const;

/** Reads whether the account is on the paid Workers plan. The free plan is refused; a login that may not see it is not. */
export async function readWorkersPlan(
  api: PlatformApi,
  accountId: string,
): Promise<{ ok: true; plan: WorkersPlan } | DeployRefusal> {
  const listed = await api.list(`/accounts/${accountId}/subscriptions`, subscriptionSchema);
  if (!listed.ok)
    return listed.kind === 'unreachable' || listed.status >= 500 || listed.status === 429
      ? refuseByPlatform(listed, "read the account's plan")
      : { ok: true, plan: 'unknown' };
  const isPaid = listed.result.some(({ rate_plan: plan, state }) => {
    const name = `${plan?.id ?? ''} ${plan?.public_name ?? ''}`.toLowerCase();
    return /workers.?paid|enterprise|workers.?unbound/.test(name) && state !== 'Cancelled' && state !== 'Expired';
  });
  if (isPaid) return { ok: true, plan: 'paid' };
  return refuseDeploy(
    'plan_free',
    'The account is on the free Workers plan, which cannot run this service.',
    'Open https://dash.cloudflare.com/?to=/:account/workers/plans, switch to the paid plan, and run the same command again.',
    WITHOUT_PAID_PLAN,
  );
}

const subdomainSchema = z.looseObject({ subdomain: z.string().nullable() });
const NO_SUBDOMAIN = 10_007;

/** The part of workers.dev that belongs to the account; undefined where it has none. */
export async function readSubdomain(
  api: PlatformApi,
  accountId: string,
): Promise<{ ok: true; subdomain: string | undefined } | DeployRefusal> {
  const read = await api.get(`/accounts/${accountId}/workers/subdomain`, subdomainSchema);
  if (read.ok) return { ok: true, subdomain: read.result.subdomain ?? undefined };
  if (read.code === NO_SUBDOMAIN) return { ok: true, subdomain: undefined };
  return refuseByPlatform(read, "read the account's workers.dev name");
}
