import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { google } from '../../conformance/packages/googleapis.ts';
import { requestTokenByKey } from '../../../src/cli/login/key-token.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  killEmulators,
  startEmulator,
  type StartedEmulator,
  writeTemporaryFile,
} from '../../support/stack/emulator.ts';

/** The programs find the official clients from here. */
const judges = fileURLToPath(new URL('../../conformance/', import.meta.url));
let emulator: StartedEmulator;
beforeAll(async () => {
  const seed = {
    version: 1,
    tenants: [{ id: 'C00000001', accounts: [{ name: 'ci', acts_for: ['admin@example.com'] }] }],
  };
  emulator = await startEmulator(['--seed', writeTemporaryFile('seed.json', seed)]);
});
afterAll(killEmulators);

/** Runs a program that knows of the emulator by its environment alone. */
const runWithVariables = (program: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { cwd: judges, env: { ...process.env, ...emulator.env } };
    execFile(process.execPath, ['--input-type=module', '-e', program], options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(stderr));
    });
  });

test("Cloudflare's client finds the emulator by its variables", async () => {
  const printed = await runWithVariables(`
    import Cloudflare from 'cloudflare';
    const account = process.env.CLOUDFLARE_ACCOUNT_ID;
    const path = '/accounts/' + account + '/ai-search/instances';
    const client = new Cloudflare();
    await client.post(path, { body: { id: 'docs' } });
    console.log((await client.get(path)).result.map(({ id }) => id).join());
  `);
  expect(printed).toBe('docs\n');
});

test("OpenTelemetry's exporter finds the emulator by its variables; what it sends is a log of the project", async () => {
  await runWithVariables(`
    import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
    import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
    const provider = new LoggerProvider({ processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })] });
    provider.getLogger('shop').emit({ body: 'sold', severityNumber: 9 });
    await provider.shutdown();
  `);
  const { body } = await emulator.call('/v2/entries:list', {
    method: 'POST',
    headers: { authorization: `Bearer ${emulator.token}` },
    body: { resourceNames: [`projects/${emulator.env['GOOGLE_CLOUD_PROJECT']}`] },
  });
  expect(body.entries).toMatchObject([{ textPayload: 'sold', severity: 'INFO' }]);
});

test("Google's client takes its address in code, and a token that the key file got as `sightline token --key` does", async () => {
  const keyFile = readFileSync(emulator.env['GOOGLE_APPLICATION_CREDENTIALS'] ?? '', 'utf8');
  const scope = 'https://www.googleapis.com/auth/admin.directory.user';
  const token = await requestTokenByKey({ keyFile, scope, resource: undefined }, fetch, Date.now());
  const auth = new google.auth.OAuth2({ credentials: { access_token: token.ok ? token.accessToken : token.reason } });
  const admin = google.admin({ version: 'directory_v1', rootUrl: `${emulator.control}/`, auth });
  const requestBody = {
    primaryEmail: 'ada@example.com',
    password: 'correct horse',
    name: { givenName: 'Ada', familyName: 'L' },
  };
  expect((await admin.users.insert({ requestBody })).data.primaryEmail).toBe('ada@example.com');
  await expect(admin.groups.list({ customer: 'my_customer' })).rejects.toMatchObject({ status: 403 });
  const { body } = await emulator.call('/v1/calls?method=directory.users.insert', {
    headers: { authorization: `Bearer ${emulator.token}` },
  });
  expect(body.calls).toMatchObject([{ tenant: 'C00000001', status: 200, body: { password: '[left out]' } }]);
});
