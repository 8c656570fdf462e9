import type { Child } from 'hono/jsx';
import { Bar, formatPercent, type Series } from '../../design/parts.tsx';
import { formatInterval, type ReportedRate } from './words.ts';

/** The text in place of a share without anything to count: a missing number is not 0. */
export const NotSeen = ({ why }: { why: string }) => (
  <span class="unseen">
    <strong>Could not look</strong>: {why}
  </span>
);

type RateProps = { rate: Pick<ReportedRate, 'value' | 'low' | 'high'>; series?: Series | undefined };

/** A share with its interval drawn, and both as text: for a cell of a table. */
export const RateBar = ({ rate, series }: RateProps) => (
  <div class="rate">
    <span class="rate-text">
      <strong>{formatPercent(rate.value)}</strong> <span class="small">{formatInterval(rate)}</span>
    </span>
    <Bar value={rate.value} low={rate.low} high={rate.high} series={series} />
  </div>
);

/** A main figure: its name, the number in large type, its drawing, and what it is made of. */
export const Figure = ({ title, value, children }: { title: string; value: Child; children?: Child }) => (
  <li class="card figure">
    <h3>{title}</h3>
    <p class="big">{value}</p>
    {children}
  </li>
);

/** The scale below a bar from 0 to 1. */
export const Axis = () => (
  <p class="axis small" aria-hidden="true">
    <span>0 %</span>
    <span>50 %</span>
    <span>100 %</span>
  </p>
);

/** The mark of a series: shapes differ, so that no one depends on colours. */
export const Swatch = ({ series }: { series: Series }) => (
  <svg class={series === 2 ? 'swatch second' : 'swatch'} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
    {series === 2 ? <circle cx="6" cy="6" r="6" /> : <rect width="12" height="12" />}
  </svg>
);

/** What belongs to which of two: its mark beside the name, which may be anyone's text. */
export const SeriesSide = ({ name, series }: { name: string; series: Series }) => (
  <span class="side">
    <Swatch series={series} />
    <bdi>{name}</bdi>
  </span>
);
