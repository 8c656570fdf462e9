import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { checkOverrides, migrateOverrides } from '../../../src/hybrid/core/migrate.ts';
import { sortEdits, spliceText } from '../../../src/hybrid/edits/splice.ts';
import type { Migrated } from '../../../src/hybrid/core/migration.ts';
import type { MigrateOptions } from '../../../src/hybrid/core/options.ts';
import type { FilePosition, OverridesProblem } from '../../../src/hybrid/core/problem.ts';
import { faults, faultyFiles } from '../../support/hybrid/faults.ts';
import { type HybridFile, hybridFiles } from '../../support/hybrid/files.ts';
import { modelOf } from '../../support/hybrid/model.ts';
import { budgetFor } from '../../support/runner/budget.ts';

/** Thousands of files on a busy machine: for hangs only. */
vi.setConfig({ testTimeout: 300_000 });

/** Another seed, or more files: `HYBRID_SEED=7 HYBRID_RUNS=50000`. */
const seed = Number(process.env['HYBRID_SEED'] ?? 10);
const runs = Number(process.env['HYBRID_RUNS'] ?? budgetFor(200, 1_000));

function migrated(text: string, options: MigrateOptions = {}): Migrated {
  const outcome = migrateOverrides(text, options);
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(errorsOf(outcome.problems))}`);
  return outcome;
}

const errorsOf = (problems: readonly OverridesProblem[]) => problems.filter(({ severity }) => severity === 'error');

const parsed = (text: string) => parse(text, { logLevel: 'error' }) as Record<string, unknown>;

const comments = (text: string) => [...text.matchAll(/#+ ?n\d+\./g)].map(([comment]) => comment);

/** Those of lines that no removed key takes along. */
const keptComments = ({ lines }: HybridFile) =>
  lines.flatMap((line) => (line.fate === 'keep' || line.fate === 'edit' ? comments(line.text) : []));

test(`${runs} generated files migrate to exactly the text that their rules give, once, and check finds no error in old or new`, () => {
  fc.assert(
    fc.property(hybridFiles, (file) => {
      const { text, edits, groups, changed, isFragment, problems } = migrated(file.text, file.options);
      expect(text).toBe(file.expected);
      expect(groups).toEqual(file.groups);
      expect(changed).toBe(text !== file.text);
      expect(isFragment).toBe(file.isFragment);
      expect(errorsOf(problems)).toEqual([]);
      expect(parsed(text)).toEqual(modelOf(parsed(file.text), file.options));
      expect(comments(text)).toEqual(keptComments(file));
      expect(sortEdits(edits)).toEqual(edits);
      expect(spliceText(file.text, edits)).toBe(text);

      expect(migrated(text, file.options)).toMatchObject({ text, changed: false, edits: [] });
      expect(errorsOf(checkOverrides(file.text, file.options).problems)).toEqual([]);
      expect(errorsOf(checkOverrides(text).problems)).toEqual([]);
    }),
    { numRuns: runs, seed, endOnFailure: true },
  );
});

test('lines that no edit touches are byte for byte what they were, and edits touch only lines that change', () => {
  fc.assert(
    fc.property(hybridFiles, (file) => {
      const { text, edits } = migrated(file.text, file.options);
      const kept = untouched(file.text, edits);
      const wanted = file.lines.flatMap((line) => (line.fate === 'keep' ? [line.text] : []));
      for (const line of wanted) expect(kept).toContain(line);
      const out = text.replace('\uFEFF', '').split(/\r?\n/);
      let at = 0;
      for (const line of kept) {
        at = out.indexOf(line, at) + 1;
        expect({ line, isFound: at > 0 }).toEqual({ line, isFound: true });
      }
    }),
    { numRuns: Math.ceil(runs / 4), seed: seed + 1, endOnFailure: true },
  );
});

/** Lines of the old text with no character in an edit. */
function untouched(text: string, edits: Migrated['edits']): readonly string[] {
  const kept: string[] = [];
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (const line of text.slice(start).split('\n')) {
    const end = start + line.length;
    if (!edits.some((edit) => edit.start < end && edit.end > start)) kept.push(line.replace(/\r$/, ''));
    start = end + 1;
  }
  return kept;
}

test('a second run changes nothing without flags either', () => {
  fc.assert(
    fc.property(hybridFiles, (file) => {
      const first = migrated(file.text, file.options).text;
      expect(migrated(first)).toMatchObject({ text: first, changed: false, edits: [] });
    }),
    { numRuns: Math.ceil(runs / 5), seed: seed + 2, endOnFailure: true },
  );
});

/** Of 200 in all at least. */
const runsOfAFault = Math.ceil(Math.max(200, runs / 5) / faults.length);

test.each(faults)('a file with one fault is refused at its place, and check tells it too: $name', (fault) => {
  fc.assert(
    fc.property(faultyFiles(fault), ({ text, code, places }) => {
      const outcome = migrateOverrides(text);
      expect(outcome.ok).toBe(false);
      for (const problems of [outcome.problems, checkOverrides(text).problems]) {
        const errors = errorsOf(problems);
        const told = errors.filter((one) => one.code === code).map(placeOf);
        const isTold = places.some((place) => told.includes(placeOf(place)));
        expect({ isTold, text, places, errors }).toMatchObject({ isTold: true });
      }
    }),
    { numRuns: runsOfAFault, seed, endOnFailure: true },
  );
});

const placeOf = ({ line, column }: FilePosition) => `${line}:${column}`;
