import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { checkOverrides, migrateOverrides } from '../../../src/hybrid/core/migrate.ts';
import type { EnvironmentGroup } from '../../../src/hybrid/core/migration.ts';

const own = join(import.meta.dirname, '../data');
/** The folder that these files came from, where there is one; it may have more of them. */
const shared = join(import.meta.dirname, '../../../../shared/hybrid');

const read = (...path: readonly string[]) => readFileSync(join(...path), 'utf8');
const filesOf = (folder: string, of: string): readonly string[] =>
  existsSync(join(folder, of)) ? readdirSync(join(folder, of)).filter((name) => name.endsWith('.yaml')) : [];
const errorsOf = (problems: readonly { severity: string }[]) => problems.filter(({ severity }) => severity === 'error');

test('the given files are all there', () => {
  expect([filesOf(own, 'in-1.2').length, filesOf(own, 'in-1.1').length, filesOf(own, 'ref-1.3').length]).toEqual([
    3, 1, 3,
  ]);
});

const folders = [
  { folder: own, name: 'test/hybrid/data' },
  { folder: shared, name: '../shared/hybrid' },
].filter(({ folder }) => existsSync(folder));

describe.each(folders)('the files in $name', ({ folder }) => {
  const groups = JSON.parse(read(folder, 'expected-1.3/environment-groups.json')) as Record<string, EnvironmentGroup[]>;

  test.each(filesOf(folder, 'in-1.2'))('%s migrates without flags to exactly the expected text and groups', (file) => {
    const name = file.replace(/-1\.2\.yaml$/, '');
    const outcome = migrateOverrides(read(folder, 'in-1.2', file));
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
    expect(outcome.text).toBe(read(folder, 'expected-1.3', `${name}.yaml`));
    expect(outcome.version).toBe('1.2');
    expect(outcome.groups).toEqual(groups[name]);
    expect(Buffer.from(outcome.text)).toEqual(readFileSync(join(folder, 'expected-1.3', `${name}.yaml`)));
  });

  test.each(filesOf(folder, 'in-1.2'))('check finds no error in %s', (file) => {
    const { version, problems } = checkOverrides(read(folder, 'in-1.2', file));
    expect(version).toBe('1.2');
    expect(errorsOf(problems)).toEqual([]);
  });

  test.each(filesOf(folder, 'expected-1.3'))(
    'a second run leaves %s as it is, and check finds no error in it',
    (file) => {
      const text = read(folder, 'expected-1.3', file);
      const outcome = migrateOverrides(text);
      expect(outcome).toMatchObject({ ok: true, changed: false, text, edits: [] });
      const { problems, isFragment } = checkOverrides(text);
      expect(errorsOf(problems)).toEqual([]);
      expect(isFragment).toBe(!/^org:/m.test(text));
    },
  );

  test.each(filesOf(folder, 'in-1.1'))('%s is refused at its keys of 1.1', (file) => {
    const text = read(folder, 'in-1.1', file);
    const outcome = migrateOverrides(text);
    expect(outcome).toMatchObject({ ok: false, version: '1.1' });
    const told = outcome.problems
      .filter(({ code }) => code === 'version-1-1')
      .map(({ line, column }) => `${line}:${column}`);
    const places = keysOfVersion11(text);
    expect(places.length).toBeGreaterThan(0);
    expect(told).toEqual(expect.arrayContaining([...places]));
    expect(checkOverrides(text)).toMatchObject({ version: '1.1', problems: outcome.problems });
  });

  test.each(filesOf(folder, 'ref-1.3'))('%s is a 1.3 file: no error, nothing to change', (file) => {
    const text = read(folder, 'ref-1.3', file);
    const { version, problems } = checkOverrides(text);
    expect(version).toBe('1.3');
    expect(errorsOf(problems)).toEqual([]);
    expect(migrateOverrides(text)).toMatchObject({
      ok: true,
      version: '1.3',
      changed: false,
      text,
      edits: [],
      groups: [],
    });
  });
});

/** Places of `hostAlias`, `sslCertPath` and `sslKeyPath` of environments, by their lines alone. */
function keysOfVersion11(text: string): readonly string[] {
  const names = parseDocument(text).toJS().envs as Record<string, unknown>[];
  const keys = ['hostAlias', 'sslCertPath', 'sslKeyPath'].filter((key) => names.some((one) => key in one));
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^envs\s*:/.test(line));
  const after = lines.findIndex((line, at) => at > start && /^[A-Za-z]/.test(line));
  return lines.flatMap((line, at) => {
    if (at <= start || (after !== -1 && at >= after)) return [];
    const column = line.search(/[A-Za-z#]/);
    return keys.some((key) => line.slice(column).startsWith(`${key}:`)) ? [`${at + 1}:${column + 1}`] : [];
  });
}

test('the 1.1 keys of the given file are at the lines a reader finds them', () => {
  expect(keysOfVersion11(read(own, 'in-1.1/11-ahr-small-1.1.yaml'))).toEqual(['31:5', '33:5', '35:5']);
});
