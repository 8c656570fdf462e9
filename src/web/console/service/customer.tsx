import type { CustomerPage } from '../../../console-api/service.ts';
import { formatPlainLine } from '../../../lib/safe-text.ts';
import type { CreditEntry } from '../../../payment/credits/entries.ts';
import type { PaymentListItem } from '../../../payment/ledger/survey.ts';
import { EmptyState } from '../../design/empty-state.tsx';
import { Time } from '../../design/parts.tsx';
import type { Html } from '../../design/shell.tsx';
import { HiddenFields } from '../forms.tsx';
import { formatMicroUsdc } from '../money-numbers.ts';
import { formatPaymentsHref, PAYMENT_STATES, PAYMENTS_PATH } from '../payments.tsx';
import { CouldNotLook, formatCsv, formatCsvTime, LongId, State, WideTable } from '../tables.tsx';
import {
  CUSTOMER_PATH,
  type CustomerName,
  formatCustomerHref,
  formatUsdcCell,
  toCustomerName,
  Ways,
} from './customers.tsx';

export const GRANT_PATH = '/console/customers/grant';
export const REFUND_PATH = '/console/customers/refund';

/** The api Worker grants so much with one order. */
export const MOST_GRANTED_MICRO_USDC = 100_000_000;
/** Names of packs begin so: what bought credits is not given back as credits. */
const PACK = 'credits_';

export type CustomerShown = CustomerPage & {
  /** Payments that the ledger still lists; undefined where they could not be read. */
  payments: readonly PaymentListItem[] | undefined;
  /** Of the forms of this page: one change for each, however often it is sent. */
  nonce: string;
};

/** `/console/customers/account?address=`: what an account can spend, what happened in it, and what its address bought. */
export const renderCustomer = (shown: CustomerShown): Html => {
  const { address, account, createdAtMs, credits, entries, nonce } = shown;
  const name = toCustomerName(shown);
  return (
    <>
      <dl class="facts">
        <Ways {...shown} />
        <dt>Account</dt>
        <dd>
          <LongId id={account} />, since <Time ms={createdAtMs} />;{' '}
          <a href={`/console/cards?account=${account}`}>cards</a>
        </dd>
        {credits.read ? (
          <>
            <dt>Balance</dt>
            <dd>{formatMicroUsdc(credits.balanceMicroUsdc)} USDC</dd>
            <dt>Held by running calls</dt>
            <dd>{formatMicroUsdc(credits.reservedMicroUsdc)} USDC</dd>
            <dt>Top-ups under way</dt>
            <dd>{formatMicroUsdc(credits.pendingMicroUsdc)} USDC</dd>
          </>
        ) : null}
      </dl>
      {credits.read ? null : <CouldNotLook>the balance. Try again in a moment.</CouldNotLook>}
      <h2>Grant credits</h2>
      <GrantForm name={name} nonce={nonce} />
      <h2>Entries</h2>
      {entries.read ? (
        <Entries name={name} entries={entries.entries} nonce={nonce} />
      ) : (
        <CouldNotLook>what happened in the account. Try again in a moment.</CouldNotLook>
      )}
      {entries.read && entries.next !== undefined ? (
        <p>
          <a href={`${formatCustomerHref(name)}&before=${entries.next}`}>Older entries</a>
        </p>
      ) : null}
      {address === '' ? null : (
        <>
          <h2>Payments of the last day</h2>
          <Payments {...shown} />
        </>
      )}
    </>
  );
};

/** A whole address, which wraps where it must. */
export const formatAddress = (address: string): Html => <code class="long">{address}</code>;

const GrantForm = ({ name, nonce }: { name: CustomerName; nonce: string }) => (
  <form method="get" action={GRANT_PATH} class="fields">
    <HiddenFields fields={{ ...name, nonce }} />
    <div>
      <label for="usdc">USDC, at most {formatMicroUsdc(MOST_GRANTED_MICRO_USDC)}</label>
      <input id="usdc" name="usdc" inputmode="decimal" required maxlength={10} autocomplete="off" />
    </div>
    <button class="small">Grant credits</button>
  </form>
);

const KINDS: Readonly<Record<CreditEntry['kind'], string>> = {
  top_up: 'Top-up',
  call: 'Paid call',
  grant: 'Grant',
  refund_call: 'Refund of a call',
  refund_payment: 'Refund of a payment',
  card: 'Bought by card',
  card_refund: 'Refunded to the card',
  card_refund_undone: 'Refund to the card that failed',
  card_dispute: 'Disputed',
  card_dispute_undone: 'Dispute that ended for us',
};
const TOP_UPS = { open: 'Top-up under way', credited: 'Top-up', lost: 'Top-up lost: look at it' } as const;

const describeEntry = (entry: CreditEntry): string =>
  entry.kind === 'top_up' ? TOP_UPS[entry.state] : KINDS[entry.kind];

const COLUMNS = ['Date', 'Entry', { number: 'USDC' }, { number: 'Balance' }, 'Bought', 'Reason', 'Action'];

const Entries = ({ name, entries, nonce }: { name: CustomerName; entries: readonly CreditEntry[]; nonce: string }) =>
  entries.length === 0 ? (
    <EmptyState title="Nothing happened in this account">
      Top-ups, calls that credits paid for, grants and refunds are listed here.
    </EmptyState>
  ) : (
    <WideTable
      caption="Entries, newest first"
      columns={COLUMNS}
      file={formatCustomerHref(name).replace(CUSTOMER_PATH, `${CUSTOMER_PATH}.csv`)}
      isStacking
    >
      {entries.map((entry) => (
        <tr>
          <th scope="row" class="instant">
            <Time ms={entry.atMs} />
          </th>
          <td data-column="Entry">{describeEntry(entry)}</td>
          <td class="number" data-column="USDC">
            {formatMicroUsdc(entry.amountMicroUsdc)}
          </td>
          <td class="number" data-column="Balance">
            {'balanceMicroUsdc' in entry ? formatMicroUsdc(entry.balanceMicroUsdc) : ''}
          </td>
          <td data-column="Bought">{entry.capability ?? ''}</td>
          <td data-column="Reason">{'reason' in entry ? <Reason entry={entry} /> : ''}</td>
          <td>
            <RefundLink entry={entry} name={name} nonce={nonce} />
          </td>
        </tr>
      ))}
    </WideTable>
  );

const Reason = ({ entry }: { entry: Extract<CreditEntry, { by: string }> }) => (
  <>
    <bdi>{entry.reason}</bdi>
    <div class="small">
      by operator <LongId id={entry.by} />
    </div>
  </>
);

const RefundLink = ({ entry, name, nonce }: { entry: CreditEntry; name: CustomerName; nonce: string }) => {
  if (entry.kind !== 'call') return <></>;
  if (entry.isRefunded) return <>Given back</>;
  const fields = { ...name, nonce, call: entry.callId };
  return <a href={`${REFUND_PATH}?${new URLSearchParams(fields).toString()}`}>Give back</a>;
};

const canGiveBack = ({ state, capability, proof }: PaymentListItem): boolean =>
  state === 'settled' && proof.seen !== 'missing' && !capability.startsWith(PACK);

const PAYMENT_COLUMNS = ['Date', 'State', { number: 'USDC' }, 'Bought', 'Paid by', 'Id in logs', 'Action'];

const Payments = ({ payments, address, nonce }: CustomerShown) => {
  if (payments === undefined) return <CouldNotLook>the payments of this address.</CouldNotLook>;
  if (payments.length === 0)
    return (
      <EmptyState title="No payment is listed">
        The ledger lists a payment for about a day, a credit pack for a month. Older sales are under Money.
      </EmptyState>
    );
  return (
    <WideTable
      caption="Payments of this address, newest first"
      columns={PAYMENT_COLUMNS}
      file={formatPaymentsHref({ state: '', capability: '', payer: address }, { path: `${PAYMENTS_PATH}.csv` })}
      isStacking
    >
      {payments.map((payment) => (
        <tr>
          <th scope="row" class="instant">
            <Time ms={payment.firstClaimedAtMs} />
          </th>
          <td data-column="State">
            <State {...PAYMENT_STATES[payment.state]} />
          </td>
          <td class="number" data-column="USDC">
            {formatMicroUsdc(payment.amountMicroUsdc)}
          </td>
          <td data-column="Bought">{payment.capability}</td>
          <td data-column="Paid by">{payment.method}</td>
          <td data-column="Id in logs">
            <LongId id={payment.id} />
          </td>
          <td>
            {canGiveBack(payment) ? (
              <a href={`${REFUND_PATH}?${new URLSearchParams({ address, nonce, payment: payment.id }).toString()}`}>
                Give back as credits
              </a>
            ) : (
              ''
            )}
          </td>
        </tr>
      ))}
    </WideTable>
  );
};

/** Longest text of an entry in a file. */
const MAX_CELL_CHARS = 300;

/** A page of entries as CSV (rule X8). */
export const formatEntriesCsv = (entries: readonly CreditEntry[]): string =>
  formatCsv([
    ['date', 'entry', 'usdc', 'balance_usdc', 'bought', 'reason', 'operator'],
    ...entries.map((entry) => [
      formatCsvTime(entry.atMs),
      entry.kind,
      formatUsdcCell(entry.amountMicroUsdc),
      'balanceMicroUsdc' in entry ? formatUsdcCell(entry.balanceMicroUsdc) : '',
      entry.capability ?? '',
      'reason' in entry ? formatPlainLine(entry.reason, MAX_CELL_CHARS) : '',
      'by' in entry ? entry.by : '',
    ]),
  ]);
