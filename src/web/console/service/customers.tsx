import type {
  CustomerLine,
  CustomersPage,
  FoundCustomer,
  PayingCustomer,
  PayingCustomersPage,
} from '../../../console-api/service.ts';
import { EmptyState } from '../../design/empty-state.tsx';
import { Time } from '../../design/parts.tsx';
import type { Html } from '../../design/shell.tsx';
import { formatMicroUsdc } from '../money-numbers.ts';
import { formatCardHref } from './cards.tsx';
import { formatPaymentsHref } from '../payments.tsx';
import { formatCsv, formatCsvTime, LongId, WideTable } from '../tables.tsx';

export const CUSTOMERS_PATH = '/console/customers';
export const CUSTOMER_PATH = '/console/customers/account';

/** Value of `order`; absent: by what was paid. */
export const BY_ADDRESS = 'address';

export type CustomersShown = CustomersPage & { search: string };

/** A customer by a wallet of its account, or where there is none by the number of the account. */
export type CustomerName = { address: string } | { account: string };
export const toCustomerName = ({ address = '', account }: { address?: string; account: string }): CustomerName =>
  address === '' ? { account } : { address };

export const formatCustomerHref = (name: string | CustomerName): string =>
  `${CUSTOMER_PATH}?${new URLSearchParams(typeof name === 'string' ? { address: name } : name).toString()}`;

const COLUMNS = ['Address', { number: 'Balance, USDC' }, { number: 'Held' }, { number: 'Under way' }, 'Customer since'];

const ORDERS = [
  { href: CUSTOMERS_PATH, text: 'By what they paid' },
  { href: formatCustomersHref({ order: BY_ADDRESS }), text: 'Accounts by address' },
] as const;

/** The two orders of customers, and the search for one. */
const Finding = ({ search, at }: { search: string; at: string }) => (
  <>
    <nav aria-label="Order">
      <ul class="links">
        {ORDERS.map(({ href, text }) => (
          <li>
            <a href={href} aria-current={href === at ? 'page' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
    <form method="get" action={CUSTOMERS_PATH} class="fields wide">
      <div>
        <label for="search">Address or its beginning, e-mail address, account, card payment, or receipt number</label>
        <input id="search" name="search" maxlength={260} value={search} autocomplete="off" spellcheck={false} />
      </div>
      <button class="small">Show</button>
    </form>
  </>
);

const PAYING_COLUMNS = [
  'Address',
  { number: 'Paid, USDC' },
  { number: 'Purchases' },
  'Last purchase',
  { number: 'Balance, USDC' },
  'Customer since',
];

/** `/console/customers`: who paid most, with an account or without one. */
export const renderPayingCustomers = ({ customers, hasNext }: PayingCustomersPage): Html => (
  <>
    <p class="prose">
      Addresses by what they paid in all, credits included, the most first. A total ends 400 days after the last
      purchase. The balance is that of the account, where the address has one.
    </p>
    <Finding search="" at={CUSTOMERS_PATH} />
    {customers.length === 0 ? (
      <EmptyState title="No one has bought anything yet" level={2}>
        An address is listed a second after its first purchase. Accounts that only gave a program access are under
        “Accounts by address”.
      </EmptyState>
    ) : (
      <WideTable
        caption="Customers by what they paid, most first"
        columns={PAYING_COLUMNS}
        file={`${CUSTOMERS_PATH}.csv`}
        isStacking
      >
        {customers.map((customer) => (
          <PayingRow customer={customer} />
        ))}
      </WideTable>
    )}
    <Further after={hasNext ? customers.at(-1) : undefined} />
  </>
);

const Further = ({ after }: { after: PayingCustomer | undefined }) =>
  after === undefined ? null : (
    <p>
      <a href={formatCustomersHref({ after: `${after.microUsdc}.${after.payer}` })}>Further customers</a>
    </p>
  );

const PayingRow = ({ customer: { payer, count, microUsdc, lastDay, customer } }: { customer: PayingCustomer }) => (
  <tr>
    <th scope="row">
      <a
        href={
          customer === undefined ? formatPaymentsHref({ state: '', capability: '', payer }) : formatCustomerHref(payer)
        }
      >
        <LongId id={payer} />
      </a>
    </th>
    <Amount name="Paid, USDC" microUsdc={microUsdc} />
    <td class="number" data-column="Purchases">
      {count}
    </td>
    <td data-column="Last purchase" class="instant">
      {lastDay}
    </td>
    {customer === undefined ? (
      <td class="number" data-column="Balance, USDC">
        no account
      </td>
    ) : (
      <Amount name="Balance, USDC" microUsdc={customer.credits.read ? customer.credits.balanceMicroUsdc : undefined} />
    )}
    <td data-column="Customer since">{customer === undefined ? null : <Time ms={customer.createdAtMs} />}</td>
  </tr>
);

/** `/console/customers?order=address`: accounts that bought credits or gave a program access, with what they can spend. */
export const renderCustomers = ({ customers, next, search }: CustomersShown): Html => (
  <>
    <p class="prose">
      Accounts that bought credits or gave a program access, in the order of their addresses: an account is the address
      that pays.
    </p>
    <Finding search={search} at={search === '' ? formatCustomersHref({ order: BY_ADDRESS }) : ''} />
    {customers.length === 0 ? (
      <None search={search} next={next} />
    ) : (
      <WideTable
        caption="Customers with an account, by address"
        columns={COLUMNS}
        file={formatCustomersHref({ search, order: BY_ADDRESS }, `${CUSTOMERS_PATH}.csv`)}
        isStacking
      >
        {customers.map((customer) => (
          <Row customer={customer} />
        ))}
      </WideTable>
    )}
    {next === undefined ? null : (
      <p>
        <a href={formatCustomersHref({ search, order: BY_ADDRESS, after: next })}>Further customers</a>
      </p>
    )}
  </>
);

/** `/console/customers?search=`, where the text is no address: the one customer that it leads to. */
export const renderFoundCustomer = ({ search, found }: { search: string; found: FoundCustomer | null }): Html => (
  <>
    <Finding search={search} at="" />
    {found === null ? (
      <EmptyState title="No customer was found" level={2}>
        An e-mail address is found while it opens an account, a receipt by its number where the payment was by card.
        Other payments are found by the address that paid.
      </EmptyState>
    ) : (
      <Found {...found} />
    )}
  </>
);

const Found = ({ account, customer, purchase }: FoundCustomer) => (
  <dl class="facts">
    <dt>Account</dt>
    <dd>
      {customer === undefined ? (
        <>
          <LongId id={account} />, which was deleted
        </>
      ) : (
        <a href={formatCustomerHref(toCustomerName({ ...customer, account }))}>
          <LongId id={account} />
        </a>
      )}
    </dd>
    {customer === undefined ? null : <Ways {...customer} />}
    {purchase === undefined ? null : (
      <>
        <dt>Purchase by card</dt>
        <dd>
          <a href={formatCardHref(purchase)}>
            <LongId id={purchase} />
          </a>
        </dd>
      </>
    )}
  </dl>
);

type FoundWays = NonNullable<FoundCustomer['customer']>['ways'];

const WAY_NAMES: Readonly<Record<FoundWays[number], string>> = {
  wallet: 'wallet',
  email: 'e-mail link',
  passkey: 'passkey',
};

/** What names an account, and how its owner signs in. */
export const Ways = ({ address = '', email, ways = [] }: { address?: string; email?: string; ways?: FoundWays }) => (
  <>
    {address === '' ? null : (
      <>
        <dt>Address</dt>
        <dd>
          <code class="long">{address}</code>
        </dd>
      </>
    )}
    {email === undefined ? null : (
      <>
        <dt>E-mail address</dt>
        <dd>{email}</dd>
      </>
    )}
    {ways.length === 0 ? null : (
      <>
        <dt>Signs in by</dt>
        <dd>{[...new Set(ways)].map((way) => WAY_NAMES[way]).join(', ')}</dd>
      </>
    )}
  </>
);

export function formatCustomersHref(
  fields: { search?: string; order?: string; after?: string },
  path: string = CUSTOMERS_PATH,
): string {
  const given = Object.entries(fields).filter(([, text]) => text !== '');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

const None = ({ search, next }: { search: string; next: string | undefined }) =>
  next === undefined ? (
    <EmptyState title={search === '' ? 'No one has an account yet' : 'No account begins so'} level={2}>
      {search === ''
        ? 'An account is made when an address buys credits, or lets a program spend them.'
        : 'Accounts exist for addresses that bought credits or gave a program access.'}
    </EmptyState>
  ) : (
    <p>No such account is among those checked so far. Go on with further ones.</p>
  );

const Row = ({ customer: { address, createdAtMs, credits } }: { customer: CustomerLine }) => (
  <tr>
    <th scope="row">
      <a href={formatCustomerHref(address)}>
        <LongId id={address} />
      </a>
    </th>
    <Amount name="Balance, USDC" microUsdc={credits.read ? credits.balanceMicroUsdc : undefined} />
    <Amount name="Held" microUsdc={credits.read ? credits.reservedMicroUsdc : undefined} />
    <Amount name="Under way" microUsdc={credits.read ? credits.pendingMicroUsdc : undefined} />
    <td data-column="Customer since">
      <Time ms={createdAtMs} />
    </td>
  </tr>
);

const Amount = ({ name, microUsdc }: { name: string; microUsdc: number | undefined }) => (
  <td class="number" data-column={name}>
    {microUsdc === undefined ? 'could not read' : formatMicroUsdc(microUsdc)}
  </td>
);

/** A page of customers as CSV (rule X8). An account that could not be read has empty cells. */
export const formatCustomersCsv = (customers: readonly CustomerLine[]): string =>
  formatCsv([
    ['address', 'balance_usdc', 'held_usdc', 'under_way_usdc', 'since', 'account'],
    ...customers.map(({ address, account, createdAtMs, credits }) => [
      address,
      credits.read ? formatUsdcCell(credits.balanceMicroUsdc) : '',
      credits.read ? formatUsdcCell(credits.reservedMicroUsdc) : '',
      credits.read ? formatUsdcCell(credits.pendingMicroUsdc) : '',
      formatCsvTime(createdAtMs),
      account,
    ]),
  ]);

/** A page of customers by what they paid as CSV (rule X8). */
export const formatPayingCsv = (customers: readonly PayingCustomer[]): string =>
  formatCsv([
    ['address', 'paid_usdc', 'purchases', 'last_purchase', 'balance_usdc', 'since', 'account'],
    ...customers.map(({ payer, microUsdc, count, lastDay, customer }) => [
      payer,
      formatUsdcCell(microUsdc),
      count,
      lastDay,
      customer?.credits.read === true ? formatUsdcCell(customer.credits.balanceMicroUsdc) : '',
      formatCsvTime(customer?.createdAtMs),
      customer?.account ?? '',
    ]),
  ]);

/** An amount as files have it: six digits, and a minus that no spreadsheet runs. */
export const formatUsdcCell = (microUsdc: number): string => (microUsdc / 1_000_000).toFixed(6);
