import type { Revenue } from '../../console-api/operations.ts';
import type { PayerTotal } from '../../payment/ledger/books.ts';
import { formatPercent } from '../../lib/numbers.ts';
import type { Html } from '../design/shell.tsx';
import { type FunnelLine, listFunnel } from './funnel-lines.ts';
import { formatMoneyFileHref } from './money-files.ts';
import { formatMicroUsdc, formatPayments, listEngineDays } from './money-numbers.ts';
import { formatPaymentsHref } from './payments.tsx';
import { formatSoldName } from './sold-names.ts';
import { CouldNotLook, LongId, WideTable } from './tables.tsx';

const FUNNEL_COLUMNS = [
  'Capability',
  { number: 'Price asked' },
  { number: 'Paid' },
  { number: 'Delivered' },
  { number: 'On credits' },
  { number: 'Given back' },
  { number: 'Not settled' },
  { number: 'Not found later' },
];

/** Where buyers stop. */
export const Funnel = ({ revenue }: { revenue: Revenue }): Html => {
  const lines = listFunnel(revenue);
  if (lines.length === 0) return <p>No price was asked for, and nothing was sold.</p>;
  return (
    <>
      {revenue.unpaid.read ? null : <CouldNotLook>how often prices were asked for.</CouldNotLook>}
      <WideTable
        caption="From the price to the delivery"
        columns={FUNNEL_COLUMNS}
        file={formatMoneyFileHref('funnel', revenue)}
        isStacking
      >
        {lines.map((line) => (
          <FunnelRow line={line} isBooked={revenue.lines.some(({ capability }) => capability === line.capability)} />
        ))}
      </WideTable>
      <p class="small prose">
        Price asked: answers 402 over HTTP and calls over MCP without a payment, as far as they were counted. Paid: good
        payments that work began on. Delivered: settled with a result. Given back: the work failed, and nothing was
        charged. Not settled: the facilitator refused. Not found later: the chain no longer shows the transfer. Price
        asked can be lower than Paid: programs may pay without asking first, and an isolate that ends loses counts.
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
        <Leading
          isKnown={isBooked}
          text={formatSoldName(capability)}
          href={formatPaymentsHref({ state: '', payer: '', capability })}
        />
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
      <Count column="Not found later" count={lost} />
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

export type TopPayersShown = {
  payers: readonly PayerTotal[] | undefined;
  /** When they paid, as the end of a sentence; undefined for a day that is no longer kept. */
  when: string | undefined;
  file: string;
};

/** Who paid most, today and the day before at most: longer the service keeps no one's purchases. */
export const TopPayers = ({ payers, when, file }: TopPayersShown): Html => {
  if (when === undefined) return <p>Who paid is stored for today and yesterday only.</p>;
  if (payers === undefined) return <CouldNotLook>who paid most.</CouldNotLook>;
  if (payers.length === 0) return <p>No one paid {when}.</p>;
  return (
    <WideTable
      caption={`Who paid most ${when}`}
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
  const days = listEngineDays(revenue);
  if (days.length === 0) return <p>No measurement ended in these days, so no engine was paid.</p>;
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
        file={formatMoneyFileHref('engines', revenue)}
        isStacking
      >
        {days.map(({ day, measurements, costMicroUsd, netMicroUsdc }) => (
          <tr>
            <th scope="row">{day}</th>
            <td class="number" data-column="Measurements">
              {measurements}
            </td>
            <td class="number" data-column="Engines, USD">
              {formatMicroUsdc(costMicroUsd)}
            </td>
            <td class="number" data-column="Revenue, USDC">
              {formatMicroUsdc(netMicroUsdc)}
            </td>
            <td class="number" data-column="Share">
              {netMicroUsdc <= 0 ? 'no revenue' : formatPercent(costMicroUsd / netMicroUsdc)}
            </td>
          </tr>
        ))}
      </WideTable>
      <p class="small">
        Estimated: prompts that were asked, at the price of their engine for 30 answers. A measurement whose prompts
        were not counted yet is {formatMicroUsdc(engine.microUsdPerRun)} USD. The engine’s own bill is what counts.
      </p>
    </>
  );
};
