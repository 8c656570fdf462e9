import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { buildAsyncApi } from '../../src/about/asyncapi.ts';

const MAX_LINT_MS = 120_000;
const folder = mkdtempSync(join(tmpdir(), 'asyncapi-lint-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What Spectral finds by its rules for AsyncAPI, which hold the schema of the specification. */
async function lint(document: object): Promise<readonly string[]> {
  const file = join(folder, 'asyncapi.json');
  writeFileSync(file, JSON.stringify(document));
  const ruleset = join(import.meta.dirname, 'openapi', 'asyncapi.yaml');
  const args = ['lint', file, '--ruleset', ruleset, '--fail-severity', 'hint', '--format', 'json', '--quiet'];
  const ran = promisify(execFile)(join(import.meta.dirname, 'node_modules', '.bin', 'spectral'), args, {
    timeout: MAX_LINT_MS,
  });
  const { stdout } = await ran.catch((error: unknown) => error as { stdout: string });
  return (JSON.parse(stdout) as readonly { code: string; path: readonly string[] }[]).map(
    ({ code, path }) => `${code} ${path.join('/')}`,
  );
}

const document = buildAsyncApi('https://sightline.example', 'operator@audits.example');

test(
  'Spectral finds nothing in the AsyncAPI document',
  async () => {
    expect(await lint(document)).toEqual([]);
  },
  MAX_LINT_MS,
);

test(
  'Spectral misses the address of an operator who has not set one, and nothing else',
  async () => {
    expect(await lint(buildAsyncApi('https://sightline.example'))).toEqual([
      'asyncapi-info-contact-properties info/contact',
    ]);
  },
  MAX_LINT_MS,
);

test(
  'Spectral finds an operation that is none',
  async () => {
    const broken = {
      ...document,
      operations: { x: { action: 'shout', channel: { $ref: '#/channels/monitorAlerts' } } },
    };
    expect((await lint(broken)).length).toBeGreaterThan(0);
  },
  MAX_LINT_MS,
);
