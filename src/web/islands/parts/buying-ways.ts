import * as z from 'zod/mini';
import { connectWallet, type Provider, signTypedData } from './injected-wallet.ts';
import { proofTypedData, provenTransfer } from './payer-proof.ts';
import { authorizationOf, authorizationTypedData, paymentHeader } from './payment-signing.ts';
import type { Offer } from './payment-terms.ts';

/** What is bought: the capability, and the exact body that the payment is for. */
export type Ordered = { capability: string; bodyText: string };

export type Credential = { ok: true; credential: string } | { ok: false; detail: string };

/** One way to come to a PAYMENT-SIGNATURE value for terms that were judged. `say` tells what a person has to do. */
export type Way = (offer: Offer, ordered: Ordered, say: (text: string) => void) => Promise<Credential>;

const nowS = (): number => Math.floor(Date.now() / 1000);

/** A wallet signs the transfer (EIP-3009), which the service settles when the result is ready. */
export const walletWay =
  (wallet: Provider): Way =>
  async ({ resource, accepted }, _ordered, say) => {
    say('Your wallet asks for your account.');
    const connected = await connectWallet(wallet);
    if (!connected.ok) return connected;
    const authorization = authorizationOf(accepted, connected.account, nowS());
    say('Sign the payment in your wallet.');
    const signed = await signTypedData(wallet, connected.account, authorizationTypedData(authorization));
    if (!signed.ok) return signed;
    const payload = { signature: signed.signature, authorization };
    return { ok: true, credential: paymentHeader({ resource, accepted, payload }) };
  };

/** A transfer that was made, by its hash alone: it is taken from its first presenter. */
export const hashWay =
  (transaction: string): Way =>
  async () => ({ ok: true, credential: transaction });

/** A transfer that was made, with the payer's signature: nobody else can use it up, and a lost answer can be asked for again. */
export const provenWay =
  (transaction: string, wallet: Provider): Way =>
  async (offer, { capability, bodyText }, say) => {
    say('Your wallet asks for the account that made the transfer.');
    const connected = await connectWallet(wallet);
    if (!connected.ok) return connected;
    const { origin } = globalThis.location;
    const proof = { origin, transaction, capability, bodyText, nowS: nowS() };
    say('Sign in your wallet that you made the transfer. This moves no money.');
    const signed = await signTypedData(wallet, connected.account, await proofTypedData(proof));
    return signed.ok ? { ok: true, credential: provenTransfer(offer, proof, signed.signature) } : signed;
  };

const demoAnswer = z.object({ payment_signature: z.string() });
const problem = z.object({ title: z.string(), detail: z.optional(z.string()) });

/** The demo buyer of the local stack signs. */
export const demoWay =
  (token: string): Way =>
  async ({ accepted }, { capability }) => {
    const answer = await fetch('/local/demo-buyer', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-demo-token': token },
      body: JSON.stringify({ capability, accepted }),
    });
    const json: unknown = await answer.json();
    const signed = demoAnswer.safeParse(json);
    if (signed.success) return { ok: true, credential: signed.data.payment_signature };
    const said = problem.safeParse(json);
    return { ok: false, detail: `The demo buyer does not pay: ${said.data?.title ?? `status ${answer.status}`}` };
  };
