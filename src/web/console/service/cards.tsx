import type { CardPurchasePage, CardPurchasesPage, CardsOwedNow } from '../../../console-api/cards.ts';
import { formatPlainLine } from '../../../lib/safe-text.ts';
import type { CardPurchaseView } from '../../../payment/cards/protocol.ts';
import { EmptyState } from '../../design/empty-state.tsx';
import { Time } from '../../design/parts.tsx';
import type { Html } from '../../design/shell.tsx';
import { HiddenFields } from '../forms.tsx';
import { formatCents } from '../money-files.ts';
import { formatMicroUsdc } from '../money-numbers.ts';
import { CouldNotLook, formatCsv, formatCsvTime, LongId, State, type StateWord, WideTable } from '../tables.tsx';

export const CARDS_PATH = '/console/cards';
export const CARD_PURCHASE_PATH = '/console/cards/purchase';
export const CARD_REFUND_PATH = '/console/cards/refund';

export const formatCardHref = (id: string): string => `${CARD_PURCHASE_PATH}?id=${id}`;

const STATES: Readonly<Record<CardPurchaseView['state'], StateWord>> = {
  starting: { text: 'Starting', mood: 'idle' },
  open: { text: 'Open', mood: 'idle' },
  processing: { text: 'At the bank', mood: 'warn' },
  paid: { text: 'Paid', mood: 'good' },
  failed: { text: 'Failed', mood: 'idle' },
  expired: { text: 'Expired', mood: 'idle' },
  refused: { text: 'Not begun', mood: 'idle' },
  mismatched: { text: 'Other amount paid: refund it', mood: 'bad' },
};

const ORDERS: Readonly<Record<CardPurchaseView['refunds'][number]['state'], StateWord>> = {
  wanted: { text: 'Credits not taken yet', mood: 'warn' },
  held: { text: 'Stripe has not answered', mood: 'warn' },
  done: { text: 'Refunded', mood: 'good' },
  failed: { text: 'Not refunded', mood: 'bad' },
};

const COLUMNS = [
  'Begun',
  'State',
  'Pack',
  { number: 'USD' },
  { number: 'Refunded' },
  { number: 'Disputed' },
  'Account',
  'Action',
];

/** `/console/cards`: purchases by card, newest first. */
export const renderCardPurchases = ({ purchases, next, account, owed }: CardsShown): Html => (
  <>
    {owed === undefined ? null : <Owed {...owed} />}
    <form method="get" action={CARDS_PATH} class="fields wide">
      <div>
        <label for="account">Number of an account</label>
        <input id="account" name="account" maxlength={32} value={account} autocomplete="off" spellcheck={false} />
      </div>
      <button class="small">Show</button>
    </form>
    {purchases.length === 0 ? (
      <EmptyState title="No purchase by card" level={2}>
        Purchases are listed here from the moment in which someone goes to the payment page.
      </EmptyState>
    ) : (
      <WideTable
        caption="Purchases by card, newest first"
        columns={COLUMNS}
        file={`${CARDS_PATH}.csv${account === '' ? '' : `?account=${account}`}`}
        isStacking
      >
        {purchases.map((purchase) => (
          <PurchaseRow purchase={purchase} />
        ))}
      </WideTable>
    )}
    {next === undefined ? null : (
      <p>
        <a href={`${CARDS_PATH}?${new URLSearchParams({ account, before: String(next) }).toString()}`}>
          Older purchases
        </a>
      </p>
    )}
  </>
);

type CardsShown = CardPurchasesPage & { account: string; owed?: CardsOwedNow };

const OWED_COLUMNS = ['Since', 'Account', { number: 'Below zero, USD' }, 'Purchase'];

/** Credits that were spent, and whose money went back: nothing is sold to these accounts until it is made up for. */
const Owed = ({ overdrafts, openDisputes, isPartial }: CardsOwedNow) => (
  <>
    {openDisputes === 0 ? null : (
      <p class="warning" role="status">
        {openDisputes} {openDisputes === 1 ? 'dispute is' : 'disputes are'} open. Answer at Stripe, which says until
        when.
      </p>
    )}
    {isPartial ? <CouldNotLook>what some of these accounts have now.</CouldNotLook> : null}
    {overdrafts.length === 0 ? null : (
      <WideTable caption="Accounts below zero after a refund or a dispute" columns={OWED_COLUMNS} isStacking>
        {overdrafts.map(({ atMs, account, owedMicroUsdc, purchase }) => (
          <tr>
            <th scope="row" class="instant">
              <Time ms={atMs} />
            </th>
            <td data-column="Account">
              <a href={`/console/customers/account?account=${account}`}>
                <LongId id={account} />
              </a>
            </td>
            <td class="number" data-column="Below zero, USD">
              {formatMicroUsdc(owedMicroUsdc)}
            </td>
            <td data-column="Purchase">
              <a href={formatCardHref(purchase)}>Look</a>
            </td>
          </tr>
        ))}
      </WideTable>
    )}
  </>
);

const PurchaseRow = ({ purchase }: { purchase: CardPurchaseView }) => {
  const { id, atMs, state, pack, cents, refundedCents, disputedCents, account, isSynced } = purchase;
  return (
    <tr>
      <th scope="row" class="instant">
        <Time ms={atMs} />
      </th>
      <td data-column="State">
        <State {...STATES[state]} />
        {isSynced ? null : <div class="small">the account does not have it yet</div>}
      </td>
      <td data-column="Pack">{pack}</td>
      <td class="number" data-column="USD">
        {formatCents(cents)}
      </td>
      <td class="number" data-column="Refunded">
        {formatCents(refundedCents)}
      </td>
      <td class="number" data-column="Disputed">
        {formatCents(disputedCents)}
      </td>
      <td data-column="Account">
        <LongId id={account} />
      </td>
      <td>
        <a href={formatCardHref(id)}>Look</a>
      </td>
    </tr>
  );
};

const MICRO_PER_CENT = 10_000;

/** What can go back to the card now, in cents: what is left of the payment, and unspent. */
export function computeRefundableCents({ purchase, credits }: CardPurchasePage): number {
  if (purchase.state === 'mismatched' && purchase.disputedCents === 0)
    return purchase.refundedCents > 0 ? 0 : purchase.cents; // The whole payment, whatever it was.
  if (purchase.state !== 'paid' || purchase.disputedCents > 0 || !credits.read) return 0;
  const unspent = Math.floor(Math.max(0, credits.balanceMicroUsdc) / MICRO_PER_CENT);
  return Math.min(purchase.cents - purchase.refundedCents, unspent);
}

/** `/console/cards/purchase?id=`: one purchase, its refunds, and the form of another. */
export const renderCardPurchasePage = (shown: CardPurchasePage & { nonce: string }): Html => {
  const { purchase, credits, nonce } = shown;
  const { id, account, pack, cents, atMs, state, paidAtMs, refundedCents, disputedCents, refunds } = purchase;
  const refundable = computeRefundableCents(shown);
  return (
    <>
      <dl class="facts">
        <dt>Purchase</dt>
        <dd>
          <LongId id={id} />, begun <Time ms={atMs} />
        </dd>
        <dt>State</dt>
        <dd>
          <State {...STATES[state]} /> {paidAtMs === undefined ? null : <Time ms={paidAtMs} />}
        </dd>
        <dt>Pack</dt>
        <dd>
          {pack}, {formatCents(cents)} USD
        </dd>
        <dt>Refunded</dt>
        <dd>{formatCents(refundedCents)} USD</dd>
        <dt>Disputed</dt>
        <dd>{formatCents(disputedCents)} USD</dd>
        <dt>Account</dt>
        <dd>
          <a href={`/console/customers/account?account=${account}`}>
            <LongId id={account} />
          </a>
          , its <a href={`${CARDS_PATH}?account=${account}`}>purchases by card</a>
        </dd>
        <dt>Can go back</dt>
        <dd>{formatCents(refundable)} USD</dd>
      </dl>
      {credits.read ? null : <CouldNotLook>what the account has. Try again in a moment.</CouldNotLook>}
      <h2>Refund to the card</h2>
      {refundable < 1 ? (
        <p>Nothing of this purchase can go back: it is not paid, gone back already, disputed, or spent.</p>
      ) : (
        <form method="get" action={CARD_REFUND_PATH} class="fields">
          <HiddenFields fields={{ id, nonce }} />
          <div>
            <label for="usd">
              {state === 'mismatched'
                ? 'USD of the pack: all that was paid goes back, whatever it was'
                : `USD, at most ${formatCents(refundable)}`}
            </label>
            <input
              id="usd"
              name="usd"
              inputmode="decimal"
              required
              maxlength={10}
              autocomplete="off"
              value={formatCents(refundable)}
            />
          </div>
          <button class="small">Refund</button>
        </form>
      )}
      <h2>Refunds that were ordered here</h2>
      <Refunds refunds={refunds} />
    </>
  );
};

const Refunds = ({ refunds }: Pick<CardPurchaseView, 'refunds'>) =>
  refunds.length === 0 ? (
    <p>None. Refunds that are made at Stripe count above, and are listed there.</p>
  ) : (
    <WideTable caption="Refunds" columns={['Date', 'State', { number: 'USD' }, 'Reason']} isStacking>
      {refunds.map(({ atMs, state, cents, reason, by, failure }) => (
        <tr>
          <th scope="row" class="instant">
            <Time ms={atMs} />
          </th>
          <td data-column="State">
            <State {...ORDERS[state]} />
            {failure === undefined ? null : <div class="small">{formatPlainLine(failure, MAX_CELL_CHARS)}</div>}
          </td>
          <td class="number" data-column="USD">
            {formatCents(cents)}
          </td>
          <td data-column="Reason">
            <bdi>{reason}</bdi>
            <div class="small">
              by operator <LongId id={by} />
            </div>
          </td>
        </tr>
      ))}
    </WideTable>
  );

/** Longest text of a cell. */
const MAX_CELL_CHARS = 100;

/** A page of purchases as CSV (rule X8). */
export const formatCardsCsv = (purchases: readonly CardPurchaseView[]): string =>
  formatCsv([
    ['begun', 'state', 'pack', 'usd', 'refunded_usd', 'disputed_usd', 'paid', 'account', 'purchase'],
    ...purchases.map(({ atMs, state, pack, cents, refundedCents, disputedCents, paidAtMs, account, id }) => [
      formatCsvTime(atMs),
      state,
      pack,
      formatCents(cents),
      formatCents(refundedCents),
      formatCents(disputedCents),
      formatCsvTime(paidAtMs),
      account,
      id,
    ]),
  ]);
