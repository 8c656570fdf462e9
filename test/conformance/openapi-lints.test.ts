import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { buildWebhookDocument } from '../../src/notifications/operator-api/openapi.ts';
import { readWebhookSettings } from '../../src/notifications/core/settings.ts';
import { openApiDocument } from '../../src/openapi/document.ts';

const MAX_LINT_MS = 120_000;
const room = join(import.meta.dirname, 'openapi');
const bin = join(import.meta.dirname, 'node_modules', '.bin');
const folder = mkdtempSync(join(tmpdir(), 'openapi-lints-'));
afterAll(() => rmSync(folder, { recursive: true }));

const BASE_URL = 'https://sightline.example';
const settings = readWebhookSettings({
  BASE_URL,
  WEBHOOK_URL: 'https://webhook.sightline.example',
  VENDOR_HEADER_PREFIX: 'X-Vendor-',
  CHANNEL_TOKEN_KEYS: '1:the-first-channel-secret-of-32-characters',
});
const documents: Readonly<Record<string, object>> = {
  api: openApiDocument(BASE_URL, true),
  'api without an answer engine': openApiDocument(BASE_URL, false),
  webhook: buildWebhookDocument(settings),
};

type Linter = { command: string; args: (file: string) => readonly string[] };
/** Both fail for warnings as well as for errors. */
const linters: Readonly<Record<string, Linter>> = {
  redocly: {
    command: 'redocly',
    args: (file) => ['lint', file, '--config', join(room, 'redocly.yaml'), '--format', 'json'],
  },
  spectral: {
    command: 'spectral',
    args: (file) => [
      'lint',
      file,
      '--ruleset',
      join(room, 'spectral.yaml'),
      '--fail-severity',
      'hint',
      '--format',
      'json',
      '--quiet',
    ],
  },
};

/** Findings as `rule place`, without the linter's own words. */
async function lint({ command, args }: Linter, document: object): Promise<readonly string[]> {
  const file = join(folder, `${command}.json`);
  writeFileSync(file, JSON.stringify(document));
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const ran = promisify(execFile)(join(bin, command), args(file), { env, timeout: MAX_LINT_MS, maxBuffer: 2 ** 26 });
  const { stdout } = await ran.catch((error: unknown) => error as { stdout: string });
  const found = JSON.parse(stdout) as readonly Finding[] | { problems: readonly Finding[] };
  return ('problems' in found ? found.problems : found).map(({ code, ruleId, path, location }) =>
    [code ?? ruleId, path?.join('/') ?? location?.[0]?.pointer].join(' '),
  );
}

type Finding = { code?: string; ruleId?: string; path?: readonly string[]; location?: readonly { pointer: string }[] };

describe.each(Object.entries(linters))('%s', (_linter, row) => {
  test.each(Object.entries(documents))(
    'finds nothing in the document: %s',
    { timeout: MAX_LINT_MS },
    async (_of, document) => {
      expect(await lint(row, document)).toEqual([]);
    },
  );

  test(
    'finds an operation without an answer, and a reference that leads nowhere',
    { timeout: MAX_LINT_MS },
    async () => {
      const harmed = {
        ...documents['api'],
        paths: { '/x': { get: { operationId: 'x', responses: { 200: { $ref: '#/components/responses/none' } } } } },
      };
      expect(await lint(row, harmed)).toEqual(expect.arrayContaining([expect.stringMatching(/[~/]1?x/)]));
    },
  );
});

test('each rule that is off has a reason', () => {
  for (const name of ['spectral.yaml', 'redocly.yaml']) {
    const lines = readFileSync(join(room, name), 'utf8').split('\n');
    const groups = lines.join('\n').slice(lines.join('\n').indexOf('rules:\n') + 'rules:\n'.length);
    // A comment speaks for the rules that follow it, up to the next comment.
    expect(groups.trimStart().startsWith('#')).toBe(true);
    expect(groups.match(/: off$/gm)?.length).toBeGreaterThan(1);
  }
});
