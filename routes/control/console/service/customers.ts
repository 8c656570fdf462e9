import { generateRandomHex } from '../../../../src/lib/digest.ts';
import { formatEntriesCsv, renderCustomer } from '../../../../src/web/console/service/customer.tsx';
import { renderOlderWorker } from '../../../../src/web/console/service/confirm.tsx';
import {
  BY_ADDRESS,
  CUSTOMER_PATH,
  CUSTOMERS_PATH,
  formatCustomersCsv,
  formatPayingCsv,
  renderCustomers,
  renderFoundCustomer,
  renderPayingCustomers,
} from '../../../../src/web/console/service/customers.tsx';
import { logLine } from '../../../shared/telemetry.ts';
import { CSV_TYPE, type ConsoleContext, type ConsolePage, type NothingToShow } from '../console-request.ts';
import { askWorker } from '../../bindings/ask-worker.ts';
import { OLDER_WORKER } from './commands.ts';
import { PAYER_ADDRESS, grantPage, NO_SUCH_CUSTOMER, parseCustomerName, refundPage } from './credits.ts';

const PAGE = 20;
const MAX_DOWNLOAD = 50;
const LISTED_PAYMENTS = 20;
const NONCE_BYTES = 16;
const SEARCH = /^(?:0x[0-9a-f]{0,40})?$/;

/** An e-mail address, an account or order, what Stripe calls a payment, or the number of a receipt: each leads to one customer. */
const NAMED = /^(?:[^\s@]{1,64}@[^\s@]{1,190}|[0-9a-fA-F]{32}|[a-z]{2,3}_\w{1,250}|\d{4}-\d{2}-\d{2}-[0-9a-fA-F]{10})$/;

/** `<micro-USDC>.<address>`: where a page by what was paid ends. */
const PAID_PLACE = /^(\d{1,15})\.(0x[0-9a-f]{40})$/;

/** `/console/customers?search=&order=&after=`: customers by what they paid, or accounts by address. */
export const customersPage: ConsolePage = {
  path: CUSTOMERS_PATH,
  title: 'Customers',
  show: async (c) => {
    const search = (c.query.get('search') ?? '').trim();
    if (NAMED.test(search)) {
      const found = await askWorker(c.env.OPERATIONS, 'findCustomer', { text: search });
      return found.known ? renderFoundCustomer({ search, found: found.value }) : renderOlderWorker();
    }
    if (isByPaid(c)) {
      const paying = await askPaying(c, PAGE);
      if ('status' in paying) return paying;
      if (paying.known) return renderPayingCustomers(paying.value);
    }
    const asked = parseAsked(c, PAGE);
    if ('status' in asked) return asked;
    const found = await askWorker(c.env.OPERATIONS, 'customers', asked);
    return found.known ? renderCustomers({ ...found.value, search: asked.search }) : renderOlderWorker();
  },
  downloads: [{ path: `${CUSTOMERS_PATH}.csv`, read: readCustomersFile }],
};

/** `/console/customers/account?address=&before=`: one account, its entries and what its address bought. */
export const customerPage: ConsolePage = {
  path: CUSTOMER_PATH,
  title: 'Customer',
  under: CUSTOMERS_PATH,
  show: async (c) => {
    const asked = parseCustomerAsked(c);
    if ('status' in asked) return asked;
    const { OPERATIONS } = c.env;
    const [found, payments] = await Promise.all([
      askWorker(OPERATIONS, 'customer', asked),
      'address' in asked ? readPayments(c, asked.address) : undefined,
    ]);
    if (!found.known) return renderOlderWorker();
    if (found.value === null) return NO_SUCH_CUSTOMER;
    return renderCustomer({
      ...found.value,
      payments: payments?.payments,
      nonce: generateRandomHex(NONCE_BYTES),
    });
  },
  downloads: [{ path: `${CUSTOMER_PATH}.csv`, read: readEntriesFile }],
};

export const customerPages: readonly ConsolePage[] = [customersPage, customerPage, grantPage, refundPage];

const isByPaid = ({ query }: ConsoleContext): boolean =>
  (query.get('search') ?? '').trim() === '' && query.get('order') !== BY_ADDRESS;

/** An earlier version of the api Worker lists accounts by address only. */
async function askPaying(c: ConsoleContext, limit: number) {
  const after = c.query.get('after') ?? '';
  const [, microUsdc, payer] = PAID_PLACE.exec(after) ?? [];
  if (after !== '' && payer === undefined) return NO_SUCH_PAGE_OF_CUSTOMERS;
  const place = payer === undefined ? {} : { after: { payer, microUsdc: Number(microUsdc) } };
  return askWorker(c.env.OPERATIONS, 'payingCustomers', { limit, ...place });
}

function parseAsked({ query }: ConsoleContext, limit: number) {
  const search = (query.get('search') ?? '').trim().toLowerCase();
  const after = query.get('after') ?? '';
  if (!SEARCH.test(search) || (after !== '' && !PAYER_ADDRESS.test(after))) return NO_ADDRESS;
  return { search, limit, ...(after === '' ? {} : { after }) };
}

const readPayments = ({ env: { OPERATIONS } }: ConsoleContext, payer: string) =>
  OPERATIONS.payments({ payer, limit: LISTED_PAYMENTS }).catch((error: unknown) => {
    logLine({ event: 'customer_payments_not_read', name: error instanceof Error ? error.name : typeof error });
    return undefined;
  });

function parseCustomerAsked({ query }: ConsoleContext) {
  const name = parseCustomerName((field) => query.get(field)?.trim().toLowerCase());
  const before = query.get('before') ?? '';
  if (name === undefined) return NO_ADDRESS;
  if (before === '') return name;
  const beforeMs = Number(before);
  return Number.isSafeInteger(beforeMs) && beforeMs > 0 ? { ...name, beforeMs } : NO_SUCH_PAGE;
}

async function readCustomersFile(c: ConsoleContext) {
  if (isByPaid(c)) {
    const paying = await askPaying(c, MAX_DOWNLOAD);
    if ('status' in paying) return paying;
    if (paying.known) {
      const { customers: lines, hasNext } = paying.value;
      const name = `customers-by-paid-${hasNext ? 'first-' : ''}${lines.length}.csv`;
      return { name, type: CSV_TYPE, text: formatPayingCsv(lines) };
    }
  }
  const asked = parseAsked(c, MAX_DOWNLOAD);
  if ('status' in asked) return asked;
  const found = await askWorker(c.env.OPERATIONS, 'customers', asked);
  if (!found.known) return OLDER_WORKER;
  const { customers, next } = found.value;
  const name = `customers-${next === undefined ? '' : 'first-'}${customers.length}.csv`;
  return { name, type: CSV_TYPE, text: formatCustomersCsv(customers) };
}

async function readEntriesFile(c: ConsoleContext) {
  const asked = parseCustomerAsked(c);
  if ('status' in asked) return asked;
  const found = await askWorker(c.env.OPERATIONS, 'customer', asked);
  if (!found.known) return OLDER_WORKER;
  if (found.value === null) return NO_SUCH_CUSTOMER;
  const { entries } = found.value;
  if (!entries.read) throw new Error('The entries could not be read');
  return {
    name: `entries-${'address' in asked ? asked.address : asked.account}.csv`,
    type: CSV_TYPE,
    text: formatEntriesCsv(entries.entries),
  };
}

const NO_ADDRESS: NothingToShow = {
  status: 400,
  title: 'That is no address',
  detail:
    'An address is 0x and 40 hexadecimal digits; a search takes its beginning, or a whole e-mail address, account, card payment or receipt number.',
};
const NO_SUCH_PAGE_OF_CUSTOMERS: NothingToShow = {
  status: 400,
  title: 'There is no such page of customers',
  detail: 'Begin with those who paid most again.',
};
const NO_SUCH_PAGE: NothingToShow = {
  status: 400,
  title: 'There is no such page of entries',
  detail: 'Begin with the newest entries again.',
};
