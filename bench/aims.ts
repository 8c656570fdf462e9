/** One aim of the project against its measured figure; all are upper limits. */
export type Aim = { name: string; measured: number; limit: number; unit: string; verdict: 'ok' | 'missed' };

export function aim(name: string, measured: number, limit: number, unit: string): Aim {
  return { name, measured: round(measured), limit, unit, verdict: measured <= limit ? 'ok' : 'missed' };
}

/** Three significant digits: more would be noise. */
export const round = (value: number): number => Number(value.toPrecision(3));

export const renderAim = ({ name, measured, limit, unit, verdict }: Aim): string =>
  `${verdict === 'ok' ? 'ok    ' : 'MISSED'} ${name}: ${measured} ${unit} (limit ${limit})`;
