import { scoreNames } from '../../audit/core/check.ts';
import { formatPercent } from '../../lib/numbers.ts';
import type { MonitorOverview } from '../../monitors/core/protocol.ts';
import { summaryWords } from '../audit/summary-words.ts';
import { Time } from '../design/parts.tsx';
import type { PageLanguage } from '../language/language.ts';
import { chartWords } from './chart-words.ts';
import type { ChartLine, ChartMark, ChartPoint, ChartSeries } from './series.ts';

const WIDTH = 1000;
const HEIGHT = 240;
const GRID = [0, 0.25, 0.5, 0.75, 1] as const;

type Place = (atMs: number) => number;

/** The times of a chart on its width; a single one is in the middle. */
function createPlace(times: readonly number[]): Place {
  const [from, to] = [Math.min(...times), Math.max(...times)];
  return (atMs) => (to === from ? WIDTH / 2 : Math.round(((atMs - from) / (to - from)) * WIDTH));
}

const computeHeight = (value: number): number => Math.round((1 - Math.min(1, Math.max(0, value))) * HEIGHT);

/** The name of a line as people read it. */
export function formatLineName(name: string, language: PageLanguage): string {
  const score = scoreNames.find((one) => one === name);
  return score === undefined ? name : summaryWords[language].scoreNames[score];
}

type ChartProps = { series: ChartSeries; kind: 'site' | 'brand'; language: PageLanguage };

const formatReading = (value: number, kind: ChartProps['kind']): string =>
  kind === 'site' ? String(Math.round(value * 100)) : formatPercent(value);

/**
 * Scores or rates over time, rates with their intervals as bands, and what else happened as marks. The drawing has no text: the
 * table of runs beside it has every number.
 */
export const HistoryChart = ({ series, kind, language }: ChartProps) => {
  const words = chartWords[language];
  const { lines, marks } = series;
  const times = lines.flatMap(({ points }) => points.map(({ atMs }) => atMs));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const place = createPlace(times);
  const said = lines.map(({ name, points }) =>
    words.line(formatLineName(name, language), readAt(points.at(0), kind), readAt(points.at(-1), kind)),
  );
  return (
    <figure class="monitor-chart">
      <div class="plot">
        <p class="scale small" aria-hidden="true">
          <span>{formatReading(1, kind)}</span>
          <span>{formatReading(0.5, kind)}</span>
          <span>{formatReading(0, kind)}</span>
        </p>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={words.label(said)}>
          <path class="grid-lines" d={GRID.map((value) => `M0 ${computeHeight(value)}H${WIDTH}`).join('')} />
          {lines.map((line, at) => (
            <Line line={line} at={at} place={place} />
          ))}
          {marks.map((mark) => (
            <Mark mark={mark} place={place} />
          ))}
        </svg>
      </div>
      <p class="span small">
        <Time ms={first} />
        {first === last ? null : <Time ms={last} />}
      </p>
      <figcaption>
        <Legend lines={lines} marks={marks} language={language} />
      </figcaption>
    </figure>
  );
};

const readAt = (point: ChartPoint | undefined, kind: ChartProps['kind']): string =>
  point === undefined ? '–' : formatReading(point.value, kind);

const Line = ({ line: { points }, at, place }: { line: ChartLine; at: number; place: Place }) => {
  const ranged = points.filter((point) => point.low !== undefined && point.high !== undefined);
  const upper = ranged.map(({ atMs, high = 0 }) => `${place(atMs)} ${computeHeight(high)}`);
  const lower = ranged.toReversed().map(({ atMs, low = 0 }) => `${place(atMs)} ${computeHeight(low)}`);
  const track = points.map(({ atMs, value }) => `${place(atMs)} ${computeHeight(value)}`);
  return (
    <g class={`series s${at + 1}`}>
      {ranged.length < 2 ? null : <path class="band" d={`M${[...upper, ...lower].join('L')}Z`} />}
      <path class="track" d={`M${track.join('L')}`} />
      <path class="dots" d={track.map((one) => `M${one}h0.01`).join('')} />
    </g>
  );
};

/** A line over the whole height; of an alert only a stroke at its foot, since there may be many. */
const Mark = ({ mark: { atMs, kind }, place }: { mark: ChartMark; place: Place }) => (
  <path class={`mark ${kind}`} d={kind === 'alert' ? `M${place(atMs)} ${HEIGHT}v-24` : `M${place(atMs)} 0V${HEIGHT}`} />
);

type LegendProps = { lines: readonly ChartLine[]; marks: readonly ChartMark[]; language: PageLanguage };

const MARK_KINDS = ['rubric', 'model', 'alert'] as const;

const Legend = ({ lines, marks, language }: LegendProps) => (
  <ul class="legend">
    {lines.map(({ name }, at) => (
      <li>
        <svg viewBox="0 0 24 12" width="24" height="12" aria-hidden="true">
          <g class={`series s${at + 1}`}>
            <path class="track" d="M0 6H24" />
          </g>
        </svg>{' '}
        <bdi>{formatLineName(name, language)}</bdi>
      </li>
    ))}
    {MARK_KINDS.filter((kind) => marks.some((mark) => mark.kind === kind)).map((kind) => (
      <li>
        <svg viewBox="0 0 24 12" width="24" height="12" aria-hidden="true">
          <path class={`mark ${kind}`} d="M12 0V12" />
        </svg>{' '}
        {chartWords[language].marks[kind]}
      </li>
    ))}
  </ul>
);

const SPARK = { width: 120, height: 28, edge: 2 } as const;

type SparkProps = { points: MonitorOverview['points']; kind: 'site' | 'brand'; language: PageLanguage };

/** The last readings of a monitor as one small line; gaps are runs without a reading. */
export const Sparkline = ({ points, kind, language }: SparkProps) => {
  const words = chartWords[language];
  const read = points.flatMap(({ value }, at) => (value === null ? [] : [{ at, value: toShare(value, kind) }]));
  const [first, last] = [read.at(0), read.at(-1)];
  if (first === undefined || last === undefined) return <span class="small">{words.noSpark}</span>;
  const step = points.length < 2 ? 0 : (SPARK.width - 2 * SPARK.edge) / (points.length - 1);
  const places = read.map(({ at, value }) => {
    const y = SPARK.edge + (1 - Math.min(1, Math.max(0, value))) * (SPARK.height - 2 * SPARK.edge);
    return `${(SPARK.edge + at * step).toFixed(1)} ${y.toFixed(1)}`;
  });
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${SPARK.width} ${SPARK.height}`}
      width={SPARK.width}
      height={SPARK.height}
      role="img"
      aria-label={words.spark(formatReading(first.value, kind), formatReading(last.value, kind), points.length)}
    >
      <path class="track" d={`M${places.join('L')}`} />
      <path class="dots" d={`M${places.at(-1)}h0.01`} />
    </svg>
  );
};

/** Points of a monitor are what its summary has: a score up to 100, or a share. */
const toShare = (value: number, kind: 'site' | 'brand'): number => (kind === 'site' ? value / 100 : value);
