import type { Revenue } from '../../console-api/operations.ts';
import type { CardDay } from '../../payment/cards/rows.ts';
import { formatCents, formatMoneyFileHref } from './money-files.ts';
import { CouldNotLook, WideTable } from './tables.tsx';

const sumCents = (days: readonly CardDay[], kind: CardDay['kind']): number =>
  days.filter((day) => day.kind === kind).reduce((sum, { cents }) => sum + cents, 0);

const KINDS: Readonly<Record<CardDay['kind'], string>> = { paid: 'Paid', refund: 'Refunded', dispute: 'Disputed' };

/** What cards paid, apart from the ledger of USDC: other money, at another place, with fees that are not known here. */
export const CardMoney = ({ revenue }: { revenue: Revenue }) => {
  const { cards } = revenue;
  if (cards === undefined) return <p>This version of the api Worker counts no cards.</p>;
  if (!cards.read) return <CouldNotLook>what cards paid.</CouldNotLook>;
  const { days } = cards;
  if (days.length === 0) return <p>No card paid.</p>;
  const [paid, refunded, disputed] = [sumCents(days, 'paid'), sumCents(days, 'refund'), sumCents(days, 'dispute')];
  return (
    <>
      <p>
        {formatCents(paid)} USD paid, {formatCents(refunded)} refunded, {formatCents(disputed)} disputed. It is not in
        the revenue above, which is USDC; the fees of Stripe are not taken off.{' '}
        <a href="/console/cards">Each purchase</a>
      </p>
      <WideTable
        caption="Paid by card, by day and pack"
        columns={['Day', 'Pack', 'What', { number: 'Count' }, { number: 'USD' }]}
        file={formatMoneyFileHref('cards', revenue)}
        isStacking
      >
        {days.map(({ day, pack, kind, count, cents }) => (
          <tr>
            <th scope="row">{day}</th>
            <td data-column="Pack">{pack}</td>
            <td data-column="What">{KINDS[kind]}</td>
            <td class="number" data-column="Count">
              {count}
            </td>
            <td class="number" data-column="USD">
              {formatCents(cents)}
            </td>
          </tr>
        ))}
      </WideTable>
    </>
  );
};
