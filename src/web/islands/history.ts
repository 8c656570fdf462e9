import uPlot from 'uplot';
import { DEFAULT_LANGUAGE, parseLanguage, type Translated } from '../language/language.ts';

/** Height of the drawing in CSS pixels, without its legend; the style sheet keeps the space for both. */
const HEIGHT = 280;
/** Besides colours, lines differ by their dashes. */
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

/** The name of the axis of times, in the legend. */
const TIME_LABELS: Translated<string> = { en: 'Time', de: 'Zeit' };
const language = parseLanguage(document.documentElement.lang) ?? DEFAULT_LANGUAGE;

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;
/** Steps of the axis of times: none is shorter than what tables show. */
const TIME_STEPS = [
  ...[1, 5, 15, 30].map((count) => count * MINUTE_S),
  ...[1, 3, 6, 12].map((count) => count * HOUR_S),
  ...[1, 2, 7, 14, 30, 61, 91, 182, 365].map((count) => count * DAY_S),
];
/** Room that the text of a step needs, in CSS pixels. */
const STEP_WIDTH = 90;

const place = document.querySelector<HTMLElement>('[data-history-chart]');
const table = document.querySelector<HTMLTableElement>('table[data-scores]');
if (place && table) show(place, table);

/** Draws the numbers of the table, which is there without this, and again when the scheme or the width changes. */
function show(into: HTMLElement, from: HTMLTableElement): void {
  const { titles, data } = readTableNumbers(from);
  let plot = draw(into, titles, data);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    plot.destroy();
    plot = draw(into, titles, data);
  });
  new ResizeObserver(() => {
    if (into.clientWidth !== plot.width) plot.setSize({ width: into.clientWidth, height: HEIGHT });
  }).observe(into);
}

type Numbers = { titles: readonly string[]; data: uPlot.AlignedData };

function readTableNumbers({ tHead, tBodies }: HTMLTableElement): Numbers {
  const titles = [...(tHead?.querySelectorAll('th.number') ?? [])].map((cell) => cell.textContent.trim());
  const rows = [...(tBodies[0]?.rows ?? [])].toReversed();
  const points = rows.flatMap((row, index) => {
    const before = rows[index - 1];
    const point = { at: readTime(row), scores: titles.map((_, column) => readScore(row, column)) };
    if (before === undefined || before.dataset['rubric'] === row.dataset['rubric']) return [point];
    // Scores of two rubrics do not compare, so that no line joins them.
    return [{ at: (readTime(before) + point.at) / 2, scores: titles.map(() => null) }, point];
  });
  const scores = titles.map((_, column) => points.map((point) => point.scores[column] ?? null));
  return { titles, data: [points.map(({ at }) => at), ...scores] };
}

// Functions, not constants: the module calls them before it has run to its end.
function readTime(row: HTMLTableRowElement): number {
  return Date.parse(row.querySelector('time')?.dateTime ?? '') / 1000;
}

function readScore(row: HTMLTableRowElement, column: number): number | null {
  return readNumber(row.querySelectorAll('td.number')[column]?.textContent ?? '');
}

/** A score that does not apply is a gap in its line. */
function readNumber(text: string): number | null {
  return /^\d{1,3}$/.test(text.trim()) ? Number(text) : null;
}

/** Days as the table has them; within a day the time of day. */
function formatSteps(_plot: uPlot, steps: readonly number[]): string[] {
  const isWithinDays = (steps[1] ?? DAY_S) - (steps[0] ?? 0) < DAY_S;
  return steps.map((s) => {
    const iso = new Date(s * 1000).toISOString();
    return isWithinDays ? `${iso.slice(5, 10)} ${iso.slice(11, 16)}` : iso.slice(0, 10);
  });
}

function draw(into: HTMLElement, titles: readonly string[], data: uPlot.AlignedData): uPlot {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const axis = { stroke: colour('--dim'), grid: { stroke: colour('--hair') }, ticks: { stroke: colour('--hair') } };
  const lines = titles.map((label, index) => {
    const stroke = colour(`--series-${index + 1}`);
    return { label, stroke, width: 2, dash: DASHES[index] ?? [], points: { show: true, fill: stroke } };
  });
  const options: uPlot.Options = {
    width: into.clientWidth,
    height: HEIGHT,
    tzDate: (s) => uPlot.tzDate(new Date(s * 1000), 'Etc/UTC'),
    scales: { y: { range: [0, 100] } },
    axes: [{ ...axis, incrs: TIME_STEPS, space: STEP_WIDTH, values: formatSteps }, axis],
    series: [{ label: TIME_LABELS[language] }, ...lines],
    legend: { live: false },
    cursor: { drag: { x: false, y: false } },
  };
  return new uPlot(options, data, into);
}
