import { env } from 'cloudflare:workers';
import type { AppOptions } from '../../../../routes/api/context.ts';
import { type CreditAnswer, type CreditOrder, sellToCredits } from '../../../../src/sales/credit-sale.ts';
import { createSalesPorts } from '../../../../routes/api/bindings/composition.ts';
import { type Env, readSettings } from '../../../../routes/api/bindings/env.ts';
import type { AnyCapability } from '../../../../src/capabilities/capability.ts';
import { findCapability } from '../../../../src/capabilities/catalog.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import { computeSha256Hex } from '../../../../src/lib/digest.ts';
import { computePayerProofSalt, buildProofTypedData } from '../../../../src/payment/rails/transfer/payer-proof.ts';
import { localAnswers } from '../../../../src/models/registry-local.ts';
import { account, type Buy, type Changes, decode, encode, PAYER, post, signedCredential } from '../world.ts';

export const packPath = (dollars: number): string => `/api/credits/${dollars}`;

/** One request for a pack, with an empty object as its body unless told otherwise. */
export const postPack = (dollars: number, buy: Buy = {}): Promise<Response> =>
  post({ path: packPath(dollars), body: '{}', ...buy });

export const signedPack = (dollars: number, changes: Changes = {}): Promise<string> =>
  signedCredential('', { path: packPath(dollars), ...changes });

/** The transfer of a hash with a proof by its payer, for a pack. */
export const provenPack = (dollars: number, transaction: string, signer = account): Promise<string> =>
  provenFor({ capability: `credits_${dollars}`, path: packPath(dollars), body: '{}' }, transaction, signer);

/** The same for any paid route. */
export async function provenFor(
  { capability, path, body }: { capability: string; path: string; body: string },
  transaction: string,
  signer = account,
): Promise<string> {
  const required = decode((await post({ path })).headers.get('payment-required') ?? '') as { accepts: object[] };
  const issuedAt = Math.floor(Date.now() / 1000);
  const terms = {
    transaction,
    capability,
    bodySha256: await computeSha256Hex(body),
    issuedAtS: issuedAt,
    expiresAtS: issuedAt + 300,
  };
  const signature = await signer.signTypedData(buildProofTypedData(terms, await computePayerProofSalt(env.BASE_URL)));
  return encode({
    x402Version: 2,
    accepted: required.accepts[0],
    payload: { transaction, signature, issuedAt, expiresAt: issuedAt + 300 },
  });
}

/** The object of the account that belongs to an address. */
export async function accountOf(address: string) {
  const found = await env.AUTHORIZATION_STORE.getByName('authorization').payerAccount(address);
  if (!found) throw new Error('this wallet was removed from its account');
  const { id } = found;
  return { id, object: env.CREDIT_ACCOUNT.getByName(id) };
}

/** Has a wallet removed from its account by a session that an e-mail address opened, as it does from now on. */
export async function removeWallet(address = PAYER): Promise<void> {
  const store = env.AUTHORIZATION_STORE.getByName('authorization');
  const [first, session] = [`first session of ${address}`, `session of ${address}`];
  const by = { session: 'none', caller: '198.51.100.7' };
  await store.signInPayer({ ...by, renewed: first }, address);
  const email = { email: 'desk@mail.example', emailHash: `mail of ${address}` };
  await store.addWay(first, { kind: 'email', id: email.emailHash, email: email.email, addedAtMs: 0 });
  await store.askEmailLink(by, `link of ${address}`, { ...email, returnTo: '/account' });
  const used = await store.useEmailLink({ ...by, renewed: session }, `link of ${address}`);
  if (!used.ok) throw new Error(used.reason);
  const removed = await store.removeWay(session, { kind: 'wallet', id: address.toLowerCase() });
  if (!removed.ok) throw new Error(removed.reason);
}

export async function balanceOf(address = PAYER): Promise<number> {
  return (await (await accountOf(address)).object.view()).balanceMicroUsdc;
}

const policy = () => allowPublicOnly({ alternatePorts: true });

/** One call on the credits of the payer, by a client that may spend 5 USD a day. */
export async function call(
  order: Partial<CreditOrder> = {},
  engines: AppOptions['engines'] = localAnswers,
  bindings = env as unknown as Env, // The same, under the types of the Worker.
): Promise<CreditAnswer> {
  const scope = {
    env: bindings,
    settings: readSettings(bindings),
    requestId: 'f'.repeat(32),
    waitUntil: () => undefined,
  };
  return sellToCredits(createSalesPorts(scope, { policy, local: false, engines }), {
    row: rowOf('check_health'),
    args: { url: 'https://shop.example/' },
    account: (await accountOf(PAYER)).id,
    clientId: 'client-1',
    authorizedAtMs: Date.now(),
    ...order,
  });
}

export function rowOf(name: string, run?: AnyCapability['run']): AnyCapability {
  const row = findCapability(name);
  if (!row) throw new Error(`no capability ${name}`);
  return run ? { ...row, run } : row;
}
