import type { Ai } from '@cloudflare/workers-types';
import { WorkerEntrypoint } from 'cloudflare:workers';
import { passkeyJudge } from './authorization/people/passkey-judge.ts';
import type { PasskeyJudge } from './authorization/people/passkeys.ts';
import { answerMakers } from './models/registry.ts';
import { createCardService } from './payment/cards/card-service.ts';
import type { CardService, StripeAsked } from './payment/cards/remote-stripe.ts';
import type { StripeCalls } from './payment/cards/stripe-port.ts';
import { answerModelCall } from './visibility/remote/answer-call.ts';

const send: typeof fetch = (input, init) => fetch(input, init);
const cards = createCardService(send);

/** What needs large libraries, for the api Worker. It stores nothing and has no settings: each call brings its keys. */
export class Models extends WorkerEntrypoint<{ AI?: Ai }> {
  override async fetch(request: Request): Promise<Response> {
    return answerModelCall(request, answerMakers, { fetch: send, ai: this.env.AI });
  }

  async judgeAssertion(...asked: Parameters<PasskeyJudge['judgeAssertion']>) {
    return passkeyJudge.judgeAssertion(...asked);
  }

  async judgeAttestation(...asked: Parameters<PasskeyJudge['judgeAttestation']>) {
    return passkeyJudge.judgeAttestation(...asked);
  }

  async judgeCardEvent(...asked: Parameters<CardService['judgeCardEvent']>) {
    return cards.judgeCardEvent(...asked);
  }

  async callStripe<Method extends keyof StripeCalls>(...asked: StripeAsked<Method>) {
    return cards.callStripe<Method>(...asked);
  }
}

/** Nothing is open to the internet. */
export default { fetch: (): Response => new Response(null, { status: 404 }) };
