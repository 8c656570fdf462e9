import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deployedWorkers, configurationFiles } from '../src/deploy/configuration.ts';
import { parseSecretsFile } from '../src/deploy/secrets.ts';
import { serviceCommands } from '../src/cli/commands/service-commands-data.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const guide = read('docs/operate/deploy.md');
const pages = globSync('docs/operate/*.md', { cwd: root });
const listNamed = (text: string, pattern: RegExp): readonly string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
];

test('the pages name options of deploy that it has, and workers and environments that there are', () => {
  const { options, actions } = serviceCommands.deploy;
  const known = new Set([...Object.keys(options), ...Object.keys(actions.rollback.options)]);
  const lines = [...pages, 'README.md'].flatMap((page) =>
    read(page)
      .replaceAll('\\\n', ' ')
      .split('\n')
      .flatMap((line) => listNamed(line, /((?:npm run deploy --|sightline deploy) [^`#]*)/g)),
  );
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) {
    const words = line.replace(/^npm run deploy --/, '');
    const workers = listNamed(words, /--workers ([\w,]+)/g).flatMap((list) => list.split(','));
    const strange = [
      ...listNamed(words, /--([a-z-]+)/g).filter((name) => !known.has(name)),
      ...listNamed(words, /--env (\w+)/g).filter((name) => name !== 'staging' && name !== 'production'),
      ...workers.filter((name) => !Object.hasOwn(configurationFiles, name)),
    ];
    expect([line, ...strange]).toEqual([line]);
  }
});

test('files of settings in the pages are as the command takes them', () => {
  const files = pages.flatMap((page) =>
    listNamed(read(page), /^umask 077 && cat > (?:\S+\.env) <<END\n([\s\S]+?)\nEND$/gm),
  );
  expect(files.length).toBeGreaterThan(2);
  for (const text of files) expect([text, parseSecretsFile(text)]).toMatchObject([text, { ok: true }]);
  expect(files[0]).toContain('FACILITATOR_URL=');
});

test('the guide lists every Worker with its configuration', () => {
  const listed = listNamed(guide, /^\| `sightline-(\w+)` \| `[\w.]+` \|/gm);
  expect(listed.toSorted()).toEqual([...deployedWorkers].toSorted());
  expect(listNamed(guide, /^\| `sightline-\w+` \| `([\w.]+)` \|/gm).toSorted()).toEqual(
    Object.values(configurationFiles).toSorted((a, b) => a.localeCompare(b)),
  );
});

test('reasons of the guide are those of the command', () => {
  const code = globSync('src/deploy/*.ts', { cwd: root }).map(read).join('\n');
  const table = guide.slice(guide.indexOf('## When it fails'));
  const reasons = listNamed(table, /`([a-z]+_[a-z_]+)`/g).filter(
    (one) => !/^(?:not_configured|wrong_host|caller_address_missing)$/.test(one),
  );
  expect(reasons.length).toBeGreaterThan(7);
  for (const reason of reasons) expect(code).toContain(`'${reason}'`);
});

test('README deploys in at most 25 lines', () => {
  const [, section = ''] = /^## Host it yourself\n([\s\S]+?)^## /m.exec(read('README.md')) ?? [];
  expect(section).toContain('npm run deploy -- --env staging');
  expect(section.trim().split('\n').length).toBeLessThanOrEqual(25);
});

test('the pages that call `sightline` install it before', () => {
  for (const page of ['docs/operate/deploy.md', 'docs/operate/webhooks.md']) {
    const text = read(page);
    expect(text.indexOf('npm install --global ./dist/package')).toBeGreaterThan(0);
    expect(text.indexOf('npm install --global ./dist/package')).toBeLessThan(text.search(/^(?:\w+=\S+ )?sightline /m));
  }
});

test('files with secrets that the pages write into the clone are ignored by git', () => {
  const written = [
    ...pages
      .map(read)
      .join('\n')
      .matchAll(/(?:>|tee|-c|put \w+ <) ([\w-]+\.(?:env|json|txt))\b/g),
  ].map(([, name = '']) => name);
  expect(written).toEqual(
    expect.arrayContaining(['api.env', 'engine.env', 'directory.env', 'session.json', 'cookies.txt']),
  );
  const { stdout } = spawnSync('git', ['check-ignore', '--no-index', ...new Set(written)], {
    cwd: root,
    encoding: 'utf8',
  });
  const sort = (names: readonly string[]): readonly string[] => names.toSorted((a, b) => a.localeCompare(b));
  expect(sort(stdout.trim().split('\n'))).toEqual(sort([...new Set(written)]));
});
