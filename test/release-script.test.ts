import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildPublishFields } from '../scripts/build/publish-fields.js';
import { closeUnreleased, listObstacles, type Release, withVersion } from '../scripts/release.ts';

const root = join(import.meta.dirname, '..');
const good: Release = {
  version: '1.2.0',
  changelog: '# Changelog\n\n## 1.2.0\n\nNew.\n',
  tag: 'v1.2.0',
  isPublishing: true,
  isCleanTree: true,
  workflowRepository: 'https://git.test/owner/name',
  packed: [
    {
      name: '@sightline/cli',
      version: '1.2.0',
      size: 1_900_000,
      unpackedSize: 6_000_000,
      repositoryUrl: 'git+https://git.test/owner/name.git',
    },
  ],
};
const withPacked = (change: object): Partial<Release> => ({
  packed: good.packed.map((each) => ({ ...each, ...change })),
});

test('a release with its changelog, its tag and small packages may go out', () => {
  expect(listObstacles(good)).toEqual([]);
});

test.each<[string, Partial<Release>, RegExp]>([
  [
    'a changelog that does not name it',
    { changelog: '# Changelog\n\n## Unreleased\n' },
    /CHANGELOG\.md begins with "Unreleased"/,
  ],
  ['a tag of another version', { tag: 'v1.1.0' }, /v1\.1\.0 is not v1\.2\.0/],
  ['changes that are not committed', { isCleanTree: false }, /not committed/],
  ['an example', withPacked({ repositoryUrl: 'git+https://sightline.example/source.git' }), /an example/],
  ['a package without a repository', withPacked({ repositoryUrl: undefined }), /names no repository/],
  ['another repository', withPacked({ repositoryUrl: 'git+https://git.test/fork/name.git' }), /names .*\/fork\/name,/],
  ['a package of another version', withPacked({ version: '1.1.0' }), /has version 1\.1\.0/],
  ['a large file', withPacked({ size: 2_097_153 }), /2097153 bytes packed/],
  ['large contents', withPacked({ unpackedSize: 6_291_457 }), /6291457 bytes/],
  ['a version that is none', { version: 'next' }, /next is no version/],
])('%s stops it', (_what, change, message) => {
  expect(listObstacles({ ...good, ...change }).join('\n')).toMatch(message);
});

test('a trial says nothing of uncommitted changes and of the repository', () => {
  expect(
    listObstacles({
      ...good,
      ...withPacked({ repositoryUrl: 'git+https://a.example/b.git' }),
      isPublishing: false,
      isCleanTree: false,
    }),
  ).toEqual([]);
});

test('the next version is written into every file that names it, and nowhere else in them', () => {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const changed = withVersion(lock, /^( {2}"version": ")[^"]+/m, '9.9.9');
  expect(changed.split('\n').filter((line, at) => line !== lock.split('\n')[at])).toEqual(['  "version": "9.9.9",']);
  expect(() => withVersion('{}', /"version": "()/, '9.9.9')).toThrow('no version');
});

test('what was not released yet gets the name of the version', () => {
  expect(closeUnreleased('# Changelog\n\n## Unreleased\n\nNew.\n\n## 0.1.0\n', '0.2.0')).toBe(
    '# Changelog\n\n## 0.2.0\n\nNew.\n\n## 0.1.0\n',
  );
  expect(() => closeUnreleased('# Changelog\n\n## 0.1.0\n', '0.2.0')).toThrow('Unreleased');
});

test('both packages name the repository of the workflow that publishes them, else that of package.json', () => {
  const own = { version: '1.2.0', homepage: '', license: 'MIT', engines: {}, repository: { url: 'own' } };
  const workflow = { GITHUB_SERVER_URL: 'https://git.test', GITHUB_REPOSITORY: 'owner/name' };
  expect(buildPublishFields(own, workflow)['repository']).toEqual({
    type: 'git',
    url: 'git+https://git.test/owner/name.git',
  });
  expect(buildPublishFields(own, {})['repository']).toEqual({ url: 'own' });
  for (const folder of ['package', 'emulator'])
    expect(JSON.parse(readFileSync(join(root, 'dist', folder, 'package.json'), 'utf8'))).toMatchObject({
      repository: { type: 'git' },
      publishConfig: { access: 'public', provenance: true },
    });
});
