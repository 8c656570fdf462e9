import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { findPortHolder } from '../../../local/processes/port-holder.ts';
import { PortTaken, reservePort } from '../../../local/ports.ts';

const LISTEN = `const s = require('node:net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))`;

test('who listens on a port is named by process and command, also in the refusal of the port', async () => {
  const child = spawn(process.execPath, ['-e', LISTEN, 'a-program-of-someone'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [printed] = (await once(child.stdout, 'data')) as [Buffer];
    const port = Number(printed.toString());
    expect(findPortHolder(port)).toEqual({ pid: child.pid, command: expect.stringContaining('a-program-of-someone') });
    const refusal = await reservePort(port, 'the api', '--port').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(PortTaken);
    expect(String(refusal)).toContain(`by process ${child.pid}:`);
    expect(String(refusal)).toContain('a-program-of-someone');
    expect(String(refusal)).toContain('--port <port>');
  } finally {
    child.kill('SIGKILL');
  }
});

test('a port on which no process listens has no holder', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  expect(findPortHolder(port)?.pid).toBe(process.pid);
  server.close();
  await once(server, 'close');
  expect(findPortHolder(port)).toBeUndefined();
});
