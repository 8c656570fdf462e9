import type { PaymentsPage } from '../../console-api/operations.ts';
import type { PaymentProof, PaymentState } from '../../payment/ledger/list.ts';
import type { PaymentListItem } from '../../payment/ledger/survey.ts';
import { OutLink, Time } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import { formatMicroUsdc } from './money-numbers.ts';
import { formatSoldName } from './sold-names.ts';
import { formatTimeLeft } from './channels.tsx';
import { formatCsv, formatCsvTime, LongId, UnreadShards, WideTable, State, type StateWord } from './tables.tsx';

/** States of a payment in the words of the page, and how much they ask for attention. */
export const PAYMENT_STATES: Readonly<Record<PaymentState, StateWord>> = {
  settled: { text: 'Settled', mood: 'good' },
  settling: { text: 'Settling', mood: 'idle' },
  unknown: { text: 'Settlement unknown', mood: 'warn' },
  refused: { text: 'Refused', mood: 'bad' },
  claimed: { text: 'Work runs', mood: 'idle' },
  released: { text: 'Released, not charged', mood: 'idle' },
};

/** Of all that is set, everything must hold; '' for what is not. */
export type PaymentFilter = {
  state: PaymentState | '';
  capability: string;
  payer: string;
  /** UTC days, `2026-11-22`; both are among those that are shown. */
  from?: string;
  to?: string;
};

export type PaymentsShown = PaymentsPage & { filter: PaymentFilter; nowMs: number };

export const PAYMENTS_PATH = '/console/payments';
const COLUMNS = [
  'First seen',
  'State',
  { number: 'USDC' },
  'Capability',
  'Paid by',
  'Payer',
  'Transaction',
  'Id in logs',
  'Proof',
];

/** `/console/payments`: the payments that the ledger still keeps, about a day of them, a line each. */
export const renderPayments = (shown: PaymentsShown): Html => {
  const { payments, next, shards, unread, filter, capabilities, nowMs } = shown;
  return (
    <>
      <p class="prose">
        The ledger stores a payment for about a day, a credit pack for a month, and an unfinished payment until it ends.
        What was sold earlier is in the totals of <a href="/console/money?days=400">Money</a>, by day and capability,
        for 400 days.
      </p>
      <Filter filter={filter} capabilities={capabilities} />
      <UnreadShards unread={unread} shards={shards} />
      {payments.length === 0 ? (
        <p>{describeNone(shown)}</p>
      ) : (
        <WideTable
          caption="Payments, newest first"
          columns={COLUMNS}
          file={formatPaymentsHref(filter, { path: `${PAYMENTS_PATH}.csv` })}
          isStacking
        >
          {payments.map((payment) => (
            <Row payment={payment} nowMs={nowMs} />
          ))}
        </WideTable>
      )}
      {next === undefined ? null : (
        <p>
          <a href={formatPaymentsHref(filter, { cursor: next })}>Older payments</a>
        </p>
      )}
    </>
  );
};

const describeNone = ({ next, unread }: Pick<PaymentsPage, 'next' | 'unread'>): string =>
  next === undefined
    ? unread === 0
      ? 'There is no such payment.'
      : 'No such payment was found.'
    : 'No such payment is among those checked so far. Go on with older ones.';

/** Path of a filtered list, at a page of it, or as a file. */
export function formatPaymentsHref(
  { state, capability, payer, from = '', to = '' }: PaymentFilter,
  { cursor = '', path = PAYMENTS_PATH }: { cursor?: string; path?: string } = {},
): string {
  const fields = Object.entries({ state, capability, payer, from, to, cursor }).filter(([, text]) => text !== '');
  const query = new URLSearchParams(fields).toString();
  return query === '' ? path : `${path}?${query}`;
}

const Filter = ({ filter, capabilities }: Pick<PaymentsShown, 'filter' | 'capabilities'>) => (
  <form method="get" action={PAYMENTS_PATH} class="fields">
    <div>
      <label for="state">State</label>
      <select id="state" name="state">
        <option value="">All</option>
        {Object.entries(PAYMENT_STATES).map(([value, { text }]) => (
          <option value={value} selected={value === filter.state}>
            {text}
          </option>
        ))}
      </select>
    </div>
    <div>
      <label for="capability">Capability</label>
      <select id="capability" name="capability">
        <option value="">All</option>
        {capabilities.map((name) => (
          <option value={name} selected={name === filter.capability}>
            {formatSoldName(name)}
          </option>
        ))}
      </select>
    </div>
    <div>
      <label for="payer">Payer’s address</label>
      <input id="payer" name="payer" maxlength={42} value={filter.payer} autocomplete="off" spellcheck={false} />
    </div>
    <DayField name="from" label="From day" value={filter.from} />
    <DayField name="to" label="To day" value={filter.to} />
    <button class="small">Show</button>
  </form>
);

/** A day as everywhere here; a field of the type `date` would show it as the browser's country writes it. */
const DayField = ({ name, label, value = '' }: { name: string; label: string; value?: string | undefined }) => (
  <div>
    <label for={name}>{label}</label>
    <input
      id={name}
      name={name}
      maxlength={10}
      value={value}
      placeholder="2026-11-22"
      pattern="\d{4}-\d{2}-\d{2}"
      title="A UTC day, such as 2026-11-22"
      autocomplete="off"
    />
  </div>
);

const Row = ({ payment, nowMs }: { payment: PaymentListItem; nowMs: number }) => (
  <tr>
    <th scope="row" class="instant">
      <Time ms={payment.firstClaimedAtMs} />
      <div class="small">{formatTimeLeft(payment.firstClaimedAtMs - nowMs)}</div>
    </th>
    <td data-column="State">
      <State {...PAYMENT_STATES[payment.state]} />
    </td>
    <td class="number" data-column="USDC">
      {formatMicroUsdc(payment.amountMicroUsdc)}
    </td>
    <td data-column="Capability">{formatSoldName(payment.capability)}</td>
    <td data-column="Paid by">{payment.method}</td>
    <td data-column="Payer">
      <LongId id={payment.payer} />
    </td>
    <td data-column="Transaction">
      {payment.transaction === undefined ? 'none yet' : <Transaction hash={payment.transaction} />}
    </td>
    <td data-column="Id in logs">
      <LongId id={payment.id} />
    </td>
    <td>
      <Details payment={payment} />
    </td>
  </tr>
);

/** What shows that the payment is one, and what became of it: a line until it is opened. */
const Details = ({ payment }: { payment: PaymentListItem }) => {
  const { proof, reason, settledAtMs, failures, attempt } = payment;
  return (
    <details>
      <summary>{proof.by === 'signature' ? 'Signature' : 'Transfer'}</summary>
      {reason === undefined ? null : <div class="small">Refused: {reason}</div>}
      {settledAtMs === undefined ? null : (
        <div class="small">
          Settled <Time ms={settledAtMs} />
        </div>
      )}
      <div class="small">
        First seen <Time ms={payment.firstClaimedAtMs} />, attempt {attempt}
      </div>
      {failures === 0 ? null : <div class="small">{formatFailures(failures)}</div>}
      <Proof proof={proof} />
    </details>
  );
};

const formatFailures = (count: number): string => `${count} ${count === 1 ? 'failure' : 'failures'}, not charged`;

const Transaction = ({ hash }: { hash: string }) => (
  <OutLink href={`https://basescan.org/tx/${hash}`}>
    <LongId id={hash} />
  </OutLink>
);

const SEEN: Readonly<Record<NonNullable<PaymentProof['seen']>, string>> = {
  found: 'Checked again on the chain: the transfer is there',
  missing: 'Checked again on the chain: the transfer is missing',
  due: 'A second check on the chain is due',
  not_chosen: 'Not in the sample that is checked again on the chain',
};

const Proof = ({ proof }: { proof: PaymentProof }) => (
  <>
    <div class="small">
      {proof.by === 'signature' ? 'Signed authorization, ' : 'Transfer on chain, '}
      {proof.verified ? 'verified' : 'not verified yet'}
      {proof.by === 'transfer' ? (proof.provenPayer ? ', payer proven' : ', bare hash') : ''}
    </div>
    {proof.blockTimeS === undefined ? null : (
      <div class="small">
        Block of <Time ms={proof.blockTimeS * 1000} />
      </div>
    )}
    {proof.validBeforeS === undefined ? null : (
      <div class="small">
        Valid before <Time ms={proof.validBeforeS * 1000} />
      </div>
    )}
    {proof.seen === undefined ? null : (
      <div class="small">{proof.seen === 'missing' ? <strong>{SEEN.missing}</strong> : SEEN[proof.seen]}</div>
    )}
  </>
);

/** A page of payments as CSV (rule X8). */
export const formatPaymentsCsv = ({ payments }: Pick<PaymentsPage, 'payments'>): string =>
  formatCsv([
    [
      'first_seen',
      'state',
      'capability',
      'usdc',
      'payer',
      'transaction',
      'id_in_logs',
      'attempt',
      'settled',
      'reason',
      'paid_by',
    ],
    ...payments.map((payment) => [
      formatCsvTime(payment.firstClaimedAtMs),
      payment.state,
      payment.capability,
      (payment.amountMicroUsdc / 1_000_000).toFixed(6),
      payment.payer,
      payment.transaction ?? '',
      payment.id,
      payment.attempt,
      formatCsvTime(payment.settledAtMs),
      payment.reason ?? '',
      payment.method,
    ]),
  ]);
