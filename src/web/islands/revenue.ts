import uPlot from 'uplot';
import { parsePoints } from './parts/points.ts';

const HEIGHT_PX = 240;
/** Room of one day’s name at the axis. */
const DAY_PX = 100;

/** `2026-11-22`, as the tables have it; nothing at hours within a day. */
const formatAxisDay = (atS: number): string => {
  const iso = new Date(atS * 1000).toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : '';
};

/** Draws the revenue by day as a curve with values to read off, in the box that holds the columns. */
function draw(box: HTMLElement): void {
  const points = parsePoints(box.dataset['days'] ?? '', box.dataset['microUsdc'] ?? '');
  if (points === undefined) return; // The columns stay.
  const label = box.querySelector('svg')?.getAttribute('aria-label') ?? 'Revenue by day';
  box.replaceChildren();
  box.setAttribute('role', 'img');
  box.setAttribute('aria-label', label);
  const colour = (name: string): string => getComputedStyle(box).getPropertyValue(name).trim();
  const axis = { stroke: () => colour('--ink'), grid: { stroke: () => colour('--hair') } };
  const days = { ...axis, space: DAY_PX, values: (_: uPlot, times: number[]) => times.map(formatAxisDay) };
  const chart = new uPlot(
    {
      width: box.clientWidth,
      height: HEIGHT_PX,
      tzDate: (s) => uPlot.tzDate(new Date(s * 1000), 'Etc/UTC'),
      scales: { y: { range: (_, _low, high) => [0, Math.max(high, 0.01)] } },
      hooks: { setCursor: [({ cursor }) => box.toggleAttribute('data-chosen', typeof cursor.idx === 'number')] },
      padding: [null, DAY_PX / 2, null, null],
      axes: [days, { ...axis, size: 70 }],
      series: [
        { label: 'Day', value: '{YYYY}-{MM}-{DD}' },
        {
          label: 'Revenue, USDC',
          stroke: () => colour('--series-1'),
          width: 2,
          points: { show: points[0].length < 60 },
        },
      ],
    },
    points,
    box,
  );
  new ResizeObserver(() => chart.setSize({ width: box.clientWidth, height: HEIGHT_PX })).observe(box);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => chart.redraw());
}

for (const box of document.querySelectorAll<HTMLElement>('[data-chart="revenue"]')) draw(box);
