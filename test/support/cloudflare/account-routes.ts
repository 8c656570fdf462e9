import * as z from 'zod';
import { type ApiCall, type ApiRoute, ListedAnswer, readJson } from './calls.ts';
import { RefusedCall } from './refusals-data.ts';

const subdomainSchema = z.object({ subdomain: z.string() });

const showAccount = ({ account }: ApiCall) => ({
  id: account.id,
  name: account.name,
  type: 'standard',
  settings: { enforce_twofactor: false },
});

function listSubscriptions({ account }: ApiCall): ListedAnswer {
  const paid = { id: 'workers_paid', public_name: 'Workers Paid', scope: 'account', currency: 'USD' };
  return new ListedAnswer(
    account.plan === 'paid'
      ? [{ id: 'subscription-1', state: 'Paid', price: 5, frequency: 'monthly', rate_plan: paid }]
      : [],
  );
}

/** Login, account, plan and the account's own address. */
export const ACCOUNT_ROUTES: readonly ApiRoute[] = [
  ['GET', '/user', () => ({ id: 'user-1', email: 'operator@example.com' })],
  ['GET', '/user/tokens/verify', () => ({ id: 'token-1', status: 'active' })],
  ['GET', '/memberships', (call) => new ListedAnswer([{ id: 'membership-1', account: showAccount(call) }])],
  ['GET', '/accounts', (call) => new ListedAnswer([showAccount(call)])],
  ['GET', '/accounts/*', showAccount],
  ['GET', '/accounts/*/subscriptions', listSubscriptions],
  [
    'GET',
    '/accounts/*/workers/account-settings',
    ({ account }) => ({ default_usage_model: account.plan === 'paid' ? 'standard' : 'free', green_compute: false }),
  ],
  [
    'GET',
    '/accounts/*/workers/subdomain',
    ({ account }) => {
      if (account.subdomain === undefined) throw new RefusedCall('noSubdomain');
      return { subdomain: account.subdomain };
    },
  ],
  [
    'PUT',
    '/accounts/*/workers/subdomain',
    (call) => {
      call.account.subdomain = subdomainSchema.parse(readJson(call)).subdomain;
      return { subdomain: call.account.subdomain };
    },
  ],
  ['GET', '/accounts/*/storage/kv/namespaces', () => new ListedAnswer([])],
  ['GET', '/accounts/*/workflows', () => new ListedAnswer([])],
];
