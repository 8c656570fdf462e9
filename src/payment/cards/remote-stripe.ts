import { callWithTimeout } from '../../lib/concurrency.ts';
import type { StripeAccount, StripeAnswer, StripeCall, StripeCalls, StripePort } from './stripe-port.ts';
import type { EventTerms, JudgeCardEvent } from './webhook.ts';

/** One call of Stripe, and for whom. */
export type StripeAsked<Method extends keyof StripeCalls> = [
  account: StripeAccount,
  method: Method,
  ...args: StripeCalls[Method]['args'],
];

/** What the Worker of models does about cards: it asks Stripe, and judges signatures of events. It stores nothing. */
export type CardService = {
  callStripe: <Method extends keyof StripeCalls>(
    ...asked: StripeAsked<Method>
  ) => Promise<StripeAnswer<StripeCalls[Method]['value']>>;
  judgeCardEvent: JudgeCardEvent;
};

/** Longest wait for a call: two tries of Stripe's SDK, and some. */
const CALL_MS = 25_000;
/** To judge a signature takes some milliseconds: this is for a Worker that hangs. */
const JUDGE_MS = 5_000;

/**
 * Stripe, asked by the Worker that has its SDK. A call without an answer may have been done: it is `unknown`, as one that
 * Stripe left unanswered, and the same call with the same key is made again.
 */
export function createRemoteStripe(service: CardService | undefined, account: StripeAccount): StripePort {
  const call =
    <Method extends keyof StripeCalls>(method: Method): StripeCall<Method> =>
    async (...args) => {
      if (service === undefined) return { ok: false, reason: 'unknown', code: 'models_not_bound' };
      const called = await callWithTimeout(() => service.callStripe(account, method, ...args), CALL_MS);
      return called.ok ? called.value : { ok: false, reason: 'unknown', code: `models_${called.name}` };
    };
  return {
    createSession: call('createSession'),
    expireSession: call('expireSession'),
    readSession: call('readSession'),
    listSessionEvents: call('listSessionEvents'),
    createRefund: call('createRefund'),
    listRefunds: call('listRefunds'),
  };
}

/** The signature of an event, judged by the Worker that has Stripe's SDK. */
export const createRemoteEventJudge =
  (service: CardService | undefined): JudgeCardEvent =>
  async (bytes: Uint8Array, signature: string | undefined, terms: EventTerms) => {
    if (service === undefined) return { verdict: 'unknown' };
    const called = await callWithTimeout(() => service.judgeCardEvent(bytes, signature, terms), JUDGE_MS);
    return called.ok ? called.value : { verdict: 'unknown' };
  };
