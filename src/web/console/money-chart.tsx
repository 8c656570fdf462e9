import { type Group, usdc } from './money-numbers.ts';

const WIDTH = 1000;
const HEIGHT = 240;

/**
 * Revenue by day as columns. Where scripts run, `revenue.ts` draws curves in the same box from the days and amounts that
 * stand in `data-days` and `data-micro-usdc`, with values to read off.
 */
export const RevenueChart = ({ days }: { days: readonly Group[] }) => {
  const most = Math.max(1, ...days.map(({ netMicroUsdc }) => netMicroUsdc));
  const step = WIDTH / Math.max(1, days.length);
  const best = days.reduce<Group | undefined>(
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
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={labelOf(days, best)}>
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

function labelOf(days: readonly Group[], best: Group | undefined): string {
  const range = `Revenue by day from ${days[0]?.name ?? ''} to ${days.at(-1)?.name ?? ''}`;
  return best === undefined ? range : `${range}; the most was ${usdc(best.netMicroUsdc)} USDC on ${best.name}`;
}
