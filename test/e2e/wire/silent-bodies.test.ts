import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperatorAccess } from '../../../local/operator.ts';
import { reservePort } from '../../../local/ports.ts';
import { startWorkers, type StackWorkers } from '../../../local/stack-workers.ts';

/** Together they declare more than the control Worker holds of all bodies. */
const STRANGERS = 120;
/** As much as a batch without a token may have. */
const DECLARED = 256 * 1_024;
const folder = mkdtempSync(join(tmpdir(), 'sightline-slow-bodies-'));
const ports = { api: 0, control: 0, webhook: 0 };
let workers: StackWorkers;
let token = '';
const sockets: Socket[] = [];

beforeAll(async () => {
  for (const name of ['api', 'control', 'webhook'] as const) ports[name] = await reservePort(0, name, '--port');
  const secret = randomBytes(32).toString('base64url');
  workers = await startWorkers({
    ports,
    persistTo: join(folder, 'state'),
    blockedPorts: [],
    bindings: { OPERATOR_SECRET: secret },
    log: () => undefined,
  });
  const order = { secret, keyFile: join(folder, 'key.json'), resource: `http://127.0.0.1:${ports.control}` };
  token = (await createOperatorAccess(workers.api.url, order))?.access.token ?? '';
}, 120_000);

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await workers.api.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function makeGroup(name: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${ports.control}/admin/directory/v1/groups`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${name}@example.com` }),
  });
  await answer.body?.cancel();
  return answer.status;
}

/** A batch without a token and without a byte of its body. Its first line of answer, once it comes. */
async function silentBatch(): Promise<string> {
  const socket = connect(ports.control, '127.0.0.1');
  sockets.push(socket);
  socket.write(
    `POST /batch HTTP/1.1\r\nHost: 127.0.0.1:${ports.control}\r\nContent-Type: multipart/mixed; boundary=b\r\nContent-Length: ${DECLARED}\r\n\r\n`,
  );
  const [first] = (await once(socket, 'data')) as [Buffer]; // No encoding is set.
  return first.toString('latin1').split('\r\n', 1)[0] ?? '';
}

test('B9: strangers who send nothing of what they declare take no memory from who has a token, and are ended', async () => {
  expect(await makeGroup('before')).toBe(200);
  const answers = Array.from({ length: STRANGERS }, silentBatch);
  for (let count = 0; count < 5; count += 1) expect(await makeGroup(`meanwhile-${count}`)).toBe(200);
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 400 Bad Request']));
}, 90_000);
