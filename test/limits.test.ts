import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/reference/limits.md'), 'utf8');

type Row = { limit: string; value: string; name: string; file: string };

const rows: Row[] = page.split('\n').flatMap((line) => {
  const cells = line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, ''));
  const [, name = '', file = ''] = /^`([A-Za-z_]+)` `([^`]+)`$/.exec(cells[4] ?? '') ?? [];
  return name === '' ? [] : [{ limit: cells[0] ?? '', value: cells[1] ?? '', name, file }];
});

/** Names of units that constants are multiples of. */
const UNITS: Readonly<Record<string, number>> = { MIB: 1024 * 1024, MINUTE_MS: 60_000, HOUR_MS: 3_600_000 };

/** The number that a file gives a constant; undefined where that is an object, or made of others. */
function numberOf({ name, file }: Row): number | undefined {
  const source = readFileSync(join(root, file), 'utf8');
  const [, written = ''] = new RegExp(`^(?:export )?(?:const )?${name} = ([\\w *+]+);?$`, 'm').exec(source) ?? [];
  const digits = written.replaceAll(/[A-Z][A-Z_]+/g, (unit) => String(UNITS[unit]));
  if (!/^[\d_ *+]+$/.test(digits)) return undefined;
  return digits
    .replaceAll('_', '')
    .split('+')
    .map((sum) => sum.split('*').reduce((product, factor) => product * Number(factor), 1))
    .reduce((sum, part) => sum + part, 0);
}

/** How the page may write a number: as it is, in KiB or MiB, or in seconds, minutes or hours where it is milliseconds. */
const spellings = (value: number): string[] => [
  value.toLocaleString('en-US'),
  `${value / 1024} KiB`,
  `${value / 1024 / 1024} MiB`,
  `${value / 1000} s`,
  `${value / 60_000} minutes`,
  `${value / 3_600_000} hours`,
];

test('docs/reference/limits.md has a table row for each limit, and every row of a table names its constant', () => {
  const written = page.split('\n').filter((line) => /^\| (?!Limit|---)/.test(line));
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.length).toBe(written.length);
});

test('constants that docs/reference/limits.md names are in the files that it names', () => {
  const gone = rows.filter(({ name, file }) => !readFileSync(join(root, file), 'utf8').includes(name));
  expect(gone).toEqual([]);
});

test('numbers in docs/reference/limits.md are those of the code', () => {
  const known = rows.flatMap((row) => {
    const value = numberOf(row);
    return value === undefined ? [] : [{ ...row, number: value }];
  });
  expect(known.length).toBeGreaterThan(25);
  const wrong = known.filter(({ value, number }) => !spellings(number).some((text) => hasWord(value, text)));
  expect(wrong).toEqual([]);
});

/** Whether a text has these words by themselves: `20` is not in `1,200`. */
const hasWord = (text: string, words: string): boolean =>
  new RegExp(`(?<![\\d,.])${words.replaceAll('.', '\\.')}(?![\\d,.]*\\d)`).test(text);
