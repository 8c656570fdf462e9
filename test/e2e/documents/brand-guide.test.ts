import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoBrands } from '../../../src/models/adapters/simulated/answer.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CLI = join(ROOT, 'dist/cli.js');
const FIXED_RUN = '0'.repeat(32);

const section = readFileSync(join(ROOT, 'docs/guides/measure-a-brand.md'), 'utf8');
const [, command = '', example = ''] =
  /^\*\*A worked example\*\*.*`(sightline [^`]*)` prints:\n\n```text\n(.*?)^```$/ms.exec(section) ?? [];

/** Words of a command line; those in double quotes stay together. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/** Lines that the guide leaves nothing out of. */
const shown = example.split('\n').filter((line) => line !== '' && line.trim() !== '...');
const isDrawn = (line: string): boolean => line.startsWith('Share of voice');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-readme-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the built command line prints, without any settings. */
async function printed(args: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], { cwd: folder, env: {} });
  return stdout.split('\n');
}

/** The lines of `expected` that `lines` has in that order. */
function inOrder(lines: readonly string[], expected: readonly string[]): readonly string[] {
  let from = 0;
  return expected.filter((line) => {
    const at = lines.indexOf(line, from);
    if (at !== -1) from = at + 1;
    return at !== -1;
  });
}

test('the worked example of "Measure a brand" is what its command prints, line by line', async () => {
  expect(wordsOf(command)).toEqual([
    'sightline',
    'visibility',
    '--brand',
    'Example Desk',
    '--niche',
    'help desk software',
    '--engine',
    'simulated',
  ]);
  expect(shown).toHaveLength(7);
  const lines = await printed([...wordsOf(command).slice(1), '--snapshot', 'kept.json']);
  const certain = shown.filter((line) => !isDrawn(line));
  expect(inOrder(lines, certain)).toEqual(certain);
  // The interval of the share of voice is drawn by the random id of the run: one run in fifty prints another percent.
  const kept = readFileSync(join(folder, 'kept.json'), 'utf8');
  const [, id = 'none'] = /"runId":"([0-9a-f]{32})"/.exec(kept) ?? [];
  writeFileSync(join(folder, 'fixed.json'), kept.replaceAll(id, FIXED_RUN));
  const again = await printed(['replay', 'fixed.json']);
  expect(again[1]).toContain(FIXED_RUN);
  expect(inOrder(again, shown)).toEqual(shown);
});

test('the sentences below the example say what was printed, and what is true of the invented market', () => {
  expect(section).toContain('1. *47 %, from 30 to 64 %.* The true 40 % lies inside.');
  expect(section).toContain("Next month's 40 % would be no loss: 7 points");
  expect(shown).toContain('Mentioned                   47 %  (95 %: 30 % to 64 %, n 30)');
  expect(section).toContain('2. *Being found at all: 1 of 5, Sample Support 5 of 5.*');
  expect(shown.at(-1)).toMatch(/: Sample Support 5\/5, Example Desk 1\/5$/);
  expect(section).toContain('their true rate is 55 % and yours 40 %');
  const truth = (name: string): number => {
    const { mention = 0, byIntent = {} } = demoBrands.find((brand) => brand.name === name) ?? {};
    const own = Object.values(byIntent);
    return (own.reduce((sum, rate) => sum + rate, 0) + mention * (6 - own.length)) / 6; // Six intents weigh the same.
  };
  expect(truth('Example Desk')).toBeCloseTo(0.4, 9);
  expect(truth('Sample Support')).toBeCloseTo(0.55, 9);
});

test('its comparison with a competitor ends as the guide says: 8 and 5 answers, p 0.42, 32 points, too close to call', async () => {
  const [, words = '', onlyThem, onlyYou, p, visible, was] =
    /^3\. \*Against Sample Support\* \(`([^`]*)`\): (\d+) answers name only them, (\d+) only you, p ([\d.]+): too close to call.* about (\d+) points here; this one was (\d+)\./m.exec(
      section,
    ) ?? [];
  expect(wordsOf(words)).toEqual(['--competitor', 'Sample Support']);
  const lines = await printed([...wordsOf(command).slice(1), ...wordsOf(words)]);
  const verdict =
    /^Verdict: too close to call \(p ([\d.]+); only Example Desk (\d+), only Sample Support (\d+)\)$/m.exec(
      lines.join('\n'),
    ) ?? [];
  expect([Number(verdict[1]).toFixed(2), verdict[2], verdict[3]]).toEqual(['0.42', '5', '8']);
  expect(lines).toContain('A run like this would see a true difference of 32 points in 80 % of runs.');
  expect({ onlyThem, onlyYou, p, visible, was }).toEqual({
    onlyThem: '8',
    onlyYou: '5',
    p: '0.42',
    visible: '32',
    was: '10', // (8 - 5) / 30
  });
});
