import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

type Manifest = Partial<
  Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Readonly<Record<string, string>>>
>;

const root = join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The packages that a manifest asks for. */
function listPackages(file: string): readonly string[] {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(file)) as Manifest;
  return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
}

const named = [...read('docs/project/dependencies.md').matchAll(/^\| `([^`]+)` \| (\S.*) \|$/gm)].map(
  ([, name = '']) => name,
);

test('the page says why each dependency is there, once', () => {
  expect(listPackages('package.json').filter((name) => !named.includes(name))).toEqual([]);
  expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([]);
});

test('the page names no package that nothing asks for any more', () => {
  const manifests = globSync(['package.json', 'docs/package.json', 'test/conformance/package.json'], { cwd: root });
  const asked = new Set(manifests.flatMap(listPackages));
  expect(named.filter((name) => !asked.has(name))).toEqual([]);
});
