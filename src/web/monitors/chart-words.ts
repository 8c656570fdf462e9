import type { Translated } from '../language/language.ts';
import type { ChartMark } from './series.ts';

type ChartWords = {
  marks: Readonly<Record<ChartMark['kind'], string>>;
  /** The whole chart, as it is read aloud. */
  label: (lines: readonly string[]) => string;
  line: (name: string, from: string, to: string) => string;
  spark: (from: string, to: string, runs: number) => string;
  noSpark: string;
};

export const chartWords: Translated<ChartWords> = {
  en: {
    marks: { rubric: 'New rubric', model: 'Another model', alert: 'Alert' },
    label: (lines) => `History of ${lines.join('; ')}`,
    line: (name, from, to) => `${name}, ${from} at first and ${to} now`,
    spark: (from, to, runs) => `${runs} runs, ${from} at first and ${to} now`,
    noSpark: 'No reading yet',
  },
  de: {
    marks: { rubric: 'Neues Regelwerk', model: 'Anderes Modell', alert: 'Meldung' },
    label: (lines) => `Verlauf von ${lines.join('; ')}`,
    line: (name, from, to) => `${name}, zuerst ${from}, jetzt ${to}`,
    spark: (from, to, runs) => `${runs} Läufe, zuerst ${from}, jetzt ${to}`,
    noSpark: 'Noch kein Messwert',
  },
};
