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

/** Code in the first cells of tables: what a reader looks up. */
const listRows = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .flatMap((line) => listNamed(line.split(' | ')[0] ?? '', /`([^`]+)`/g));

test('every reason to refuse has a row in the pages, and the rows of the guide are reasons', () => {
  const code = globSync(['src/deploy/*.ts', 'src/cli/deploy/*.ts'], { cwd: root }).map(read).join('\n');
  // Those of the platform's own codes are in a table, from which two calls take them.
  expect(listNamed(code, /refuseDeploy\(\s*([^'\s,]+),/g)).toEqual(['known[0]', 'reason']);
  const reasons = listNamed(code, /(?:refuseDeploy\(|\breason:|\d: \[)\s*'([a-z_]+)'/g);
  expect(reasons.length).toBeGreaterThan(40);
  const rows = ['deploy', 'domains', 'backup-restore-rollback'].flatMap((page) =>
    listRows(read(`docs/operate/${page}.md`)),
  );
  expect(reasons.filter((reason) => !rows.includes(reason))).toEqual([]);
  const ofGuide = listRows(guide.slice(guide.indexOf('## When it fails'))).filter((name) => /^[a-z_]+$/.test(name));
  const ofService = ['not_configured', 'wrong_host', 'caller_address_missing'];
  expect(ofGuide.filter((name) => !reasons.includes(name) && !ofService.includes(name))).toEqual([]);
});

test('every check of the doctor has a row in the page about incidents, and every row is of a check', () => {
  const code = globSync('src/deploy/checks/*.ts', { cwd: root }).map(read).join('\n');
  // What follows in a template is the name of a Worker, a queue or a setting.
  const ids = listNamed(code, /\bid: ['`]([a-z_.]+)(?=['`$])/g);
  expect(ids.length).toBeGreaterThan(25);
  const [, table = ''] = /^## The doctor says\n([\s\S]+?)^## /m.exec(read('docs/operate/incidents.md')) ?? [];
  const rows = listRows(table);
  const isOf = (row: string, id: string): boolean => (row.endsWith('*') ? id.startsWith(row.slice(0, -1)) : row === id);
  expect(ids.filter((id) => !rows.some((row) => isOf(row, id)))).toEqual([]);
  expect(rows.filter((row) => !ids.some((id) => isOf(row, id)))).toEqual([]);
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
