import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { afterEach, expect, test } from 'vitest';
import { needJudges } from '../scripts/judges.js';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
type Manifest = Partial<
  Record<'dependencies' | 'devDependencies' | 'optionalDependencies' | 'engines', Record<string, string>>
>;
const main = JSON.parse(read('package.json')) as Manifest;
const judges = JSON.parse(read('test/conformance/package.json')) as Manifest;
const inRoot = { ...main.dependencies, ...main.devDependencies, ...main.optionalDependencies };

/** Packages that `npm ci` must not bring again: each is heavy, or brings many others. */
const HEAVY = [
  'googleapis',
  'cloudflare',
  'lighthouse',
  'recheck',
  '@google-cloud/logging',
  '@modelcontextprotocol/conformance',
];

test('heavy judges are installed by a lock file of their own, and by no other', () => {
  expect(HEAVY.filter((name) => !Object.hasOwn(judges.dependencies ?? {}, name))).toEqual([]);
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, unknown> };
  expect(HEAVY.filter((name) => Object.hasOwn(packages, `node_modules/${name}`))).toEqual([]);
});

test('what both install is of one version: values of one go to functions of the other', () => {
  const shared = Object.entries(judges.dependencies ?? {}).filter(([name]) => Object.hasOwn(inRoot, name));
  expect(shared.length).toBeGreaterThan(0);
  expect(shared.filter(([name, version]) => inRoot[name] !== version)).toEqual([]);
  const lock = JSON.parse(read('test/conformance/package-lock.json')) as { packages: Record<string, unknown> };
  const imported = globSync('test/conformance/**/*.ts', { cwd: root, exclude: ['test/conformance/node_modules/**'] })
    .flatMap((file) => [...read(file).matchAll(/from '((?:@[\w.-]{1,60}\/)?[\w-][\w.-]{0,60})/g)])
    .map(([, name = '']) => name);
  // What another package brings to the top of that folder would shadow ours.
  const shadowed = [...new Set(imported)].filter(
    (name) =>
      Object.hasOwn(inRoot, name) &&
      Object.hasOwn(lock.packages, `node_modules/${name}`) &&
      !Object.hasOwn(judges.dependencies ?? {}, name),
  );
  expect(shadowed).toEqual([]);
});

test('what bench alone installs has its types in a declaration of ours: they are judged without it', () => {
  const files = globSync('bench/**/*.ts', { cwd: root, exclude: ['bench/node_modules/**'] });
  const imported = files.flatMap((file) =>
    parseSync(file, read(file)).module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
  );
  const packages = imported.flatMap(
    (name) => /^(?!node:|cloudflare:)(?:@[\w.-]+\/)?[a-z][\w.-]*/.exec(name)?.slice(0, 1) ?? [],
  );
  const declared = files.flatMap((file) =>
    [...read(file).matchAll(/^declare module '(.+)'/gm)].map(([, name]) => name),
  );
  const peers = [...new Set(packages)].filter((name) => !Object.hasOwn(inRoot, name));
  expect(peers).toContain('cheerio');
  expect(peers.filter((name) => !declared.includes(name))).toEqual([]);
});

test('only files below test/conformance import a judge', () => {
  const patterns = '{src,routes,durable-objects,local,scripts,test,bench}/**/*.{ts,tsx,js,mjs}';
  const files = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', 'test/conformance/**'] });
  const names = Object.keys(judges.dependencies ?? {}).filter((name) => !Object.hasOwn(inRoot, name));
  const importers = files.filter((file) => {
    const specifiers = [...read(file).matchAll(/^(?:import|export) [^;]*?from '([^']+)';/gms)].map(
      ([, name = '']) => name,
    );
    return specifiers.some((specifier) => names.some((name) => specifier === name || specifier.startsWith(`${name}/`)));
  });
  expect(importers).toEqual([]);
});

test('no lock file names the registry that it was made with', () => {
  for (const file of ['package-lock.json', 'test/conformance/package-lock.json'])
    expect(read(file)).not.toContain('"resolved"');
});

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));
function folderWithLock(text: string): { folder: string; mark: string } {
  const folder = mkdtempSync(join(tmpdir(), 'judges-'));
  folders.push(folder);
  writeFileSync(join(folder, 'package-lock.json'), text);
  return { folder, mark: join(folder, 'mark') };
}

test('judges are installed once for each lock file', () => {
  const { folder, mark } = folderWithLock('{}');
  let runs = 0;
  const install = (): boolean => ++runs > 0;
  expect([needJudges(folder, mark, install), needJudges(folder, mark, install), runs]).toEqual([true, true, 1]);
  writeFileSync(join(folder, 'package-lock.json'), '{ "lockfileVersion": 3 }');
  expect([needJudges(folder, mark, install), runs]).toEqual([true, 2]);
});

test('judges that cannot be installed are a failure, and are tried again', () => {
  const { folder, mark } = folderWithLock('{}');
  expect(needJudges(folder, mark, () => false)).toBe(false);
  expect(existsSync(mark)).toBe(false);
  expect(needJudges(folder, mark, () => true)).toBe(true);
});

test('a link to the packages of another checkout is taken away, and what it leads to stays', () => {
  const { folder } = folderWithLock('{}');
  const { folder: other } = folderWithLock('other');
  symlinkSync(other, join(folder, 'node_modules'));
  const seen: boolean[] = [];
  const install = (): boolean => {
    seen.push(existsSync(join(folder, 'node_modules')));
    mkdirSync(join(folder, 'node_modules'));
    return true;
  };
  expect(needJudges(folder, join(folder, 'node_modules', 'mark'), install)).toBe(true);
  expect([seen, existsSync(join(other, 'package-lock.json')), existsSync(join(other, 'mark'))]).toEqual([
    [false],
    true,
    false,
  ]);
});
