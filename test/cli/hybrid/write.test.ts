import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, linkSync, lstatSync, mkdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeAll } from '../../../src/cli/hybrid/write-all.ts';
import { hybrid, type Listing, OVERRIDES, temporaryFolder } from './world.ts';

const { at, put, read, listing } = temporaryFolder();
const base64 = (text: string): string => Buffer.from(text).toString('base64');

let file = '';
let before: Listing = {};
beforeEach(() => {
  file = put('overrides.yaml', OVERRIDES, 0o600);
  before = listing();
});

const to = (name: string, ...more: readonly string[]) => hybrid(['migrate', file, '-o', at(name), ...more]);
const inPlace = (...more: readonly string[]) => hybrid(['migrate', file, '--write', ...more]);

const GROUPS = `[
  {
    "group": "default",
    "hostnames": [
      "api.example.com"
    ],
    "environments": [
      "test"
    ],
    "basePaths": {
      "test": [
        "/"
      ]
    }
  }
]
`;

/** Refused, said why, and nothing is other than it was. */
async function expectRefused(
  run: Promise<Awaited<ReturnType<typeof hybrid>>>,
  reason: string,
  as: Listing,
): Promise<void> {
  const { status, out, err } = await run;
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toContain(reason);
  expect(listing()).toEqual(as);
}

describe('-o', () => {
  test('writes the new file, and beside it the environment groups, with the permissions of the old one', async () => {
    const { status, out, err } = await to('new.yaml');
    expect({ status, out }).toEqual({ status: 0, out: '' });
    expect(err).toContain(`Wrote ${at('new.yaml')}.\nWrote ${at('environment-groups.json')}.\n`);
    expect(listing()).toEqual({
      ...before,
      'new.yaml': `600 ${base64(read('new.yaml'))}`,
      'environment-groups.json': `600 ${base64(GROUPS)}`,
    });
    expect(read('new.yaml')).toContain('# production\n');
  });

  test('gives the file no other permissions than the old one has', async () => {
    chmodSync(file, 0o640);
    await to('new.yaml');
    expect(listing()['new.yaml']).toMatch(/^640 /);
  });

  test('what is read from standard input is written for the owner alone', async () => {
    expect((await hybrid(['migrate', '-', '-o', at('new.yaml')], { stdin: OVERRIDES })).status).toBe(0);
    expect(listing()['new.yaml']).toMatch(/^600 /);
  });

  test('a second run finds what it would write', async () => {
    await to('new.yaml');
    const once = listing();
    const { status, err } = await to('new.yaml');
    expect(status).toBe(0);
    expect(err).toContain(`${at('new.yaml')} has this content already.\n`);
    expect(listing()).toEqual(once);
  });

  test('a file with other content is replaced with --force only, and then gets no further permissions', async () => {
    put('new.yaml', 'mine', 0o400);
    const now = listing();
    await expectRefused(to('new.yaml'), `${at('new.yaml')} exists and has other content: --force replaces it.`, now);
    expect((await to('new.yaml', '--force')).status).toBe(0);
    expect(listing()['new.yaml']).toBe(`400 ${base64(read('new.yaml'))}`);
    expect(read('new.yaml')).toContain('org: my-org');
  });

  test('other environment groups beside it are kept; --groups-file names another place', async () => {
    put('environment-groups.json', '[]\n');
    expect((await to('new.yaml', '--groups-file', at('groups.json'))).status).toBe(0);
    expect(read('groups.json')).toBe(GROUPS);
    expect(read('environment-groups.json')).toBe('[]\n');
    const { status, err } = await to('new.yaml');
    expect(status).toBe(0);
    expect(err).toContain(
      `A file with other groups was there and was saved as ${at('environment-groups.json.bak')}. To write to another place, use --groups-file.\n`,
    );
    expect(read('environment-groups.json.bak')).toBe('[]\n');
    expect(read('environment-groups.json')).toBe(GROUPS);
    put('environment-groups.json', '[1]\n');
    expect((await to('new.yaml')).status).toBe(0);
    expect([read('environment-groups.json.bak'), read('environment-groups.json.bak.1')]).toEqual(['[]\n', '[1]\n']);
  });

  test('other environment groups are as they were when the file cannot be written', async () => {
    put('environment-groups.json', '[]\n');
    put('new.yaml', 'mine');
    await expectRefused(to('new.yaml'), 'exists and has other content', listing());
  });

  test('kept groups keep their permissions', async () => {
    put('environment-groups.json', '[]\n', 0o600);
    chmodSync(file, 0o644);
    expect((await to('new.yaml')).status).toBe(0);
    expect(listing()['environment-groups.json.bak']).toBe(`600 ${base64('[]\n')}`);
  });

  test('names of backups are no names of outputs', async () => {
    const now = listing();
    for (const name of ['environment-groups.json.bak', 'o.yaml.1.2.bak', 'x.bak.7'])
      expect((await to(name)).err).toContain('Names that end in .bak are those of backups');
    expect(listing()).toEqual(now);
  });

  test('with --force other environment groups are replaced', async () => {
    put('environment-groups.json', '[]\n');
    expect((await to('new.yaml', '--force')).status).toBe(0);
    expect(listing()['environment-groups.json.bak']).toBeUndefined();
    expect(read('environment-groups.json')).toBe(GROUPS);
  });

  test('all reasons are told at once', async () => {
    mkdirSync(at('environment-groups.json'));
    put('new.yaml', 'mine');
    const { err } = await to('new.yaml');
    expect(err).toMatch(/exists and has other content[^\n]*\n.*environment-groups\.json is no regular file\.\n/);
  });

  test.each([
    ['by its name', () => file],
    ['by a symbolic link', () => (symlinkSync(file, at('link.yaml')), at('link.yaml'))],
    ['by another hard link', () => (linkSync(file, at('hard.yaml')), at('hard.yaml'))],
    ['by a detour', () => at('./other/../overrides.yaml')],
  ])('the file that is read is never its output: %s', async (_, nameOf) => {
    mkdirSync(at('other'));
    const path = nameOf();
    const now = listing();
    const run = () => hybrid(['migrate', file, '-o', path, '--force']);
    await expectRefused(run(), 'is the file that is read. To change it in place, use --write.', now);
  });

  test.each([
    ['a symbolic link', () => symlinkSync(at('elsewhere.yaml'), at('new.yaml')), 'is a symbolic link'],
    ['a folder', () => mkdirSync(at('new.yaml')), 'is no regular file'],
  ])('%s is not replaced, not even with --force', async (_, make, reason) => {
    make();
    await expectRefused(to('new.yaml', '--force'), reason, listing());
  });

  test('both files in one place are refused', async () => {
    await expectRefused(to('new.yaml', '--groups-file', at('./new.yaml')), 'is named twice', before);
  });

  test.each([
    ['a folder that is not there', 'none/new.yaml', 'cannot be written: there is no such file or folder.'],
    ['a name that is too long', `${'n'.repeat(300)}.yaml`, 'cannot be written: the name is too long.'],
    ['a file for a folder', 'overrides.yaml/new.yaml', 'cannot be written: a part of the path is no folder.'],
  ])('%s is told in a sentence, and nothing is left behind', async (_, name, reason) => {
    await expectRefused(to(name, '--groups-file', at('groups.json')), reason, before);
  });

  test('the file that cannot be written is told by the name that was given', async () => {
    await expectRefused(to('none/new.yaml'), `${at('none/new.yaml')} cannot be written: there is no such`, before);
  });

  test('when the second file cannot be written, the first is not left behind', async () => {
    await expectRefused(to('new.yaml', '--groups-file', at('none/groups.json')), 'cannot be written', before);
  });

  test('a file of 1.3 is copied as it is', async () => {
    await to('new.yaml');
    const { status, err } = await hybrid(['migrate', at('new.yaml'), '-o', at('copy.yaml')]);
    expect(status).toBe(0);
    expect(err).toContain('nothing to change');
    expect(read('copy.yaml')).toBe(read('new.yaml'));
  });
});

describe('--write', () => {
  test('changes the file after a backup with the same bytes and permissions', async () => {
    const { status, out, err } = await inPlace();
    expect({ status, out }).toEqual({ status: 0, out: '' });
    expect(err).toContain(`The old file was saved as ${file}.1.2.bak.\nWrote ${file}.\n`);
    expect(listing()).toEqual({
      'overrides.yaml': `600 ${base64(read('overrides.yaml'))}`,
      'overrides.yaml.1.2.bak': before['overrides.yaml'],
      'environment-groups.json': `600 ${base64(GROUPS)}`,
    });
    expect(read('overrides.yaml')).not.toBe(OVERRIDES);
  });

  test('a second run changes nothing and makes no backup', async () => {
    await inPlace();
    const once = listing();
    const { status, out, err } = await inPlace();
    expect({ status, out }).toEqual({ status: 0, out: '' });
    expect(err).toContain('nothing to change');
    expect(listing()).toEqual(once);
  });

  test('no other backup is overwritten, nor written through a link', async () => {
    put('overrides.yaml.1.2.bak', 'older');
    symlinkSync(at('elsewhere'), at('overrides.yaml.1.2.bak.1'));
    const { err } = await inPlace();
    expect(err).toContain(`${file}.1.2.bak.2`);
    expect(read('overrides.yaml.1.2.bak')).toBe('older');
    expect(listing()).toMatchObject({
      'overrides.yaml.1.2.bak.1': `link to ${at('elsewhere')}`,
      'overrides.yaml.1.2.bak.2': before['overrides.yaml'],
    });
    expect(listing()).not.toHaveProperty('elsewhere');
  });

  test('after a hundred backups it asks to remove some', async () => {
    for (let number = 0; number < 100; number += 1)
      put(`overrides.yaml.1.2.bak${number === 0 ? '' : `.${number}`}`, 'older');
    await expectRefused(inPlace(), 'has 100 backups already', listing());
  });

  test('a symbolic link is refused: the file itself is to be named', async () => {
    symlinkSync(file, at('link.yaml'));
    const run = hybrid(['migrate', at('link.yaml'), '--write']);
    await expectRefused(run, `${at('link.yaml')} is a symbolic link: name the file that it leads to`, listing());
    unlinkSync(at('link.yaml'));
  });

  test('other environment groups beside it are kept', async () => {
    put('environment-groups.json', '[]\n');
    expect((await inPlace()).status).toBe(0);
    expect([read('environment-groups.json.bak'), read('environment-groups.json')]).toEqual(['[]\n', GROUPS]);
  });

  test('when the groups cannot be written, the file is as it was and no backup is left', async () => {
    await expectRefused(inPlace('--groups-file', at('none/groups.json')), 'cannot be written', before);
  });

  test('the groups never replace the file itself', async () => {
    await expectRefused(inPlace('--groups-file', file, '--force'), 'is the file that is read', before);
  });

  test('--json names the backup', async () => {
    const { out, err } = await inPlace('--json');
    expect(err).toBe('');
    expect(JSON.parse(out)).toMatchObject({
      written: { file, backup: `${file}.1.2.bak`, groupsFile: at('environment-groups.json') },
    });
  });
});

describe('all files or none', () => {
  test.each([0o755, 0o1777])('a file that was replaced is put back, in a folder of mode %o', (mode) => {
    chmodSync(at('.'), mode);
    put('first', 'old', 0o640);
    mkdirSync(at('third'));
    const now = listing();
    const { ino } = lstatSync(at('first'));
    const drafts = ['first', 'second', 'third'].map((name) => ({ path: at(name), content: 'new', like: undefined }));
    expect(writeAll(drafts)).toEqual({ ok: false, detail: `${at('third')} cannot be written: it is a folder.` });
    expect(listing()).toEqual(now);
    expect(lstatSync(at('first')).ino).toBe(ino);
    expect(writeAll(drafts.slice(0, 2))).toEqual({ ok: true });
    expect([read('first'), read('second')]).toEqual(['new', 'new']);
    expect(Object.keys(listing()).toSorted()).toEqual(['first', 'overrides.yaml', 'second', 'third']);
  });
});

const NOBODY = 65_534;
const CLI = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));

describe.runIf(process.getuid?.() === 0)('as a user who may not give files away', () => {
  const asNobody = (...args: readonly string[]) =>
    spawnSync(process.execPath, [CLI, 'hybrid', ...args], { uid: NOBODY, gid: NOBODY, encoding: 'utf8' });

  test.each([0o644, 0o664, 0o604])('of a file of mode %o of another owner a copy is for oneself alone', (mode) => {
    chmodSync(file, mode);
    chownSync(at('.'), NOBODY, NOBODY);
    expect(asNobody('migrate', file, '-o', at('new.yaml')).status).toBe(0);
    expect(listing()['new.yaml']).toMatch(/^600 /);
    expect(listing()['environment-groups.json']).toMatch(/^600 /);
  });

  test('the groups are as they were when the file in a shared folder cannot be replaced', () => {
    chmodSync(file, 0o666);
    chownSync(put('environment-groups.json', 'old'), NOBODY, NOBODY);
    chmodSync(at('.'), 0o1777);
    const now = listing();
    const { status, stderr } = asNobody('migrate', file, '--write', '--force');
    expect([status, stderr]).toEqual([2, `Nothing was written.\n  ${file} cannot be written: not permitted.\n`]);
    expect(listing()).toEqual(now);
  });
});
