import type { Revenue } from '../../console-api/operations.ts';
import { formatPercent } from '../../lib/numbers.ts';
import type { PayerTotal } from '../../payment/ledger/books.ts';
import { Bar, Time } from '../design/parts.tsx';
import type { Html } from '../design/shell.tsx';
import {
  listRevenueCapabilities,
  isMoney,
  listCreditUses,
  listFailures,
  listRevenueDays,
  listRevenueLines,
  type RevenueGroup,
  groupRevenue,
  type Sums,
  sumRevenue,
  formatMicroUsdc,
} from './money-numbers.ts';
import { CardMoney } from './card-money.tsx';
import { formatMoneyFileHref } from './money-files.ts';
import { EngineCosts, Funnel, TopPayers } from './funnel.tsx';
import { formatNamedDay, formatRangeQuery, RANGES } from './money-range.ts';
import { formatSoldName } from './sold-names.ts';
import { CouldNotLook, UnreadShards, WideTable } from './tables.tsx';

const WIDTH = 1000;
const HEIGHT = 240;

/**
 * Revenue by day as columns. Where scripts run, `revenue.ts` draws curves in the same box from the days and amounts
 * that are in `data-days` and `data-micro-usdc`, with values to read off.
 */
const RevenueChart = ({ days }: { days: readonly RevenueGroup[] }) => {
  const most = Math.max(1, ...days.map(({ netMicroUsdc }) => netMicroUsdc));
  const step = WIDTH / Math.max(1, days.length);
  const best = days.reduce<RevenueGroup | undefined>(
    (found, day) => (found === undefined || day.netMicroUsdc > found.netMicroUsdc ? day : found),
    undefined,
  );
  return (
    <div
      class="chart"
      data-chart="revenue"
      data-days={days.map(({ name }) => name).join(' ')}
      data-micro-usdc={days.map(({ netMicroUsdc }) => netMicroUsdc).join(' ')}
    >
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={describeRevenueDays(days, best)}
      >
        {days.map(({ netMicroUsdc }, index) => {
          const height = Math.round((Math.max(0, netMicroUsdc) / most) * HEIGHT);
          return (
            <rect
              class="value"
              x={(index * step).toFixed(2)}
              y={HEIGHT - height}
              width={(step * 0.8).toFixed(2)}
              height={height}
            />
          );
        })}
      </svg>
    </div>
  );
};

function describeRevenueDays(days: readonly RevenueGroup[], best: RevenueGroup | undefined): string {
  const range = `Revenue by day from ${days[0]?.name ?? ''} to ${days.at(-1)?.name ?? ''}`;
  return best === undefined
    ? range
    : `${range}; the most was ${formatMicroUsdc(best.netMicroUsdc)} USDC on ${best.name}`;
}

/** Rows of the longest table; the file holds the rest. */
const MAX_ROWS = 300;
/** Where not every shard was read, nothing found is not nothing there. */
const NONE_FOUND = 'None was found where we could look.';

/**
 * The payers that the page shows; undefined where they could not be read. `payersOf`: when they paid; undefined for a day
 * of which the service no longer keeps them.
 */
export type MoneySeen = {
  revenue: Revenue;
  payers: readonly PayerTotal[] | undefined;
  payersOf: string | undefined;
  nowMs: number;
};

/** `/console/money`: what was sold, by day and by capability, and what came to nothing. */
export const renderMoney = ({ revenue, payers, payersOf, nowMs }: MoneySeen): Html => (
  <>
    <Ranges revenue={revenue} nowMs={nowMs} />
    <UnreadShards unread={revenue.unread} shards={revenue.shards} />
    <Facilitator facilitator={revenue.facilitator} />
    <Totals sums={sumRevenue(revenue.lines)} />
    <p class="small">
      Revenue is what was settled, credit packs included, less what the later check on the chain did not find. Days are
      in UTC, and today is among them. <Updated atMs={revenue.updatedAtMs} />{' '}
      <a href={`/console/money.csv?${formatRangeQuery(revenue)}`}>All of it as one CSV</a>
    </p>
    <h2>Paid by card</h2>
    <CardMoney revenue={revenue} />
    <h2>By capability</h2>
    <Capabilities revenue={revenue} />
    {revenue.days === 1 ? null : <ByDay revenue={revenue} />}
    <h2>From price to delivery</h2>
    <Funnel revenue={revenue} />
    <h2>Top payers</h2>
    <TopPayers payers={payers} when={payersOf} file="/console/payers.csv" />
    <h2>Engines</h2>
    <EngineCosts revenue={revenue} />
    <h2>By capability and day</h2>
    <Lines revenue={revenue} />
    <h2>Failed settlements</h2>
    <Failures revenue={revenue} />
    <h2>Calls on credits</h2>
    <Uses revenue={revenue} />
  </>
);

/** A single day is no curve. */
const ByDay = ({ revenue }: { revenue: Revenue }) => (
  <>
    <h2>By day</h2>
    <RevenueChart days={listRevenueDays(revenue)} />
    <Days revenue={revenue} />
  </>
);

/** Shards report what they sell within a second or two. */
const Updated = ({ atMs }: { atMs: number | null }) =>
  atMs === null ? (
    <>Nothing was ever booked.</>
  ) : (
    <>
      Last change in the books: <Time ms={atMs} />.
    </>
  );

const Ranges = ({ revenue: { days, firstDay }, nowMs }: { revenue: Revenue; nowMs: number }) => (
  <nav aria-label="Range">
    <ul class="links">
      {(['yesterday', 'today'] as const).map((day) => (
        <li>
          <a
            href={`/console/money?day=${day}`}
            aria-current={days === 1 && firstDay === formatNamedDay(day, nowMs) ? 'page' : undefined}
          >
            {day === 'today' ? 'Today' : 'Yesterday'}
          </a>
        </li>
      ))}
      {RANGES.map((range) => (
        <li>
          <a href={`/console/money?days=${range}`} aria-current={range === days ? 'page' : undefined}>
            {range} days
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

const Facilitator = ({ facilitator }: Pick<Revenue, 'facilitator'>) => {
  if (!facilitator.read) return <CouldNotLook>whether the facilitator is trusted.</CouldNotLook>;
  if (facilitator.distrustedAtMs === null) return null;
  return (
    <p class="warning" role="status">
      <strong>The facilitator is not trusted</strong> since <Time ms={facilitator.distrustedAtMs} />: the chain does not
      show settlements that it reported. Every sale is now delivered only after its receipt was read. Ask the
      facilitator, or name another one; it is trusted again after 20 settlements that are on chain and an hour without a
      mismatch.
    </p>
  );
};

const Totals = ({ sums }: { sums: Sums }) => (
  <dl class="figures">
    <div>
      <dt>Revenue, USDC</dt>
      <dd>{formatMicroUsdc(sums.netMicroUsdc)}</dd>
    </div>
    <div>
      <dt>Sales</dt>
      <dd>{sums.sales}</dd>
    </div>
    <div>
      <dt>Not found later</dt>
      <dd>
        {sums.lost} ({formatMicroUsdc(sums.lostMicroUsdc)} USDC)
      </dd>
    </div>
    <div>
      <dt>Failed settlements</dt>
      <dd>{sums.failures}</dd>
    </div>
  </dl>
);

const Days = ({ revenue }: { revenue: Revenue }) => (
  <details>
    <summary>The numbers of the chart</summary>
    <WideTable
      caption="Revenue by day"
      columns={[
        'Day',
        { number: 'Revenue, USDC' },
        { number: 'Sales' },
        { number: 'Not found later' },
        { number: 'Failed' },
      ]}
      file={formatMoneyFileHref('days', revenue)}
      isStacking
    >
      {listRevenueDays(revenue)
        .toReversed()
        .map((day) => (
          <tr>
            <th scope="row">{day.name}</th>
            <Figure column="Revenue, USDC" value={formatMicroUsdc(day.netMicroUsdc)} />
            <Figure column="Sales" value={day.sales} />
            <Figure column="Not found later" value={day.lost} />
            <Figure column="Failed" value={day.failures} />
          </tr>
        ))}
    </WideTable>
  </details>
);

const Figure = ({ column, value }: { column: string; value: string | number }) => (
  <td class="number" data-column={column}>
    {value}
  </td>
);

const Capabilities = ({ revenue }: { revenue: Revenue }) => {
  const groups = listRevenueCapabilities(revenue.lines.filter(isMoney));
  const all = groups.reduce((sum, { netMicroUsdc }) => sum + netMicroUsdc, 0);
  const share = (group: RevenueGroup): number => (all <= 0 ? 0 : group.netMicroUsdc / all);
  if (groups.length === 0) return <p>{revenue.unread === 0 ? 'Nothing was sold.' : NONE_FOUND}</p>;
  return (
    <WideTable
      caption="Revenue by capability"
      columns={['Capability', { number: 'Revenue, USDC' }, 'Share', { number: 'Sales' }, { number: 'Not found later' }]}
      file={formatMoneyFileHref('capabilities', revenue)}
      isStacking
    >
      {groups.map((group) => (
        <tr>
          <th scope="row">
            <SoldName id={group.name} />
          </th>
          <Figure column="Revenue, USDC" value={formatMicroUsdc(group.netMicroUsdc)} />
          <td data-column="Share">
            <Bar value={share(group)} /> {formatPercent(share(group))}
          </td>
          <Figure column="Sales" value={group.sales} />
          <Figure column="Not found later" value={group.lost} />
        </tr>
      ))}
    </WideTable>
  );
};

/** What people call it, and its id in addresses and logs. */
const SoldName = ({ id }: { id: string }) => {
  const name = formatSoldName(id);
  return name === id ? (
    <>{id}</>
  ) : (
    <>
      {name} <code class="small">{id}</code>
    </>
  );
};

const Lines = ({ revenue }: { revenue: Revenue }) => {
  const groups = listRevenueLines(revenue.lines);
  const days = new Map(groupRevenue(revenue.lines.filter(isMoney), ({ day }) => day).map((all) => [all.name, all]));
  if (groups.length === 0) return <p>{revenue.unread === 0 ? 'Nothing was sold.' : NONE_FOUND}</p>;
  return (
    <>
      <WideTable
        caption="Revenue by capability and day, newest first"
        columns={[
          'Day',
          'Capability',
          'Paid by',
          { number: 'Revenue, USDC' },
          { number: 'Sales' },
          { number: 'Not found later' },
        ]}
        file={formatMoneyFileHref('lines', revenue)}
        isStacking
      >
        {groups.slice(0, MAX_ROWS).map(({ day, capability, method, netMicroUsdc, sales, lost }, at) => (
          <>
            {groups[at - 1]?.day === day ? null : <DaySum day={days.get(day)} />}
            <tr>
              <th scope="row">{day}</th>
              <td data-column="Capability">{formatSoldName(capability)}</td>
              <td data-column="Paid by">{method}</td>
              <Figure column="Revenue, USDC" value={formatMicroUsdc(netMicroUsdc)} />
              <Figure column="Sales" value={sales} />
              <Figure column="Not found later" value={lost} />
            </tr>
          </>
        ))}
      </WideTable>
      {groups.length > MAX_ROWS ? (
        <p class="small">
          The newest {MAX_ROWS} of {groups.length} rows; the CSV holds all.
        </p>
      ) : null}
    </>
  );
};

/** All of a day, before its rows. */
const DaySum = ({ day }: { day: RevenueGroup | undefined }) =>
  day === undefined ? null : (
    <tr class="sum">
      <th scope="row">{day.name}</th>
      <td data-column="Capability">All of the day</td>
      <td data-column="Paid by"></td>
      <Figure column="Revenue, USDC" value={formatMicroUsdc(day.netMicroUsdc)} />
      <Figure column="Sales" value={day.sales} />
      <Figure column="Not found later" value={day.lost} />
    </tr>
  );

const Failures = ({ revenue }: { revenue: Revenue }) => {
  const groups = listFailures(revenue.lines);
  if (groups.length === 0) return <p>{revenue.unread === 0 ? 'No settlement failed.' : NONE_FOUND}</p>;
  return (
    <>
      <p class="small">
        A facilitator refused, or an authorization ended unused. Nothing was charged; the buyer got no result. One that
        was broadcast after all is a sale.
      </p>
      <WideTable
        caption="Failed settlements by reason"
        columns={['Reason', { number: 'Settlements' }, 'Last day']}
        file={formatMoneyFileHref('failures', revenue)}
        isStacking
      >
        {groups.map(({ reason, count, lastDay }) => (
          <tr>
            <th scope="row">{reason}</th>
            <Figure column="Settlements" value={count} />
            <td data-column="Last day">{lastDay}</td>
          </tr>
        ))}
      </WideTable>
    </>
  );
};

const Uses = ({ revenue }: { revenue: Revenue }) => {
  const { creditUses } = revenue;
  if (!creditUses.read) return <CouldNotLook>the calls that credits paid for.</CouldNotLook>;
  const groups = listCreditUses(creditUses.uses);
  if (groups.length === 0) return <p>Credits paid for no call.</p>;
  return (
    <>
      <p class="small">What packs of credits were used for. Their sale was the revenue; this is none once more.</p>
      <WideTable
        caption="Calls on credits by capability"
        columns={['Capability', { number: 'Calls' }, { number: 'Credits used, USDC' }]}
        file={formatMoneyFileHref('credits', revenue)}
        isStacking
      >
        {groups.map(({ capability, calls, microUsdc }) => (
          <tr>
            <th scope="row">{capability}</th>
            <Figure column="Calls" value={calls} />
            <Figure column="Credits used, USDC" value={formatMicroUsdc(microUsdc)} />
          </tr>
        ))}
      </WideTable>
    </>
  );
};
