import type { PaymentsAsked, PaymentsPage } from '../../../src/console-api/operations.ts';
import {
  formatPaymentsCsv,
  type PaymentFilter,
  PAYMENTS_PATH,
  PAYMENT_STATES,
  renderPayments,
} from '../../../src/web/console/payments.tsx';
import { DAY_MS, isCalendarDay } from '../../../src/lib/time.ts';
import { CSV_TYPE, type ConsoleContext, type ConsolePage, type NothingToShow } from './console-request.ts';
import { paymentSignals } from './pulse.ts';

const PAGE = 50;
const MAX_DOWNLOAD = 100;
const MAX_CURSOR_CHARS = 40;
const ADDRESS = /^0x[0-9a-f]{40}$/;
const NAME = /^[a-z0-9_]{1,64}$/;

/** `/console/payments?state=&capability=&payer=&from=&to=&cursor=`: payments with their state and what proves them. */
export const paymentsPage: ConsolePage = {
  path: PAYMENTS_PATH,
  title: 'Payments',
  show: async (c) => {
    const asked = parseAsked(c, PAGE);
    if ('status' in asked) return asked;
    const page = await readPayments(c, asked);
    if (page === null) return NO_SUCH_PAGE;
    return renderPayments({ ...page, filter: asked.filter, nowMs: c.now() });
  },
  signals: paymentSignals,
  downloads: [{ path: `${PAYMENTS_PATH}.csv`, read: readPaymentsFile }],
};

/** The newest payments of the same filter. */
async function readPaymentsFile(c: ConsoleContext) {
  const asked = parseAsked(c, MAX_DOWNLOAD);
  if ('status' in asked) return asked;
  const page = await readPayments(c, asked);
  if (page === null) return NO_SUCH_PAGE;
  // A file that lacks some says so by its name.
  const name = `payments-${page.next === undefined ? '' : 'first-'}${page.payments.length}.csv`;
  return { name, type: CSV_TYPE, text: formatPaymentsCsv(page) };
}

type PaymentsWanted = { order: PaymentsAsked; filter: PaymentFilter };

/** The list begins with the newest, so that it is over with the first payment of before the days that are wanted. */
async function readPayments({ env }: ConsoleContext, { order, filter }: PaymentsWanted): Promise<PaymentsPage | null> {
  const page = await env.OPERATIONS.payments(order);
  const { from = '' } = filter;
  if (page === null || from === '') return page;
  const fromMs = Date.parse(from);
  const payments = page.payments.filter(({ firstClaimedAtMs }) => firstClaimedAtMs >= fromMs);
  const { next, ...rest } = page;
  const isOver = payments.length < page.payments.length || next === undefined || Number.parseInt(next, 10) < fromMs;
  return isOver ? { ...rest, payments } : { ...rest, payments, next };
}

function parseAsked({ query }: ConsoleContext, limit: number): PaymentsWanted | NothingToShow {
  const text = (name: string): string => (query.get(name) ?? '').trim();
  const [state, capability, payer, cursor] = [
    text('state'),
    text('capability'),
    text('payer').toLowerCase(),
    text('cursor'),
  ];
  if (state !== '' && !isPaymentState(state)) return NO_SUCH_STATE;
  if (capability !== '' && !NAME.test(capability)) return NO_SUCH_CAPABILITY;
  if (payer !== '' && !ADDRESS.test(payer)) return NO_ADDRESS;
  if (cursor.length > MAX_CURSOR_CHARS) return NO_SUCH_PAGE;
  const [from, to] = [text('from'), text('to')];
  if ([from, to].some((day) => day !== '' && !isCalendarDay(day))) return NO_DAY;
  // Before the day after: a cursor is the time and the row that a page ends before.
  const start = cursor === '' && to !== '' ? `${Date.parse(to) + DAY_MS}.0` : cursor;
  return {
    filter: { state, capability, payer, from, to },
    order: {
      limit,
      ...(state === '' ? {} : { state }),
      ...(capability === '' ? {} : { capability }),
      ...(payer === '' ? {} : { payer }),
      ...(start === '' ? {} : { cursor: start }),
    },
  };
}

/** The keys of the words are the states. */
const isPaymentState = (text: string): text is Exclude<PaymentFilter['state'], ''> =>
  Object.hasOwn(PAYMENT_STATES, text);

const refuseFilter = (title: string, detail: string): NothingToShow => ({ status: 400, title, detail });
const NO_SUCH_STATE = refuseFilter('There is no such state', 'Choose one of the list of the page.');
const NO_SUCH_CAPABILITY = refuseFilter('There is no such capability', 'Choose one of the list of the page.');
const NO_ADDRESS = refuseFilter('That is no address', 'A payer is 0x and 40 hexadecimal digits.');
const NO_DAY = refuseFilter('That is no day', 'A day is a date by UTC, such as 2026-11-22.');
const NO_SUCH_PAGE = refuseFilter('There is no such page of payments', 'Begin with the newest payments again.');
