/** One aim of the project against its measured figure, which may be at most, or at least, its limit. */
export type Aim = {
  name: string;
  measured: number;
  bound: 'at most' | 'at least';
  limit: number;
  unit: string;
  verdict: 'ok' | 'missed';
};

/** An upper limit: time, size, memory. */
export const atMost = (name: string, measured: number, limit: number, unit: string): Aim => ({
  name,
  measured: round(measured),
  bound: 'at most',
  limit: asShown(limit),
  unit,
  verdict: measured <= limit ? 'ok' : 'missed',
});

/** A lower limit: precision, recall, how many times faster. */
export const atLeast = (name: string, measured: number, limit: number, unit: string): Aim => ({
  name,
  measured: round(measured),
  bound: 'at least',
  limit: asShown(limit),
  unit,
  verdict: measured >= limit ? 'ok' : 'missed',
});

/** A limit as it was set; one that was measured is as long as a measured figure. */
const asShown = (limit: number): number => (Number.isInteger(limit) ? limit : round(limit));

/** Three significant digits: more would be noise. */
export const round = (value: number): number => Number(value.toPrecision(3));

export const renderAim = ({ name, measured, bound, limit, unit, verdict }: Aim): string =>
  `${verdict === 'ok' ? 'ok    ' : 'MISSED'} ${name}: ${measured}${unit === '' ? '' : ` ${unit}`} (${bound} ${limit})`;
