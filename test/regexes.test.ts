import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { JUDGE_PACKAGES } from './conformance/packages/folder.ts';
import { check } from './conformance/packages/recheck.ts';
import { afterAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const sources = globSync(['src/**/*.{ts,tsx}', 'routes/**/*.ts', 'durable-objects/**/*.ts'], { cwd: root }).toSorted();

/**
 * What recheck may spend, counted in steps and never in time: its own limits of time call an expression dangerous when the
 * machine is busy. With a fixed seed for what it draws at random, these give one verdict on every run.
 */
const LIMITS = {
  randomSeed: 0,
  timeout: null,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  // An attack is as long as this allows: some 1,400 repeats, at each of which a match may take some 700 steps. Bounded
  // repeats that multiply to more are dangerous too.
  attackLimit: 1_000_000,
  // Remembering states pays for attacks a thousand times as long, and takes minutes on counted repeats.
  accelerationMode: 'off',
  // What is dangerous shows before the second round.
  maxIteration: 4,
} as const;

/**
 * Expressions that were found safe, by a hash of themselves, recheck's version and the limits: their search takes a minute
 * of two cores. A new expression is always judged. `REGEXES=anew` judges all (so does `npm run soak`); `REGEXES=list` does
 * so too, and writes the list; `REGEXES=add` judges those that are not in it and adds them.
 */
const LIST = join(root, 'test/support/runner/safe-regexes.json');
const MODE = process.env['REGEXES'] ?? '';
const VERSION = readFileSync(new URL('recheck/package.json', JUDGE_PACKAGES), 'utf8');
const isSafe = new Set(MODE === '' || MODE === 'add' ? (JSON.parse(readFileSync(LIST, 'utf8')) as string[]) : []);
const HASH_CHARS = 24;
const hashOf = (text: string): string =>
  createHash('sha256')
    .update(JSON.stringify([/"version": *"([^"]+)"/.exec(VERSION)?.[1], LIMITS, text]))
    .digest('hex')
    .slice(0, HASH_CHARS);

/** Ends a hang and judges nothing: on a quiet machine no expression takes a hundredth of it. */
const HANG_MS = 300_000;

type Found = { at: string; pattern: string; flags: string };

/** The regular expression literals of a file, and the places at which it builds others. */
function expressionsOf(file: string, text: string): { literals: readonly Found[]; builders: readonly string[] } {
  const literals: Found[] = [];
  const builders: string[] = [];
  const at = (start: number): string => `${file}:${text.slice(0, start).split('\n').length}`;
  const build = ({ start, callee }: { start: number; callee: object }): void => {
    if ('name' in callee && callee.name === 'RegExp') builders.push(at(start));
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node) literals.push({ at: at(node.start), pattern: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression: build,
    CallExpression: build,
  }).visit(parseSync(file, text).program);
  return { literals, builders };
}

/** The line of ours that called, from the stack. */
const callerOf = (stack: string): string =>
  stack
    .split('\n')
    .find((line) => line.includes(`${root}/src/`))
    ?.split(`${root}/`)[1]
    ?.replace(/:\d+\)?$/, '') ?? 'a library';

/** Expressions that modules build when they are loaded or at work: two audits call what is built in functions. */
async function builtAtRunTime(): Promise<readonly Found[]> {
  const built: Found[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, args: [string | RegExp, string?]) {
      const made = new target(...args);
      const at = callerOf(new Error('where').stack ?? '');
      if (typeof args[0] === 'string') built.push({ at, pattern: made.source, flags: made.flags });
      return made;
    },
  });
  try {
    for (const file of sources.filter((name) => /^src\/(audit|net|generate|payment|capabilities)\//.test(name)))
      await import(join(root, file));
    const { snapshotOf } = await import('./support/audit/audit.ts');
    const { judgeSite } = await import('../src/audit/core/report.ts');
    const { goodSite } = await import('./sites/good.ts');
    const { bareSite } = await import('./sites/poor.ts');
    for (const map of [goodSite, bareSite]) judgeSite(await snapshotOf(map));
  } finally {
    globalThis.RegExp = original;
  }
  return built;
}

const read = sources.map((file) => expressionsOf(file, readFileSync(join(root, file), 'utf8')));
const literals = read.flatMap((one) => one.literals);
const builders = read.flatMap((one) => one.builders);
const built = await builtAtRunTime();
/**
 * What markdown-it builds for HTML when it is loaded. Our parser enables neither of its HTML rules, so no text of an answer
 * reaches these; `structureOf` is tested with hostile tags besides.
 */
const isUnusedOfMarkdownIt = ({ at, pattern }: Found): boolean =>
  at.startsWith('src/visibility/structure/structure.ts') && pattern.startsWith('^(?:<[A-Za-z]');
const rows = [
  ...new Map(
    [...literals, ...built.filter((one) => !isUnusedOfMarkdownIt(one))].map(
      (one) => [`/${one.pattern}/${one.flags}`, one] as const,
    ),
  ).entries(),
].map(([text, one]) => ({ ...one, hash: hashOf(text), name: `${one.at} ${text}` }));
const unjudged = rows.filter(({ hash }) => !isSafe.has(hash));

const judge = async ({ pattern, flags }: Pick<Found, 'pattern' | 'flags'>): Promise<object> => {
  const verdict = await check(pattern, flags, LIMITS);
  return { status: verdict.status, why: verdict.status === 'unknown' ? verdict.error : verdict.complexity };
};

describe('regular expressions take linear time on any input', () => {
  test('there are hundreds to look at', () => {
    expect(literals.length).toBeGreaterThan(300);
    expect(built.length).toBeGreaterThan(100);
  });

  test('every expression that is built was seen with its words filled in', () => {
    const seen = new Set(built.map(({ at }) => at));
    expect(builders.length).toBeGreaterThan(30);
    expect(builders.filter((at) => !seen.has(at))).toEqual([]);
  });

  test('markdown-it is loaded without its rules for HTML', () => {
    expect(built.filter(isUnusedOfMarkdownIt).length).toBeGreaterThan(0);
    const [, enabled = ''] =
      /new MarkdownIt\('zero',[^)]*\)\.enable\(\[([^\]]*)\]/.exec(
        readFileSync(join(root, 'src/visibility/structure/structure.ts'), 'utf8'),
      ) ?? [];
    expect(enabled).toContain("'table'");
    expect(enabled).not.toContain('html');
  });

  test('literals and builders are found where they stand', () => {
    expect(expressionsOf('x.ts', 'const a =\n  /(a|a)*$/u;\nconst b = new RegExp(a);\nRegExp(`b`);')).toEqual({
      literals: [{ at: 'x.ts:2', pattern: '(a|a)*$', flags: 'u' }],
      builders: ['x.ts:3', 'x.ts:4'],
    });
  });

  // The first two are decided by an automaton; with looks around and many counted repeats recheck searches for an attack.
  test.concurrent.each([
    ['^(a|a)*$', ''],
    ['[^/]*$', ''],
    [String.raw`(?<!z)\s+$`, ''],
    [String.raw`^(?=a)(?:\w+-?)*$(?<!-)`, ''],
    [String.raw`<!--[\s\S]*?-->(?!x)`, ''],
    [String.raw`(?<!\p{L})\w+@\w+(?!\p{L})`, 'u'],
    [String.raw`([a-z]+)\1+x`, ''],
    [String.raw`\[([^\]]{1,5000})\]$`, ''],
    ['(?:a{1,40}){1,40}$', ''],
    [String.raw`(?:\s{1,40}x?){1,40}y`, ''],
    [String.raw`<meta\s[^>]{0,3000}charset\s{0,9}=[^>]{0,3000}>`, 'i'],
  ])('/%s/%s is recognised as dangerous', { timeout: HANG_MS }, async (pattern, flags) => {
    expect(await judge({ pattern, flags })).toMatchObject({ status: 'vulnerable' });
  });

  test('a verdict comes by the same steps on every run', { timeout: HANG_MS }, async () => {
    const stepsOf = async (): Promise<readonly string[]> => {
      const steps: string[] = [];
      await check(String.raw`\bfree (?:of charge){0,40}\b(?!x)`, 'iu', {
        ...LIMITS,
        logger: (step) => steps.push(step),
      });
      return steps;
    };
    const [once, again] = await Promise.all([stepsOf(), stepsOf()]);
    expect(once.length).toBeGreaterThan(10);
    expect(again).toEqual(once);
  });

  test('the list holds nothing but expressions that are there', () => {
    const there = new Set(rows.map(({ hash }) => hash));
    expect([...isSafe].filter((hash) => !there.has(hash))).toEqual([]);
  });

  const found: string[] = [];
  // A verdict of `unknown` fails as well: what recheck cannot decide is written otherwise.
  test.concurrent.each(unjudged)('$name', { timeout: HANG_MS }, async (row) => {
    expect(await judge(row)).toMatchObject({ status: 'safe' });
    found.push(row.hash);
  });

  afterAll(() => {
    const there = new Set(rows.map(({ hash }) => hash));
    const known = MODE === 'add' ? [...isSafe].filter((hash) => there.has(hash)) : [];
    if (MODE === 'list' || MODE === 'add')
      writeFileSync(LIST, `${JSON.stringify([...known, ...found].toSorted(), null, 1)}\n`);
  });
});
