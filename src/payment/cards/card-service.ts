import { loadOnce } from '../../lib/concurrency.ts';
import type { CardService } from './remote-stripe.ts';

/** With the first use: few requests are about cards. */
const loadClient = /* @__PURE__ */ loadOnce(() => import('./stripe-client.ts'));
const loadSignature = /* @__PURE__ */ loadOnce(() => import('./event-signature.ts'));

/** Asks Stripe and judges events where it is called, with the SDK in the caller's bundle. */
export const createCardService = (send: typeof fetch): CardService => ({
  callStripe: async (account, method, ...args) => {
    const { openStripe } = await loadClient();
    return openStripe({ ...account, fetch: send })[method](...args);
  },
  judgeCardEvent: async (bytes, signature, terms) => (await loadSignature()).verifyCardEvent(bytes, signature, terms),
});
