import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandTable } from '../../../src/cli/commands/table.ts';
import type { ActionRow, CommandRow } from '../../../src/cli/commands/rows.ts';
import { refuseReplacing } from '../../../src/cli/core/output.ts';
import { runCli } from '../../support/runner/run-cli.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-replaced-'));
  writeFileSync(join(folder, 'may.json'), 'what was paid for');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const about = ['visibility', '--brand', 'Acme', '--niche', 'tea'];

describe('a file that a command reads is not written', () => {
  test.each<[string, readonly string[], Record<string, string>?]>([
    ['answers', [...about, '--engine', 'recorded', '--answers', 'may.json', '--snapshot', './may.json']],
    [
      'answers of the environment',
      [...about, '--engine', 'recorded', '-o', 'may.json'],
      { ANSWER_ENGINE_FILE: 'may.json' },
    ],
    ['a baseline', [...about, '--engine', 'simulated', '--baseline', 'may.json', '-o', 'may.json']],
    ['a configuration', [...about, '--config', 'may.json', '-o', 'may.json']],
    ['a snapshot of history', ['history', 'june.json', 'may.json', '-o', 'may.json']],
    ['an export', ['visibility', 'import', 'may.json', '--output=may.json']],
    [
      'a measurement beside an export',
      ['visibility', 'import', 'a.csv', '--with', 'b', '--with', 'may.json', '-o', 'may.json'],
    ],
    ['a snapshot', ['replay', 'may.json', '--format', 'html', '-o', 'may.json']],
    ['a report', ['compare', 'may.json', 'june.json', '-o', 'may.json']],
    ['the baseline of an audit', ['audit', 'example.com', '--baseline', 'may.json', '--snapshot', 'may.json']],
    ['facts', ['fix', 'example.com', '--out', 'fixes', '--facts', 'may.json', '-o', 'may.json']],
    ['a key', ['channels', 'list', '--key', 'may.json', '-o', 'may.json']],
  ])('%s', async (_what, args, env = {}) => {
    const { status, out, err } = await runCli(args, { cwd: folder, env });
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(
      /^--(?:output|snapshot) would replace (?:\.\/)?may\.json, which is read \(.+\)\. Name another file\.$/m,
    );
    expect(readFileSync(join(folder, 'may.json'), 'utf8')).toBe('what was paid for');
  });

  test.each([
    ['of a measurement', [...about, '-o', 'sightline.config.json']],
    ['of a measurement by another engine', [...about, '--engine', 'simulated', '--snapshot', 'sightline.config.json']],
    ['of an audit', ['audit', '--snapshot', './sightline.config.json']],
    ['of fixes', ['fix', 'example.com', '--out', 'fixes', '-o', 'sightline.config.json']],
  ])('the configuration that is found, %s', async (_what, args) => {
    const config = JSON.stringify({ engines: [{ kind: 'simulated' }], urls: ['http://127.0.0.1:1'] });
    writeFileSync(join(folder, 'sightline.config.json'), config);
    const { status, err } = await runCli(args, { cwd: folder });
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining('which is read (the configuration)') });
    expect(readFileSync(join(folder, 'sightline.config.json'), 'utf8')).toBe(config);
  });

  test('by another name either', () => {
    const [file, link, hard] = ['may.json', 'link.json', 'hard.json'].map((name) => join(folder, name));
    if (file === undefined || link === undefined || hard === undefined) throw new Error('there are three');
    symlinkSync('may.json', link);
    linkSync(file, hard);
    mkdirSync(join(folder, 'real'));
    symlinkSync('real', join(folder, 'other'));
    const refused = (read: string, written: string) =>
      refuseReplacing({ read: [{ by: '<file>', path: read }], written: [{ by: '--output', path: written }] })?.message;
    expect([refused(file, link), refused(link, hard)]).toEqual(Array.from({ length: 2 }, () => expect.any(String)));
    expect(refused(join(folder, 'real', 'new'), join(folder, 'other', 'new'))).toBeDefined();
    expect([refused(file, join(folder, 'june.json')), refused('/dev/null', '/dev/null')]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

/** Options whose file the command neither takes whole nor replaces: settings of a deployment, a key, a name for later. */
const SETTINGS: ReadonlySet<string> = new Set([
  'deploy --secrets-file',
  'deploy --save-secrets',
  'token --key',
  'init --baseline',
]);

test('every option that takes a file says whether it is read or written', () => {
  const rows: readonly (readonly [string, CommandRow | ActionRow])[] = Object.entries(commandTable).flatMap(
    ([name, row]: [string, CommandRow]) => [
      [name, row] as const,
      ...Object.entries(row.actions ?? {}).map(([action, one]) => [`${name} ${action}`, one] as const),
    ],
  );
  const files = rows.flatMap(([name, { options }]) =>
    Object.entries(options).flatMap(([option, { value, file }]) =>
      value === '<file>' ? [[`${name} --${option}`, file] as const] : [],
    ),
  );
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter(([name, file]) => file === undefined && !SETTINGS.has(name))).toEqual([]);
});
