import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRivals } from '../../../src/visibility/rivals/rivals.ts';
import { parseStructure } from '../../../src/visibility/structure/structure.ts';

export type Half = 'dev' | 'frozen';

/** Counts over (answer, brand) pairs: found and labelled, found only, labelled only. */
export type RivalScore = { tp: number; fp: number; fn: number };

type LabelledBrand = { name: string; as: readonly string[] };
type LabelledAnswer = { id: string; run: string; half: Half; text: string; brands: readonly LabelledBrand[] };

/** A pair that was judged wrong: for the person who tunes. */
export type WrongPair = { kind: 'fp' | 'fn'; answer: string; name: string };

/**
 * Finds the rivals of each labelled run of a half (6 answers each, nothing excluded) and compares them with the labels.
 * A found name is right when it equals the name or a spelling of a brand labelled in that answer, or begins with that name. A
 * second found name for the same brand counts as wrong: it would split the brand's row of a table.
 */
export function scoreRivals(half: Half): RivalScore {
  const wrong = wrongPairs(half);
  const labelled = rowsOf(half).reduce((sum, { brands }) => sum + brands.length, 0);
  const fn = wrong.filter(({ kind }) => kind === 'fn').length;
  return { tp: labelled - fn, fp: wrong.length - fn, fn };
}

/** The pairs of a half that are wrong, by answer. */
export function wrongPairs(half: Half): readonly WrongPair[] {
  const rows = rowsOf(half);
  const runs = [...new Set(rows.map(({ run }) => run))];
  return runs.flatMap((run) => wrongOfRun(rows.filter((row) => row.run === run)));
}

function rowsOf(half: Half): readonly LabelledAnswer[] {
  const text = readFileSync(join(import.meta.dirname, 'answers.jsonl'), 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as LabelledAnswer);
  return rows.filter((row) => row.half === half);
}

function wrongOfRun(rows: readonly LabelledAnswer[]): readonly WrongPair[] {
  const found = findRivals(
    rows.map(({ text }) => parseStructure(text)),
    () => false,
  );
  const spellings = spellingsOf(rows);
  return rows.flatMap(({ id, brands }, position) => {
    const missed = new Set(brands.map(({ name }) => name));
    const wrong: WrongPair[] = [];
    for (const { name, mentionedIn } of found) {
      if (!mentionedIn.includes(position)) continue;
      const brand = [...missed].find((one) => isName(name, one, spellings.get(one)));
      if (brand === undefined) wrong.push({ kind: 'fp', answer: id, name });
      else missed.delete(brand);
    }
    return [...wrong, ...[...missed].map((name) => ({ kind: 'fn' as const, answer: id, name }))];
  });
}

/** Every spelling of each brand in the answers of a run, in lower case. */
function spellingsOf(rows: readonly LabelledAnswer[]): ReadonlyMap<string, ReadonlySet<string>> {
  const spellings = new Map<string, Set<string>>();
  for (const { name, as } of rows.flatMap(({ brands }) => brands)) {
    const known = spellings.get(name) ?? new Set([name.toLowerCase()]);
    spellings.set(name, known);
    for (const spelling of as) known.add(spelling.toLowerCase());
  }
  return spellings;
}

const isName = (found: string, name: string, spellings: ReadonlySet<string> | undefined): boolean =>
  spellings?.has(found.toLowerCase()) === true || found.toLowerCase().startsWith(`${name.toLowerCase()} `);
