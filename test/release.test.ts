import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withReleaseParts } from '../scripts/docs/parts/release-parts.ts';
import { listDocuments } from '../scripts/generate-docs.ts';
import { service } from '../src/capabilities/service.ts';
import {
  buildMcpLaunch,
  CLI_PACKAGE,
  CLIENT_PACKAGE,
  EMULATOR_PACKAGE,
  formatCliCommand,
  IS_PUBLISHED,
  listInstallSteps,
} from '../src/lib/release.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The bare name on the registry belongs to no one: a program of anyone who takes it would run with a wallet key in the environment. */
const BARE_NAME =
  /\b(?:npx|npm (?:exec|x|i|install|add)|pnpm (?:dlx|add)|yarn (?:dlx|add)|bunx)(?: -{1,2}(?!-?no\b)[\w-]+)* sightline(?:-emulator)?\b/;
/** A package of ours by name. */
const OUR_NAMES = new RegExp(
  String.raw`\b(?:npx|npm (?:exec|x|i|install|add))(?: -{1,2}[\w-]+)* (?:${CLI_PACKAGE}|${EMULATOR_PACKAGE}|${CLIENT_PACKAGE})\b`,
);
const texts = globSync(
  '{README.md,SECURITY.md,action.yml,server.json,docs/**/*.md,{src,routes,local}/**/*.{ts,tsx,md}}',
  {
    cwd: root,
  },
).filter((file) => file !== 'src/lib/release.ts' && !file.includes('/node_modules/'));

test('no text tells people to run a name of the registry that others can take', () => {
  const found = texts.filter((file) => BARE_NAME.test(read(file)) || (!IS_PUBLISHED && OUR_NAMES.test(read(file))));
  expect(found).toEqual([]);
});

test('texts are searched', () => {
  expect(texts.length).toBeGreaterThan(1_000);
});

test.each([
  ['npx sightline audit example.com', true],
  ['npx -y sightline mcp', true],
  ['npm install --global sightline', true],
  ['sightline audit example.com', false],
  ['npx sightline-emulator --no-auth', true],
  ['npx --no sightline-emulator --no-auth', false],
  ['npm install --global ./dist/package', false],
])('%s: asks for the bare name: %s', (text, expected) => {
  expect(BARE_NAME.test(text)).toBe(expected);
});

test('until the packages are published, no command or configuration of ours asks the registry for one', () => {
  const { command, args } = buildMcpLaunch(false);
  const printed = [formatCliCommand('audit', false), [command, ...args].join(' '), ...listInstallSteps(false)];
  for (const text of printed) expect(text).not.toMatch(OUR_NAMES);
  for (const text of [formatCliCommand('audit', true), ...listInstallSteps(true)]) expect(text).toMatch(OUR_NAMES);
});

test('documents say how to install by the release switch (npm run docs)', () => {
  expect(listDocuments().filter((file) => withReleaseParts(read(file)) !== read(file))).toEqual([]);
  const marked = 'Before\n<!-- mcp-stdio:start -->old<!-- mcp-stdio:end -->\nAfter';
  expect(withReleaseParts(marked, false)).toContain('"command": "sightline"');
  expect(withReleaseParts(marked, true)).toContain(`"${CLI_PACKAGE}"`);
});

test('the build, the lock files and the registry entry have the version and the names of the release', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(service.version).toBe(version);
  expect(JSON.parse(read('server.json'))).toMatchObject({ version });
  expect(JSON.parse(read('package-lock.json'))).toMatchObject({ version, packages: { '': { version } } });
  expect(read('scripts/build-package.js')).toContain(`'${CLI_PACKAGE}'`);
  expect(read('scripts/build-emulator.js')).toContain(`'${EMULATOR_PACKAGE}'`);
  expect(read('scripts/build-client.js')).toContain(`'${CLIENT_PACKAGE}'`);
});
