import type { ConsoleCreditOrder, CreditOutcome } from '../../../../src/console-api/service.ts';
import { formatMicroUsdc } from '../../../../src/web/console/money-numbers.ts';
import { renderConfirmation, renderOlderWorker } from '../../../../src/web/console/service/confirm.tsx';
import {
  formatAddress,
  GRANT_PATH,
  MOST_GRANTED_MICRO_USDC,
  REFUND_PATH,
} from '../../../../src/web/console/service/customer.tsx';
import {
  type CustomerName,
  CUSTOMERS_PATH,
  formatCustomerHref,
} from '../../../../src/web/console/service/customers.tsx';
import type {
  ActionOutcome,
  ConsoleContext,
  ConsoleFormInput,
  ConsolePage,
  NothingToShow,
} from '../console-request.ts';
import { askWorker } from '../../bindings/ask-worker.ts';
import { NO_REASON, OLDER_SAID, SESSION_REFUSALS, describeReason, readReason, refuseAct } from './commands.ts';

/** Of a payer. */
export const PAYER_ADDRESS = /^0x[0-9a-f]{40}$/;
const NONCE = /^[0-9a-f]{32}$/;
const USDC = /^\d{1,3}(?:\.\d{1,6})?$/;
const PAYMENT = /^[0-9a-f]{12}$/;
const MAX_CALL_CHARS = 2_048;
const MICRO_DIGITS = 6;

/** `/console/customers/grant?address=&usdc=&nonce=`: says what is about to be granted, and asks why. */
export const grantPage: ConsolePage = {
  path: GRANT_PATH,
  title: 'Grant credits',
  under: CUSTOMERS_PATH,
  show: async (c) => {
    const { query } = c;
    const order = parseGrant((name) => query.get(name) ?? undefined);
    if (order === undefined) return NO_AMOUNT;
    return showConfirmation(c, order.name, {
      effect:
        'The amount is added to what this account can spend. It is no revenue and no payment, and it cannot be taken back here.',
      amount: order.amountMicroUsdc,
      action: GRANT_PATH,
      fields: { usdc: query.get('usdc') ?? '', nonce: order.nonce },
      label: `Grant ${formatMicroUsdc(order.amountMicroUsdc)} USDC`,
    });
  },
  actions: [
    {
      path: GRANT_PATH,
      title: 'Grant credits',
      target: describeTarget,
      about: (form) => ({ usdc: form.get('usdc') ?? '', ...describeReason(form) }),
      run: (c, form) => {
        const order = parseGrant((name) => form.get(name));
        return runOrder(c, form, order && { kind: 'grant', ...order });
      },
    },
  ],
};

/** `/console/customers/refund?address=&call=&nonce=`, or with `payment`: the same for what is given back. */
export const refundPage: ConsolePage = {
  path: REFUND_PATH,
  title: 'Give back as credits',
  under: CUSTOMERS_PATH,
  show: async (c) => {
    const { query } = c;
    const order = parseRefund((name) => query.get(name) ?? undefined);
    if (order === undefined) return NO_SUCH_PURCHASE;
    return showConfirmation(c, order.name, {
      effect:
        order.kind === 'refund_call'
          ? 'What this call cost is added to the account again, once. Its report stays readable.'
          : 'What this payment cost is added to the account as credits, once. Nothing moves on the chain, and the report stays readable.',
      subject: order.kind === 'refund_call' ? order.callId : order.payment,
      action: REFUND_PATH,
      fields:
        order.kind === 'refund_call'
          ? { call: order.callId, nonce: order.nonce }
          : { payment: order.payment, nonce: order.nonce },
      label: 'Give back',
    });
  },
  actions: [
    {
      path: REFUND_PATH,
      title: 'Give back as credits',
      target: describeTarget,
      about: (form) => ({ subject: form.get('call') ?? form.get('payment') ?? '', ...describeReason(form) }),
      run: (c, form) =>
        runOrder(
          c,
          form,
          parseRefund((name) => form.get(name)),
        ),
    },
  ],
};

type Read = (name: string) => string | undefined;

/** For the audit log: the address, or the number of an account without one. */
function describeTarget(form: ConsoleFormInput): string {
  const address = form.get('address') ?? '';
  return address === '' ? (form.get('account') ?? '') : address;
}

/** Whose page or form it is: an address wins, since a form has the number of its account too. */
export function parseCustomerName(read: Read): CustomerName | undefined {
  const [address, account] = [read('address') ?? '', read('account') ?? ''];
  if (address !== '') return PAYER_ADDRESS.test(address) ? { address } : undefined;
  return ACCOUNT.test(account) ? { account } : undefined;
}

function parseGrant(read: Read): { name: CustomerName; nonce: string; amountMicroUsdc: number } | undefined {
  const [name, nonce, usdc] = [parseCustomerName(read), read('nonce') ?? '', (read('usdc') ?? '').trim()];
  const amountMicroUsdc = parseMicroUsdc(usdc);
  if (name === undefined || !NONCE.test(nonce) || amountMicroUsdc === undefined) return undefined;
  return { name, nonce, amountMicroUsdc };
}

/** An amount in USDC, without a sum of fractions; undefined for what is none, nothing, or over the limit. */
function parseMicroUsdc(text: string): number | undefined {
  if (!USDC.test(text)) return undefined;
  const [whole = '', part = ''] = text.split('.');
  const micro = Number(`${whole}${part.padEnd(MICRO_DIGITS, '0')}`);
  return micro >= 1 && micro <= MOST_GRANTED_MICRO_USDC ? micro : undefined;
}

type Refund = { name: CustomerName; nonce: string } & (
  | { kind: 'refund_call'; callId: string }
  | { kind: 'refund_payment'; payment: string }
);

function parseRefund(read: Read): Refund | undefined {
  const [name, nonce, callId, payment] = [
    parseCustomerName(read),
    read('nonce') ?? '',
    read('call') ?? '',
    read('payment') ?? '',
  ];
  if (name === undefined || !NONCE.test(nonce)) return undefined;
  if (callId !== '' && callId.length <= MAX_CALL_CHARS) return { kind: 'refund_call', name, nonce, callId };
  return PAYMENT.test(payment) ? { kind: 'refund_payment', name, nonce, payment } : undefined;
}

type Shown = {
  effect: string;
  amount?: number;
  subject?: string;
  action: string;
  fields: Readonly<Record<string, string>>;
  label: string;
};

/** The account is looked up again, so that a confirmation names one that exists, with its balance of now. */
async function showConfirmation(c: ConsoleContext, name: CustomerName, shown: Shown) {
  const found = await askWorker(c.env.OPERATIONS, 'customer', name);
  if (!found.known) return renderOlderWorker();
  if (found.value === null) return NO_SUCH_CUSTOMER;
  const { account, credits } = found.value;
  const { effect, amount, subject, action, fields, label } = shown;
  return renderConfirmation({
    facts: [
      'address' in name ? ['Address', formatAddress(name.address)] : ['Account', name.account],
      ...(credits.read ? [['Balance now', `${formatMicroUsdc(credits.balanceMicroUsdc)} USDC`] as const] : []),
      ...(amount === undefined ? [] : [['Amount', `${formatMicroUsdc(amount)} USDC`] as const]),
      ...(subject === undefined ? [] : [['Bought as', subject] as const]),
    ],
    effect,
    forms: c.forms,
    action,
    fields: { ...name, account, ...fields },
    label,
    back: formatCustomerHref(name),
  });
}

const ACCOUNT = /^[0-9a-f]{32}$/;

type WithoutReason<Order> = Order extends unknown
  ? Omit<Order, 'account' | 'address' | 'reason'> & { name: CustomerName }
  : never;

async function runOrder(
  c: ConsoleContext,
  form: ConsoleFormInput,
  order: WithoutReason<ConsoleCreditOrder> | undefined,
): Promise<ActionOutcome> {
  const account = form.get('account') ?? '';
  if (order === undefined || !ACCOUNT.test(account))
    return refuseAct(CUSTOMERS_PATH, 'The form was not complete.', 'bad_form');
  const { name, ...change } = order;
  const to = formatCustomerHref(name);
  const reason = readReason(form);
  if (reason === '') return refuseAct(to, NO_REASON, 'no_reason');
  const address = 'address' in name ? name.address : '';
  const wanted: ConsoleCreditOrder = { ...change, account, address, reason };
  const found = await askWorker(c.env.CONSOLE_ACCESS, 'adjustCredits', c.session.hash, wanted);
  return found.known ? reportAdjustment(to, found.value) : refuseAct(to, OLDER_SAID, 'older_worker');
}

function reportAdjustment(to: string, outcome: CreditOutcome): ActionOutcome {
  if (!outcome.ok) return refuseAct(to, REFUSALS[outcome.reason] ?? 'It was refused.', outcome.reason);
  const { amountMicroUsdc, balanceMicroUsdc, id } = outcome.adjustment;
  const amount = formatMicroUsdc(amountMicroUsdc);
  const entry = { adjustment: id, usdc: amount, repeat: String(outcome.isRepeat) };
  const said = outcome.isRepeat
    ? `This form was sent before: ${amount} USDC were added then, and nothing now.`
    : `${amount} USDC were added. The account has ${formatMicroUsdc(balanceMicroUsdc)} USDC now.`;
  return { to, said, entry };
}

const REFUSALS: Readonly<Record<string, string>> = {
  ...SESSION_REFUSALS,
  not_found: 'There is no such purchase any more: calls are forgotten after a month, payments after a day.',
  already_refunded: 'It was given back before.',
  form_used: 'This form was used for another amount: open the page of the customer again.',
  too_much: `One change adds at most ${formatMicroUsdc(MOST_GRANTED_MICRO_USDC)} USDC.`,
  day_limit: 'The account has got as much as operators may add in 24 hours.',
  too_many: 'The account has as many changes by operators as are stored.',
  not_settled: 'The payment is not settled: nothing was charged for it yet.',
  payment_missing: 'The chain does not have this payment: the money never came.',
  ambiguous_payment: 'Two payments of this address have this id in logs: give back a fitting amount by a grant.',
  is_credits: 'The payment bought credits, which are in the account already.',
  not_account_of_payer:
    'A contract wallet paid on another network, so the account of its address may be another person’s: grant credits to an account that the buyer names.',
  no_such_customer: 'There is no such account.',
};

const NO_AMOUNT: NothingToShow = {
  status: 400,
  title: 'That is no amount to grant',
  detail: `Grant between 0.000001 and ${formatMicroUsdc(MOST_GRANTED_MICRO_USDC)} USDC, with a point and no sign, from the page of a customer.`,
};
const NO_SUCH_PURCHASE: NothingToShow = {
  status: 400,
  title: 'There is no such purchase',
  detail: 'Choose “Give back” beside an entry on the page of a customer.',
};
export const NO_SUCH_CUSTOMER: NothingToShow = {
  status: 404,
  title: 'This address has no account',
  detail: 'An account is made when an address buys credits, or gives a program access.',
};
