import { expect, test } from 'vitest';
import { parseByRow } from '../../../src/cli/commands/parse.ts';
import { commandNames, getCommandRow } from '../../../src/cli/commands/table.ts';
import { isFailure } from '../../../src/cli/core/failure.ts';

const rows = commandNames.map((name) => [name, getCommandRow(name)] as const);
const examples = rows.flatMap(([name, row]) => row.examples.map(({ run }) => [run, name] as const));

/** Words as a shell splits them, up to a redirection. */
const splitWords = (text: string): readonly string[] =>
  [...(text.split(' > ')[0] ?? '').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

test.each(examples)('the example "%s" is taken by its command', (run, name) => {
  const [program, command, ...rest] = splitWords(run);
  const row = getCommandRow(name);
  expect([program, command]).toEqual(['sightline', name]);
  if (row.ownHelp === true || name === 'serve') return;
  const action = row.actions?.[rest[0] ?? ''];
  const given =
    action === undefined
      ? parseByRow(rest, row)
      : parseByRow(rest.slice(1), { ...action, options: { ...action.options, ...row.options } });
  expect(isFailure(given) ? given.message : '').toBe('');
});

test('each option that takes a value says what, and no letter stands for two', () => {
  for (const [name, { options, actions = {} }] of rows) {
    for (const given of [options, ...Object.values(actions).map((row) => ({ ...row.options, ...options }))]) {
      const letters = Object.values(given).flatMap(({ short }) => (short === undefined ? [] : [short]));
      expect([name, new Set(letters).size]).toEqual([name, letters.length]);
      expect(letters).not.toContain('h');
      for (const row of Object.values(given))
        expect([name, row.value !== undefined]).toEqual([name, row.type === 'string']);
    }
  }
});

test('every command that prints a result takes --format, --output, --quiet and --json', () => {
  for (const name of ['audit', 'compare', 'visibility', 'run', 'replay', 'buy', 'channels'] as const)
    expect(Object.keys(getCommandRow(name).options)).toEqual(
      expect.arrayContaining(['format', 'output', 'quiet', 'json']),
    );
});

test('a value may begin with a hyphen behind an equals sign, and an option may be given several times', () => {
  const row = {
    arguments: [],
    options: { a: { type: 'string', description: '', value: '<x>', multiple: true } },
  } as const;
  expect(parseByRow(['--a=-x', '--a', '-'], row)).toMatchObject({ values: { a: ['-x', '-'] } });
  expect(parseByRow(['--a', '-x'], row)).toMatchObject({ reason: 'usage' });
});
