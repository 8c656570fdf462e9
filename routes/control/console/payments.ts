import type { PaymentState } from '../../../src/payment/ledger/list.ts';
import { PAYMENT_STATES, renderPayments } from '../../../src/web/console/payments.tsx';
import type { ConsolePage, NothingToShow } from './console-request.ts';

const PAGE = 50;
const MAX_CURSOR_CHARS = 40;

/** `/console/payments?state=refused&cursor=...`: payments with their state and what proves them. */
export const paymentsPage: ConsolePage = {
  path: '/console/payments',
  title: 'Payments',
  show: async ({ env, query }) => {
    const given = query.get('state') ?? '';
    const state = given === '' ? undefined : parsePaymentState(given);
    const cursor = query.get('cursor') ?? undefined;
    if (given !== '' && state === undefined) return NO_SUCH_STATE;
    if (cursor !== undefined && cursor.length > MAX_CURSOR_CHARS) return NO_SUCH_PAGE;
    const page = await env.OPERATIONS.payments({
      limit: PAGE,
      ...(state === undefined ? {} : { state }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    return page === null ? NO_SUCH_PAGE : renderPayments({ ...page, state });
  },
};

function parsePaymentState(text: string): PaymentState | undefined {
  return Object.hasOwn(PAYMENT_STATES, text) ? (text as PaymentState) : undefined; // Its keys are the states.
}

const NO_SUCH_STATE: NothingToShow = {
  status: 400,
  title: 'There is no such state',
  detail: 'Choose one of the list of the page.',
};
const NO_SUCH_PAGE: NothingToShow = {
  status: 400,
  title: 'There is no such page of payments',
  detail: 'Begin with the newest payments again.',
};
