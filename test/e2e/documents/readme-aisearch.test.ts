import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sites, startSites } from '../../../local/sites/sites.ts';
import { type ControlStack, startControlStack } from '../../conformance/support/control-stack.ts';

const ROOT = join(import.meta.dirname, '../../..');
const page = readFileSync(join(ROOT, 'docs/platform/ai-search.md'), 'utf8');
const example = /^```js\n(.*?)^```$/ms.exec(page)?.[1] ?? '';

let stack: ControlStack;
let sites: Sites;
let folder = '';
beforeAll(async () => {
  sites = await startSites();
  stack = await startControlStack({ controlBindings: { ANSWER_ENGINE: 'simulated' } });
  folder = mkdtempSync(join(tmpdir(), 'sightline-readme-'));
  symlinkSync(join(ROOT, 'test/conformance/node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, '.local'));
  const { url: control, token } = stack.world;
  const { good } = sites;
  writeFileSync(join(folder, '.local/stack.json'), JSON.stringify({ control, operator: { token }, sites: { good } }));
});
afterAll(async () => {
  await stack?.stop();
  await sites?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('the lines of docs/platform/ai-search.md ingest the demo site, find a passage without a model, and chat about it with sources', async () => {
  expect(example).toContain('instances.create');
  writeFileSync(join(folder, 'ask.mjs'), example);
  const { stdout } = await promisify(execFile)(process.execPath, ['ask.mjs'], { cwd: folder, timeout: 90_000 });
  expect(stdout.startsWith(`found: ${sites.good}/`)).toBe(true);
  expect(/^answer: (.*?)^sources:/ms.exec(stdout)?.[1]).toContain('every 3 to 4 months');
  expect(/^sources: (.*)/ms.exec(stdout)?.[1]).toContain(`${sites.good}/faq`);
});
