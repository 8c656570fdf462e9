import { once } from 'node:events';
import { createServer, request, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { type Outbound, createOutboundPolicy, startOutbound } from '../../../local/outbound/outbound.ts';
import { EXPLAIN_HEADER, REFUSED_HEADER } from '../../../local/outbound/outbound-refusal-data.ts';

type Answer = { status: number; headers: Record<string, unknown>; body: Buffer };

const open: { stop: () => unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});

async function site(answer: RequestListener): Promise<{ port: number; server: Server }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  });
  return { port: (server.address() as AddressInfo).port, server };
}

async function outbound(settings: Partial<Parameters<typeof startOutbound>[0]> = {}): Promise<Outbound> {
  const started = await startOutbound({ bindings: {}, blockedPorts: [], ...settings });
  open.push(started);
  return started;
}

/** Sends what workerd sends: a request in proxy form over the socket. Rejects when the connection breaks off. */
function ask(to: Outbound, target: string, headers: Record<string, string> = {}, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socketPath = to.address.replace(/^unix:/, '');
    const method = body === '' ? 'GET' : 'POST';
    const sent = request({ socketPath, path: target, method, headers, setHost: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const explained = { [EXPLAIN_HEADER]: '1' };
const refusalOf = ({ headers, body }: Answer): unknown =>
  headers[REFUSED_HEADER] === undefined ? 'not refused' : JSON.parse(body.toString());

describe('B10: the network of a local Worker', () => {
  test('passes a body on as it is on the wire, with the headers of the site and none of its own', async () => {
    const packed = gzipSync('packed');
    const { port } = await site((_, response) => {
      response.sendDate = false;
      response.writeHead(200, ['Content-Encoding', 'gzip', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']).end(packed);
    });
    const answer = await ask(await outbound(), `http://127.0.0.1:${port}/`);
    expect(answer.body.equals(packed)).toBe(true);
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', 'set-cookie': ['a=1', 'b=2'] });
    expect(answer.headers['date']).toBeUndefined();
  });

  test('hands on method, path, body and Host as the Worker wrote them, and nothing of ours', async () => {
    const seen: unknown[] = [];
    const { port } = await site((incoming, response) => {
      incoming.on('data', (part: Buffer) => seen.push(String(part)));
      incoming.on('end', () => {
        seen.push(incoming.method, incoming.url, incoming.headers['host'], incoming.headers[EXPLAIN_HEADER]);
        response.end();
      });
    });
    await ask(await outbound(), `http://localhost:${port}/a%2Fb?x=|`, { ...explained, host: 'evil.example' }, 'body');
    expect(seen).toEqual(['body', 'POST', '/a%2Fb?x=|', `localhost:${port}`, undefined]);
  });

  test('returns redirects, and never follows one inside', async () => {
    const { port } = await site((_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end());
    const answer = await ask(await outbound(), `http://127.0.0.1:${port}/`);
    expect([answer.status, answer.headers['location']]).toEqual([302, 'http://10.0.0.1/']);
  });

  test.each(['127.0.0.1', '::1', '169.254.169.254', '10.1.2.3', 'fd00:ec2::254', '::ffff:10.0.0.1', '100.64.0.1'])(
    'refuses a public name at %s, with the reason for a Worker that asks',
    async (address) => {
      const net = await outbound({ resolve: async () => [address] });
      expect(refusalOf(await ask(net, 'http://rebind.example.com/', explained))).toMatchObject({
        reason: 'private_target',
        detail: expect.stringContaining(`rebind.example.com resolves to ${address}: `),
      });
      await expect(ask(net, 'http://rebind.example.com/')).rejects.toThrow('socket hang up');
    },
  );

  test('rebinding: each new connection is judged, and what was judged is what is dialled', async () => {
    let arrived = 0;
    const { port } = await site((_, response) => {
      arrived += 1;
      response.writeHead(200, { connection: 'close' }).end();
    });
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    const asked: string[] = [];
    const resolve = async (name: string): Promise<string[]> => {
      asked.push(name);
      return answers[Math.min(asked.length, answers.length) - 1] ?? [];
    };
    const net = await outbound({ resolve });
    expect((await ask(net, `http://localhost:${port}/`)).status).toBe(200);
    expect(refusalOf(await ask(net, `http://localhost:${port}/`, explained))).toMatchObject({
      reason: 'private_target',
    });
    expect([asked, arrived]).toEqual([['localhost', 'localhost'], 1]);
  });

  test('a connection is kept and used again, without a second look at the name', async () => {
    const { port, server } = await site((_, response) => response.end('x'));
    let connections = 0;
    server.on('connection', () => (connections += 1));
    const asked: string[] = [];
    const resolve = async (name: string): Promise<string[]> => {
      asked.push(name);
      return ['127.0.0.1'];
    };
    const net = await outbound({ resolve });
    for (let i = 0; i < 5; i += 1) await ask(net, `http://localhost:${port}/${i}`);
    expect([connections, asked.length]).toEqual([1, 1]);
  });

  test('a port of the stack is refused, unless it is the one of a configured upstream', async () => {
    const { port } = await site((_, response) => response.end('upstream'));
    const url = `http://127.0.0.1:${port}/`;
    const closed = await outbound({ blockedPorts: [port] });
    expect(refusalOf(await ask(closed, url, explained))).toMatchObject({ reason: 'private_target' });
    const opened = await outbound({ blockedPorts: [port], bindings: { RPC_URL: url } });
    expect((await ask(opened, url)).body.toString()).toBe('upstream');
    expect(refusalOf(await ask(opened, `http://localhost:${port}/`, explained))).toMatchObject({
      reason: 'private_target',
    });
  });

  test('an upstream on a private address is read; a public name stays refused where it leads inside', () => {
    const bindings = { ANSWER_ENGINE_URL: 'http://192.168.1.5:11434/v1', RPC_URL: 'https://rpc.example.com' };
    const policy = createOutboundPolicy({ bindings, blockedPorts: [] });
    expect(policy.checkUrl(new URL('http://192.168.1.5:11434/v1/chat'))).toBeUndefined();
    expect(policy.checkUrl(new URL('http://192.168.1.5/'))).toMatchObject({ reason: 'private_target' });
    expect(policy.checkAddress(new URL('https://rpc.example.com'), '10.0.0.1')).toMatchObject({
      reason: 'private_target',
    });
  });

  test('an engine of a panel is an upstream as well', () => {
    const row = {
      name: 'a',
      kind: 'openai-compatible',
      model: 'm',
      url: 'http://192.168.1.5:11434/v1',
      usd_per_run: 1,
    };
    const policy = createOutboundPolicy({ bindings: { ANSWER_ENGINES: JSON.stringify([row]) }, blockedPorts: [] });
    expect(policy.checkUrl(new URL('http://192.168.1.5:11434/v1/chat'))).toBeUndefined();
    expect(policy.checkUrl(new URL('http://192.168.1.5/'))).toMatchObject({ reason: 'private_target' });
  });

  test('no site can pretend to be a refusal of ours', async () => {
    const { port } = await site((_, response) => response.writeHead(200, { [REFUSED_HEADER]: '1' }).end('{}'));
    expect(refusalOf(await ask(await outbound(), `http://127.0.0.1:${port}/`, explained))).toBe('not refused');
  });

  test.each([
    ['breaks off a status that cannot be written', 'HTTP/1.1 001 OK\r\nContent-Length: 0', undefined],
    ['leaves out a reason with controls', 'HTTP/1.1 200 \u001b[31m\r\nContent-Length: 0', 200],
    ['leaves out trailers that are only announced', 'HTTP/1.1 200 OK\r\nTrailer: X\r\nContent-Length: 0', 200],
  ])('a head that Node reads and would not write ends no process: it %s', async (_, head, status) => {
    const raw = createRawServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', () => socket.end(`${head}\r\n\r\n`));
    }).listen(0, '127.0.0.1');
    await once(raw, 'listening');
    open.push({ stop: () => raw.close() });
    const answer = ask(await outbound(), `http://127.0.0.1:${(raw.address() as AddressInfo).port}/`);
    if (status === undefined) await expect(answer).rejects.toThrow('socket hang up');
    else expect((await answer).status).toBe(status);
  });

  test('what is not a request in proxy form, a broken site and a name without an address break off', async () => {
    const { port } = await site((_, response) => void response.destroy());
    const net = await outbound({ resolve: async () => [] });
    for (const target of ['/', 'ftp://127.0.0.1/', `http://127.0.0.1:${port}/`, 'http://nowhere.example.com/']) {
      await expect(ask(net, target)).rejects.toThrow('socket hang up');
    }
  });
});
