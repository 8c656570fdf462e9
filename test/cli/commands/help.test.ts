import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { service } from '../../../src/capabilities/service.ts';
import { exitMeanings } from '../../../src/cli/commands/rows.ts';
import { commandNames, getCommandRow } from '../../../src/cli/commands/table.ts';
import { EXIT } from '../../../src/cli/core/usage.ts';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';

const sightline = (...args: readonly string[]): Promise<Ended> => runCli(args, { cwd: tmpdir(), env: {} });
const own = commandNames.filter((name) => getCommandRow(name).ownHelp !== true);
const withActions = own.flatMap((name) =>
  Object.keys(getCommandRow(name).actions ?? {}).map((action) => [name, action] as const),
);

describe('the first screen', () => {
  test.each([[[]], [['--help']], [['-h']], [['help']]])('%j prints it', async (args) => {
    const { status, out, err } = await sightline(...args);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out.split('\n').length).toBeLessThan(25);
    expect(out.split('\n').filter((line) => line.length > 96)).toEqual([]);
    for (const name of commandNames) expect(out.includes(`\n  ${name} `)).toBe(getCommandRow(name).first === true);
    expect(out).not.toContain('hybrid');
  });

  test('with --all it has every command', async () => {
    const { out } = await sightline('help', '--all');
    for (const name of commandNames) expect(out).toContain(`\n  ${name} `);
  });
});

describe('help of a command', () => {
  test.each(own)('%s --help has its arguments, options and exit statuses', async (name) => {
    const { status, out, err } = await sightline(name, '--help');
    if (name === 'version') return expect({ status, out }).toEqual({ status: 0, out: `${service.version}\n` });
    if (name === 'help') return expect(status).toBe(0);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    const row = getCommandRow(name);
    for (const option of Object.keys(row.options)) expect(out).toContain(`--${option}`);
    for (const argument of row.arguments) expect(out).toContain(`<${argument.name}>`);
    for (const { run } of row.examples) expect(out).toContain(run);
    for (const exit of Object.keys(exitMeanings)) expect(out).toMatch(new RegExp(`^ {2}${exit} {2}`, 'm'));
    expect((await sightline('help', name)).out).toBe(out);
    expect((await sightline(name, '-h')).out).toBe(out);
  });

  test.each(withActions)('%s %s --help has its own options', async (name, action) => {
    const { status, out } = await sightline(name, action, '--help');
    expect(status).toBe(0);
    expect(out.startsWith(`sightline ${name} ${action}: `)).toBe(true);
    for (const option of Object.keys(getCommandRow(name).actions?.[action]?.options ?? {}))
      expect(out).toContain(`--${option}`);
  });

  test('a word behind -- asks for no help', async () => {
    expect((await sightline('run', '--', '--help')).status).toBe(2);
  });

  test('the statuses of the table are those of the code', () => {
    expect(Object.keys(exitMeanings).map(Number)).toEqual(Object.values(EXIT));
  });
});

test.each(['--version', '-V', 'version'])('%s prints the version alone', async (word) => {
  expect(await sightline(word)).toEqual({ status: 0, out: `${service.version}\n`, err: '' });
});

describe('a mistake', () => {
  test.each([
    [['adit'], 'Unknown command adit. Did you mean audit?', 'See sightline --help'],
    [['bogus'], 'Unknown command bogus.', 'See sightline --help'],
    [['example.com'], 'Unknown command example.com. Did you mean sightline audit example.com?', 'See sightline --help'],
    [['--formt'], 'Unknown option --formt.', 'See sightline --help'],
    [
      ['audit', 'x.test', '--formt', 'json'],
      'Unknown option --formt. Did you mean --format?',
      'See sightline audit --help',
    ],
    [
      ['audit', 'x.test', '--format', 'htlm'],
      'takes one of text, json, md, html, sarif, junit, pdf, not htlm. Did you mean html?',
      'See sightline audit --help',
    ],
    [['audit', 'x.test', '--format'], '--format needs a value: --format <name>.', 'See sightline audit --help'],
    [['audit', 'x.test', '--only', '--json'], '--only needs a value', 'See sightline audit --help'],
    [['audit', 'x.test', '--json=yes'], '--json takes no value.', 'See sightline audit --help'],
    [['audit', 'x.test', 'y.test'], 'Unexpected word y.test: the command takes <url>.', 'See sightline audit --help'],
    [['compare', 'x.test'], '<second> is missing', 'See sightline compare --help'],
    [['channels', 'lst'], 'Did you mean list?', 'See sightline channels --help'],
    [['channels', 'list', '--customr', 'x'], 'Did you mean --customer?', 'See sightline channels list --help'],
    [['completion', 'powershell'], 'takes one of bash, zsh, fish', 'See sightline completion --help'],
    [['run', 'generate_llms', 'http://127.0.0.1:1/'], 'Did you mean generate_llms_txt?', 'See sightline run --help'],
  ])('%j is said in one line, with where help is', async (args, said, next) => {
    const { status, out, err } = await sightline(...args);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    const [first = '', second] = err.split('\n');
    expect(first).toContain(said);
    if (!args.includes('--json') && !args.includes('json'))
      expect([second, err.split('\n')]).toEqual([next, [first, next, '']]);
  });

  test('with --json it is one JSON object of these members', async () => {
    const { err } = await sightline('audit', 'x.test', '--json', '--formt');
    expect(JSON.parse(err)).toEqual({
      reason: 'usage',
      message: 'Unknown option --formt. Did you mean --format?',
      detail: null,
      next: 'See sightline audit --help',
      exit: 2,
    });
  });

  test('shows nothing of a terminal sequence that it quotes', async () => {
    const { err } = await sightline('audit', `--\u001b[31mred`);
    expect(err.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });
});
