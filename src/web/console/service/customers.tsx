import type { CustomerLine, CustomersPage } from '../../../console-api/service.ts';
import { EmptyState } from '../../design/empty-state.tsx';
import { Time } from '../../design/parts.tsx';
import type { Html } from '../../design/shell.tsx';
import { formatMicroUsdc } from '../money-numbers.ts';
import { formatCsv, formatCsvTime, LongId, WideTable } from '../tables.tsx';

export const CUSTOMERS_PATH = '/console/customers';
export const CUSTOMER_PATH = '/console/customers/account';

export type CustomersShown = CustomersPage & { search: string };

export const formatCustomerHref = (address: string): string =>
  `${CUSTOMER_PATH}?${new URLSearchParams({ address }).toString()}`;

const COLUMNS = ['Address', { number: 'Balance, USDC' }, { number: 'Held' }, { number: 'Under way' }, 'Customer since'];

/** `/console/customers`: accounts that bought credits or gave a program access, with what they can spend. */
export const renderCustomers = ({ customers, next, search }: CustomersShown): Html => (
  <>
    <p class="prose">
      An account is the address that pays. Listed are those that bought credits or gave a program access, in the order
      of their addresses. Buyers without credits are under <a href="/console/payments">Payments</a>.
    </p>
    <form method="get" action={CUSTOMERS_PATH} class="fields">
      <div>
        <label for="search">Address, or its beginning</label>
        <input id="search" name="search" maxlength={42} value={search} autocomplete="off" spellcheck={false} />
      </div>
      <button class="small">Show</button>
    </form>
    {customers.length === 0 ? (
      <None search={search} next={next} />
    ) : (
      <WideTable
        caption="Customers with an account"
        columns={COLUMNS}
        file={formatCustomersHref({ search }, `${CUSTOMERS_PATH}.csv`)}
        isStacking
      >
        {customers.map((customer) => (
          <Row customer={customer} />
        ))}
      </WideTable>
    )}
    {next === undefined ? null : (
      <p>
        <a href={formatCustomersHref({ search, after: next })}>Further customers</a>
      </p>
    )}
  </>
);

export function formatCustomersHref(
  fields: { search?: string; after?: string },
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

/** An amount as files have it: six digits, and a minus that no spreadsheet runs. */
export const formatUsdcCell = (microUsdc: number): string => (microUsdc / 1_000_000).toFixed(6);
