import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { formats } from '../src/cli/audit/formats.ts';

const action = z
  .object({
    inputs: z.record(
      z.string(),
      z.object({ description: z.string(), required: z.boolean().optional(), default: z.string().optional() }),
    ),
    runs: z.object({
      using: z.literal('composite'),
      steps: z.array(
        z.object({ shell: z.string(), run: z.string(), env: z.record(z.string(), z.string()).optional() }),
      ),
    }),
  })
  .parse(parse(readFileSync(join(import.meta.dirname, '../action.yml'), 'utf8')));

const audit = action.runs.steps.find(({ env }) => env !== undefined);
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-action-'));
  // Stands in for the command line: it writes the arguments it was given, and ends as it is told.
  writeFileSync(
    join(folder, 'cli.js'),
    'console.log(JSON.stringify(process.argv.slice(2))); process.exit(Number(process.env.END ?? 0));',
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the script of the audit step with these inputs and returns what the command line was called with. */
function argumentsFor(inputs: Record<string, string>, end = 0): { args: string[]; status: number } {
  const report = join(folder, 'report');
  const given = Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: value = '' }]) => [
      `INPUT_${name.toUpperCase().replaceAll('-', '_')}`,
      inputs[name] ?? value,
    ]),
  );
  const env = {
    ...process.env,
    ...given,
    INPUT_REPORT: report,
    SIGHTLINE_CLI: join(folder, 'cli.js'),
    END: String(end),
  };
  let status = 0;
  try {
    execFileSync('bash', ['-e', '-o', 'pipefail', '-c', audit?.run ?? 'exit 99'], { env, cwd: folder });
  } catch (error) {
    status = (error as { status: number }).status;
  }
  return { args: JSON.parse(readFileSync(report, 'utf8')) as string[], status };
}

describe('the GitHub Action', () => {
  test('audits the URL with the options that were given, and only those', () => {
    expect(argumentsFor({ url: 'https://acme.example/' })).toEqual({
      args: ['audit', '--format', 'sarif', '--', 'https://acme.example/'],
      status: 0,
    });
    expect(
      argumentsFor({
        url: 'x',
        'min-score': 'aeo=80',
        baseline: 'b.json',
        rubric: '3',
        profile: 'docs',
        'max-pages': '3',
        format: 'md',
      }).args,
    ).toEqual([
      'audit',
      '--format',
      'md',
      '--min-score',
      'aeo=80',
      '--baseline',
      'b.json',
      '--rubric',
      '3',
      '--profile',
      'docs',
      '--max-pages',
      '3',
      '--',
      'x',
    ]);
  });

  test('ends as the command line ended', () => {
    expect(argumentsFor({ url: 'x' }, 1).status).toBe(1);
    expect(argumentsFor({ url: 'x' }, 3).status).toBe(3);
  });

  test.each(['"; touch pwned; "', '$(touch pwned)', '`touch pwned`', "'; touch pwned; '", '--json', '-x'])(
    'hands on %j as one argument',
    (url) => {
      expect(argumentsFor({ url }).args.at(-1)).toBe(url);
      expect(() => readFileSync(join(folder, 'pwned'))).toThrow('ENOENT');
    },
  );

  test('puts no input into a script', () => {
    for (const { run } of action.runs.steps) expect(run).not.toContain('${{');
  });

  test('its default format is one the command line knows', () => {
    expect(formats.map(({ name }) => name)).toContain(action.inputs['format']?.default);
  });
});
