import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CapabilityName } from '../../../src/capabilities/capability-name.ts';
import { buildFilesArchive } from '../../../src/web/report/archive.ts';

const STORED_AT = Date.UTC(2026, 10, 27, 12, 0, 0);
const make = (capability: CapabilityName, files: readonly object[]) =>
  buildFilesArchive({ capability, warnings: [], json: { capability, files } }, STORED_AT);
const defineFile = (path: string, content: string, more: object = {}) => ({
  path,
  media_type: 'text/plain',
  content,
  sha256: '0'.repeat(64),
  ...more,
});

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-zip-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Unpacked by Python, which checks every sum. */
function unpack(archive: Uint8Array | undefined, name: string): string {
  const file = join(folder, `${name}.zip`);
  writeFileSync(file, archive ?? '');
  execFileSync('python3', ['-m', 'zipfile', '-t', file]);
  execFileSync('python3', ['-m', 'zipfile', '-e', file, join(folder, name)]);
  return join(folder, name);
}

test('files of a site are unpacked byte for byte, drafts apart from what can be served', () => {
  const long = 'Brötchen, 2 €\n'.repeat(20_000);
  const at = unpack(
    make('full_report', [
      defineFile('llms.txt', long),
      defineFile('.well-known/mcp.json', '{}\n', { draft: true, facts_needed: ['x'] }),
      defineFile('empty.txt', ''),
    ]),
    'site',
  );
  expect(readFileSync(join(at, 'site/llms.txt'), 'utf8')).toBe(long);
  expect(readFileSync(join(at, 'drafts/.well-known/mcp.json'), 'utf8')).toBe('{}\n');
  expect(readFileSync(join(at, 'site/empty.txt'), 'utf8')).toBe('');
});

test('a skill keeps its own folder', () => {
  const at = unpack(make('generate_skill', [defineFile('repair-it/SKILL.md', '# Repair it')]), 'skill');
  expect(readFileSync(join(at, 'repair-it/SKILL.md'), 'utf8')).toBe('# Repair it');
});

test('the same report is the same archive, and one without files is none', () => {
  const files = [defineFile('llms.txt', '# Acme')];
  expect(make('generate_llms_txt', files)).toEqual(make('generate_llms_txt', files));
  expect(make('generate_llms_txt', [])).toBeUndefined();
  expect(buildFilesArchive({ capability: 'generate_llms_txt', warnings: [], json: { files: 1 } }, 0)).toBeUndefined();
});
