import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCheckPorts } from '../../../src/cli/doctor/check-ports.ts';
import { runChecks } from '../../../src/deploy/checks/run.ts';
import { found } from '../../deploy/checks/answers.ts';
import { startDatedServer } from '../../support/servers/dated-certificate.ts';

let folder: string;
let expired: { server: Server; url: string };
let current: { server: Server; url: string };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-certificates-'));
  const host = 'sightline.test';
  expired = await startDatedServer(join(folder, 'expired'), { from: '20250101000000Z', to: '20250201000000Z', host });
  current = await startDatedServer(join(folder, 'current'), { from: '20250101000000Z', to: '20991231000000Z', host });
});
afterAll(() => {
  expired.server.close();
  current.server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Checks of https://<host>, where this server answers for it. */
const examine = (host: string, { url }: { url: string }) =>
  runChecks({ addresses: { api: `https://${host}` } }, createCheckPorts(new Map([[host, url]])));

describe('certificates over a real connection', () => {
  test('one that expired fails, and what it keeps from being asked is unknown', async () => {
    const { status, results } = await examine('sightline.test', expired);
    expect(found(results, 'certificate.api')).toMatchObject({ status: 'fail', detail: 'It expired on 2025-02-01' });
    expect(found(results, 'health.api').status).toBe('unknown');
    expect(status).toBe('fail');
  });

  test('one for another name fails', async () => {
    const { results } = await examine('other.test', current);
    expect(found(results, 'certificate.api').detail).toBe('It is for another name');
  });

  test('one that no authority signed fails by its chain', async () => {
    const { results } = await examine('sightline.test', current);
    expect(found(results, 'certificate.api').detail).toContain('Its chain is not trusted');
  });

  test('where nothing answers it is unknown', async () => {
    const { status, results } = await examine('sightline.test', { url: 'https://127.0.0.1:9' });
    expect([found(results, 'certificate.api').status, status]).toEqual(['unknown', 'unknown']);
  });
});

test('no redirect is followed', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const { status } = await createCheckPorts().ask(`http://127.0.0.1:${port}/health`);
  expect([status, asked]).toEqual([302, ['/health']]);
  server.closeAllConnections();
  server.close();
});
