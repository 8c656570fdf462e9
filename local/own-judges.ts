import type { PasskeyJudge } from '../src/authorization/people/passkeys.ts';
import { loadOnce } from '../src/lib/concurrency.ts';
import type { StripeAccount, StripePort } from '../src/payment/cards/stripe-port.ts';
import type { JudgeCardEvent } from '../src/payment/cards/webhook.ts';

// What a deployment asks of the Worker of models, the local stack does inside its api Worker.

const loadPasskeyJudge = loadOnce(() => import('../src/authorization/people/passkey-judge.ts'));

export const passkeyJudge: PasskeyJudge = {
  judgeAssertion: async (asked) => (await loadPasskeyJudge()).passkeyJudge.judgeAssertion(asked),
  judgeAttestation: async (asked) => (await loadPasskeyJudge()).passkeyJudge.judgeAttestation(asked),
};

export const judgeCardEvent: JudgeCardEvent = async (bytes, signature, terms) => {
  const { verifyCardEvent } = await import('../src/payment/cards/event-signature.ts');
  return verifyCardEvent(bytes, signature, terms);
};

/** @param apiUrl where the stand-in of Stripe is */
export async function openLocalStripe(account: StripeAccount, apiUrl: string | undefined): Promise<StripePort> {
  const { openStripe } = await import('../src/payment/cards/stripe-client.ts');
  return openStripe({ ...account, apiUrl, fetch: (input, init) => fetch(input, init) });
}
