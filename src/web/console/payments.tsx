import type { PaymentsPage } from '../../console-api/operations.ts';
import type { PaymentProof, PaymentState } from '../../payment/ledger/list.ts';
import type { PaymentListItem } from '../../payment/ledger/survey.ts';
import { OutLink, Time } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import { formatMicroUsdc } from './money-numbers.ts';
import { UnreadShards, WideTable, State, type StateWord } from './tables.tsx';

/** States of a payment in the words of the page, and how much they ask for attention. */
export const PAYMENT_STATES: Readonly<Record<PaymentState, StateWord>> = {
  settled: { text: 'Settled', mood: 'good' },
  settling: { text: 'Settling', mood: 'idle' },
  unknown: { text: 'Settlement unknown', mood: 'warn' },
  refused: { text: 'Refused', mood: 'bad' },
  claimed: { text: 'Work runs', mood: 'idle' },
  released: { text: 'Released, not charged', mood: 'idle' },
};

/** `state`: the only one that is shown. */
export type PaymentsShown = PaymentsPage & { state: PaymentState | undefined };

const COLUMNS = ['First seen', 'State', 'Capability', 'USDC', 'Payer', 'Proof', 'Transaction', 'Attempt', 'Id in logs'];

/** `/console/payments`: the payments that the ledger still keeps, about a day of them. */
export const renderPayments = ({ payments, next, shards, unread, state }: PaymentsShown): Html => (
  <>
    <p>
      The ledger stores a payment for about a day, a credit pack for a month, and an unfinished payment until it ends.
      Older sales are under <a href="/console/money">Money</a>.
    </p>
    <Filter state={state} />
    <UnreadShards unread={unread} shards={shards} />
    {payments.length === 0 ? (
      <p>{unread === 0 ? 'There is no such payment.' : 'No such payment was found.'}</p>
    ) : (
      <WideTable caption="Payments, newest first" columns={COLUMNS}>
        {payments.map((payment) => (
          <Row payment={payment} />
        ))}
      </WideTable>
    )}
    {next === undefined ? null : (
      <p>
        <a href={formatOlderHref(next, state)}>Older payments</a>
      </p>
    )}
  </>
);

function formatOlderHref(cursor: string, state: PaymentState | undefined): string {
  const query = new URLSearchParams({ ...(state === undefined ? {} : { state }), cursor });
  return `/console/payments?${query.toString()}`;
}

const Filter = ({ state }: { state: PaymentState | undefined }) => (
  <form method="get" action="/console/payments" class="buttons">
    <label for="state">State</label>
    <select id="state" name="state">
      <option value="">All</option>
      {Object.entries(PAYMENT_STATES).map(([value, { text }]) => (
        <option value={value} selected={value === state}>
          {text}
        </option>
      ))}
    </select>
    <button class="small">Show</button>
  </form>
);

const Row = ({ payment }: { payment: PaymentListItem }) => {
  return (
    <tr>
      <th scope="row">
        <Time ms={payment.firstClaimedAtMs} />
      </th>
      <td>
        <State {...PAYMENT_STATES[payment.state]} />
        {payment.reason === undefined ? null : <div class="small">{payment.reason}</div>}
        {payment.settledAtMs === undefined ? null : (
          <div class="small">
            <Time ms={payment.settledAtMs} />
          </div>
        )}
        {payment.failures === 0 ? null : <div class="small">{formatFailures(payment.failures)}</div>}
      </td>
      <td>{payment.capability}</td>
      <td class="number">{formatMicroUsdc(payment.amountMicroUsdc)}</td>
      <td>
        <code>{payment.payer}</code>
      </td>
      <td>
        <Proof proof={payment.proof} />
      </td>
      <td>{payment.transaction === undefined ? 'none yet' : <Transaction hash={payment.transaction} />}</td>
      <td class="number">{payment.attempt}</td>
      <td>
        <code>{payment.id}</code>
      </td>
    </tr>
  );
};

const formatFailures = (count: number): string => `${count} ${count === 1 ? 'failure' : 'failures'}, not charged`;

const Transaction = ({ hash }: { hash: string }) => <OutLink href={`https://basescan.org/tx/${hash}`}>{hash}</OutLink>;

const SEEN: Readonly<Record<NonNullable<PaymentProof['seen']>, string>> = {
  found: 'Checked again on the chain: the transfer is there',
  missing: 'Checked again on the chain: the transfer is missing',
  due: 'A second check on the chain is due',
  not_chosen: 'Not in the sample that is checked again on the chain',
};

const Proof = ({ proof }: { proof: PaymentProof }) => (
  <>
    {proof.by === 'signature' ? 'Signed authorization' : 'Transfer on chain'}
    <div class="small">
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
