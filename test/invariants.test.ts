import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

type Row = { id: string; title: string; file: string };

/** The lines of the tables in docs/project/invariants.md. */
const lines = read('docs/project/invariants.md')
  .split('\n')
  .filter((line) => /^\| (?!Id |---)/.test(line));

/** `| P1 | Rule. | Why. | "title of a test", `name.test.ts` |`; undefined for a line of another shape. */
function rowOf(line: string): Row | undefined {
  const [, id, title, file] = /^\| ([^|]+) \| [^|]+ \| [^|]+ \| "([^|]+)", `([\w.-]+)` \|$/.exec(line) ?? [];
  return id === undefined || title === undefined || file === undefined ? undefined : { id, title, file };
}
const rows = lines.flatMap((line) => rowOf(line) ?? []);
const known: ReadonlySet<string> = new Set(rows.map(({ id }) => id));

const ID = String.raw`(?:attack )?(?:AS-)?(?:[A-Z]\d{1,2}(?:\.\d)?|\$\d)(?!\w|-[a-z])`;
const IDS = String.raw`(?<ids>${ID}(?:(?:, and |, | and | to |-)${ID})*)`;

/** How comments cite: `rules K1, K2`, `(C10)` before a stop or at the end, `B1: ...` at the start, an id alone. */
const IN_COMMENTS = [
  String.raw`\b[Rr]ules? ${IDS}(?<attack> of the attack list)?`,
  String.raw`\(${IDS}\)(?=[.,:;]|\s*(?:\*\/|$))`,
  String.raw`^${IDS}(?::|$)`,
].map((pattern) => new RegExp(pattern, 'g'));

/** How titles cite: `P2, P11: ...`, `... (P13)`, `... (rule W7)`, an id alone. */
const IN_TITLES = [
  String.raw`(?<=['"\x60])${IDS}: `,
  String.raw`\((?:rules? )?${IDS}\)(?=[^'"\x60\n]*['"\x60])`,
  String.raw`(?<=\b(?:describe|test)\(['"\x60])${IDS}(?=['"\x60])`,
].map((pattern) => new RegExp(pattern, 'g'));

/** The attack list as data: `'O1 O2 O3'`. */
const ATTACKS = /(?<=')[A-Z$]\d(?: [A-Z$]\d)+(?=')/g;

/** The comments of a source, each in one line without its marks: a citation may be wrapped like other words. */
function commentsOf(source: string): string[] {
  const joined = source.replaceAll(/\n[ \t]*\*(?!\/) ?/g, ' ').replaceAll(/(?<=^[ \t]*\/\/.*)\n[ \t]*\/\/ ?/gm, ' ');
  return [...joined.matchAll(/(?:^|[\s{])(?:\/\/|\/\*\*?) +(.*)$/gm)].map(([, words = '']) => words);
}

/** `K1, K2` as two ids, `C1 to C18` and `O1-O7` as all that they span. */
function idsOf(words: string): string[] {
  return words.split(/, and |, | and /).flatMap((part) => {
    const [, letter = '', first = '', last] = /^(.*?)(\d+(?:\.\d)?)(?:(?: to |-)\D+(\d+))?$/.exec(part) ?? [];
    if (last === undefined) return [`${letter}${first}`];
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `${letter}${Number(first) + at}`);
  });
}

function citationsIn(file: string, source: string): string[] {
  const titles = file.startsWith('test/') ? IN_TITLES.flatMap((form) => [...source.matchAll(form)]) : [];
  const comments = commentsOf(source).flatMap((comment) => IN_COMMENTS.flatMap((form) => [...comment.matchAll(form)]));
  const cited = [...titles, ...comments].flatMap(({ groups }) =>
    idsOf(groups?.['ids'] ?? '').map((id) => (groups?.['attack'] === undefined ? id : `attack ${id}`)),
  );
  // Four letters of the attack list are letters of rules as well.
  const attacks = [...source.matchAll(ATTACKS)].flatMap(([list]) => list.split(' '));
  return [...cited, ...attacks.map((id) => (known.has(`attack ${id}`) ? `attack ${id}` : id))];
}

/** Every cited id with the files that cite it. */
const citations = new Map<string, Set<string>>();
const PACKAGES = ['test/conformance/node_modules/**'];
const SCANNED = '{src,routes,durable-objects,local,test}/**/*.{ts,tsx,js,css}';
for (const file of globSync(SCANNED, { cwd: root, exclude: ['test/invariants.test.ts', ...PACKAGES] })) {
  for (const id of citationsIn(file, read(file))) citations.set(id, (citations.get(id) ?? new Set()).add(file));
}

/** Whether a test file has the title of a row in it, or its id by itself: `K1` is not in `K10`, nor `B11` in `B11.2`. */
function carries(source: string, { id, title }: Row): boolean {
  const bare = id.replace('attack ', '').replaceAll(/[$.]/g, String.raw`\$&`);
  return source.includes(title) || new RegExp(String.raw`(?<![\w.-])${bare}(?!\.?\d|\w)`).test(source);
}

test('every line of a table in docs/project/invariants.md has an id, a rule, a reason and a test', () => {
  expect(rows.length).toBeGreaterThan(200);
  expect(lines.filter((line) => rowOf(line) === undefined)).toEqual([]);
});

test('every id that code or tests cite has a row', () => {
  expect(citations.size).toBeGreaterThan(200);
  const offenders = [...citations].filter(([id]) => !known.has(id)).map(([id, files]) => `${id}: ${[...files].join()}`);
  expect(offenders).toEqual([]);
});

test('every row is cited, and no id has two', () => {
  const ids = rows.map(({ id }) => id);
  expect(ids.filter((id) => !citations.has(id))).toEqual([]);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

test('the test file of every row exists, and has its id or its title', () => {
  const sources = new Map<string, string[]>();
  for (const file of globSync('test/**/*.test.ts', { cwd: root, exclude: PACKAGES })) {
    sources.set(basename(file), [...(sources.get(basename(file)) ?? []), read(file)]);
  }
  const offenders = rows.filter((row) => !(sources.get(row.file) ?? []).some((source) => carries(source, row)));
  expect(offenders).toEqual([]);
});

test.each([
  ['/** Answers 402 (rule P13). */', ['P13']],
  ['  // Why it waits (rules\n  // K1, K2, and F5).', ['K1', 'K2', 'F5']],
  ['/**\n * Rules P3, P4: the chain alone ends it.\n * Never another site (O1-O3). */', ['P3', 'P4', 'O1', 'O2', 'O3']],
  ['// A token goes nowhere (rule X1 of the attack list).', ['attack X1']],
  ["test('B11.5, A12: text', () => {}); // X8", ['B11.5', 'A12', 'X8']],
  ["describe('K1', () => {}); test('names no file (X2)', () => {});", ['X2', 'K1']],
  ["['AS-A5: iss', 'attack K1: a code']", ['AS-A5', 'attack K1']],
  ["const ink = '#C1F5A4'; // A sheet of A4, the tide (M2) has hours, V8 and H1.", []],
  ["expect(label).toBe('B1'); // The letter (U2028) of K9s.", []],
])('of %j these are citations: %j', (source, expected) => {
  expect(citationsIn('test/x.test.ts', source)).toEqual(expected);
});
