import type { Revenue } from '../../console-api/operations.ts';
import type { PayerTotal } from '../../payment/ledger/books.ts';
import { formatPercent } from '../../lib/numbers.ts';
import type { Html } from '../design/shell.tsx';
import { formatMicroUsdc, formatPayments, listRevenueDays } from './money-numbers.ts';
import { formatPaymentsHref } from './payments.tsx';
import { CouldNotLook, LongId, WideTable } from './tables.tsx';

/** How far buyers came with one capability. Counts of what is not known are undefined. */
export type FunnelLine = {
  capability: string;
  asked: number | undefined;
  begun: number;
  delivered: number;
  onCredits: number | undefined;
  givenBack: number;
  failed: number;
  lost: number;
};

/** From the price to the delivery, a line a capability, those that are sold most first. */
export function listFunnel({ lines, unpaid, creditUses }: Revenue): FunnelLine[] {
  const sumOf = (found: readonly { capability: string; count: number }[]): Map<string, number> => {
    const sums = new Map<string, number>();
    for (const { capability, count } of found) sums.set(capability, (sums.get(capability) ?? 0) + count);
    return sums;
  };
  const of = (kind: string): Map<string, number> => sumOf(lines.filter((line) => line.kind === kind));
  const [sales, released, failures, lost] = [of('sale'), of('released'), of('failure'), of('lost')];
  const asked = unpaid.read ? sumOf(unpaid.counts) : undefined;
  const credits = creditUses.read ? sumOf(creditUses.uses) : undefined;
  const all = [sales, released, failures, lost, asked, credits].flatMap((sums) => [...(sums?.keys() ?? [])]);
  return [...new Set(all)]
    .map((capability) => {
      const countOf = (sums: Map<string, number>): number => sums.get(capability) ?? 0;
      const [delivered, givenBack, failed] = [countOf(sales), countOf(released), countOf(failures)];
      return {
        capability,
        asked: asked && countOf(asked),
        begun: delivered + givenBack + failed,
        delivered,
        onCredits: credits && countOf(credits),
        givenBack,
        failed,
        lost: countOf(lost),
      };
    })
    .toSorted((a, b) => b.delivered - a.delivered || b.begun - a.begun || (b.asked ?? 0) - (a.asked ?? 0));
}

const FUNNEL_COLUMNS = [
  'Capability',
  { number: 'Price asked' },
  { number: 'Paid' },
  { number: 'Delivered' },
  { number: 'On credits' },
  { number: 'Given back' },
  { number: 'Not settled' },
  { number: 'Lost later' },
];

/** Where buyers stop. */
export const Funnel = ({ revenue }: { revenue: Revenue }): Html => {
  const lines = listFunnel(revenue);
  if (lines.length === 0) return <p>No price was asked for, and nothing was sold.</p>;
  return (
    <>
      {revenue.unpaid.read ? null : <CouldNotLook>how often prices were asked for.</CouldNotLook>}
      <WideTable caption="From the price to the delivery" columns={FUNNEL_COLUMNS} isStacking>
        {lines.map((line) => (
          <FunnelRow line={line} isBooked={revenue.lines.some(({ capability }) => capability === line.capability)} />
        ))}
      </WideTable>
      <p class="small prose">
        Price asked: answers 402 over HTTP, as far as they were counted. Paid: good payments that work began on.
        Delivered: settled with a result. Given back: the work failed, and nothing was charged. Not settled: the
        facilitator refused. Lost later: the chain does not show the transfer any more.
      </p>
    </>
  );
};

const FunnelRow = ({ line, isBooked }: { line: FunnelLine; isBooked: boolean }) => {
  const { capability, asked, begun, delivered, onCredits, givenBack, failed, lost } = line;
  const share = begun === 0 ? '' : ` (${formatPercent(delivered / begun)})`;
  return (
    <tr>
      <th scope="row">
        <Leading isKnown={isBooked} text={capability} href={formatPaymentsHref({ state: '', payer: '', capability })} />
      </th>
      <Count column="Price asked" count={asked} />
      <Count column="Paid" count={begun} />
      <td class="number" data-column="Delivered">
        {delivered}
        {share}
      </td>
      <Count column="On credits" count={onCredits} />
      <Count column="Given back" count={givenBack} />
      <Count column="Not settled" count={failed} />
      <Count column="Lost later" count={lost} />
    </tr>
  );
};

/** What the ledger has no payment of leads nowhere. */
const Leading = ({ isKnown, href, text }: { isKnown: boolean; href: string; text: string }) =>
  isKnown ? <a href={href}>{text}</a> : <>{text}</>;

const ADDRESS = /^0x[0-9a-f]{40}$/;

const Count = ({ column, count }: { column: string; count: number | undefined }) => (
  <td class="number" data-column={column}>
    {count ?? 'not known'}
  </td>
);

/** Who paid most today and the day before: longer the service keeps no one's purchases. */
export const TopPayers = ({ payers, file }: { payers: readonly PayerTotal[] | undefined; file: string }): Html => {
  if (payers === undefined) return <CouldNotLook>who paid most.</CouldNotLook>;
  if (payers.length === 0) return <p>No one paid today or yesterday.</p>;
  return (
    <WideTable
      caption="Who paid most today and yesterday"
      columns={['Payer', { number: 'Paid, USDC' }, { number: 'Sales' }, 'What they bought']}
      file={file}
      isStacking
    >
      {payers.map(({ payer, count, microUsdc }) => (
        <tr>
          <th scope="row">
            <LongId id={payer} />
          </th>
          <td class="number" data-column="Paid, USDC">
            {formatMicroUsdc(microUsdc)}
          </td>
          <td class="number" data-column="Sales">
            {count}
          </td>
          <td>
            <Leading
              isKnown={ADDRESS.test(payer)}
              href={formatPaymentsHref({ state: '', capability: '', payer })}
              text={formatPayments(count)}
            />
          </td>
        </tr>
      ))}
    </WideTable>
  );
};

/** What answer engines cost against what came in, by day. */
export const EngineCosts = ({ revenue }: { revenue: Revenue }): Html => {
  const { engine } = revenue;
  if (!engine.read) return <CouldNotLook>the measurements that engines were paid for.</CouldNotLook>;
  const runs = new Map<string, number>();
  for (const { day, runs: count } of engine.runs) runs.set(day, (runs.get(day) ?? 0) + count);
  const days = listRevenueDays(revenue).filter(({ name }) => runs.has(name));
  if (days.length === 0) return <p>No measurement ended in these days, so no engine was paid.</p>;
  const costOf = (day: string): number => (runs.get(day) ?? 0) * engine.microUsdPerRun;
  return (
    <>
      <WideTable
        caption="Cost of engines against revenue by day"
        columns={[
          'Day',
          { number: 'Measurements' },
          { number: 'Engines, USD' },
          { number: 'Revenue, USDC' },
          { number: 'Share' },
        ]}
        isStacking
      >
        {days.toReversed().map(({ name, netMicroUsdc }) => (
          <tr>
            <th scope="row">{name}</th>
            <td class="number" data-column="Measurements">
              {runs.get(name)}
            </td>
            <td class="number" data-column="Engines, USD">
              {formatMicroUsdc(costOf(name))}
            </td>
            <td class="number" data-column="Revenue, USDC">
              {formatMicroUsdc(netMicroUsdc)}
            </td>
            <td class="number" data-column="Share">
              {netMicroUsdc <= 0 ? 'no revenue' : formatPercent(costOf(name) / netMicroUsdc)}
            </td>
          </tr>
        ))}
      </WideTable>
      <p class="small">
        Estimated: measurements that ended, at {formatMicroUsdc(engine.microUsdPerRun)} USD each, as{' '}
        <code>ANSWER_ENGINE_USD_PER_RUN</code> says. The engine’s own bill is what counts.
      </p>
    </>
  );
};
