import type { Ai } from '@cloudflare/workers-types';
import { WorkerEntrypoint } from 'cloudflare:workers';
import type { AssertionAsked, AttestationAsked, PasskeyJudge } from './authorization/people/passkeys.ts';
import { loadOnce } from './lib/concurrency.ts';
import { answerMakers } from './models/registry.ts';
import type { CardService } from './payment/cards/remote-stripe.ts';
import type { StripeAccount, StripeAnswer, StripeCalls } from './payment/cards/stripe-port.ts';
import type { EventTerms, JudgedEvent } from './payment/cards/webhook.ts';
import { answerModelCall } from './visibility/remote/answer-call.ts';

type ModelsEnv = { AI?: Ai };

/** With the first call that needs them. */
const loadPasskeyJudge = /* @__PURE__ */ loadOnce(() => import('./authorization/people/passkey-judge.ts'));
const loadStripe = /* @__PURE__ */ loadOnce(() => import('./payment/cards/stripe-client.ts'));
const loadEventJudge = /* @__PURE__ */ loadOnce(() => import('./payment/cards/event-signature.ts'));

/**
 * What the api Worker asks of large libraries: answer engines, one prompt a call, and whether a text is an answer; Stripe;
 * and whether passkeys and card events are signed. It has a Worker of its own because the SDKs of vendors and the word
 * lists are a quarter of what the api Worker would be. It stores nothing and has no settings: each call brings its keys.
 */
export class Models extends WorkerEntrypoint<ModelsEnv> implements PasskeyJudge, CardService {
  override async fetch(request: Request): Promise<Response> {
    return answerModelCall(request, answerMakers, { fetch: (input, init) => fetch(input, init), ai: this.env.AI });
  }

  async judgeAssertion(asked: AssertionAsked): ReturnType<PasskeyJudge['judgeAssertion']> {
    return (await loadPasskeyJudge()).passkeyJudge.judgeAssertion(asked);
  }

  async judgeAttestation(asked: AttestationAsked): ReturnType<PasskeyJudge['judgeAttestation']> {
    return (await loadPasskeyJudge()).passkeyJudge.judgeAttestation(asked);
  }

  async judgeCardEvent(bytes: Uint8Array, signature: string | undefined, terms: EventTerms): Promise<JudgedEvent> {
    return (await loadEventJudge()).verifyCardEvent(bytes, signature, terms);
  }

  async callStripe<Method extends keyof StripeCalls>(
    account: StripeAccount,
    method: Method,
    ...args: StripeCalls[Method]['args']
  ): Promise<StripeAnswer<StripeCalls[Method]['value']>> {
    const { openStripe } = await loadStripe();
    return openStripe({ ...account, fetch: (input, init) => fetch(input, init) })[method](...args);
  }
}

/** Nothing is open to the internet. */
export default { fetch: (): Response => new Response(null, { status: 404 }) };
