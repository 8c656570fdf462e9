import { Client, credentials, type Metadata, Metadata as Headers, status } from '@grpc/grpc-js';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:http2';
import { afterEach, describe, expect, test } from 'vitest';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { type GrpcFront, NotLoopback, startGrpcFront } from '../../../local/grpc/front.ts';

const LIST = '/google.logging.v2.LoggingServiceV2/ListLogEntries';
const WRITE = '/google.logging.v2.LoggingServiceV2/WriteLogEntries';
const TAIL = '/google.logging.v2.LoggingServiceV2/TailLogEntries';
const MAX_MESSAGE_BYTES = 64 * 1_024;
const WAIT = { timeout: 10_000 };

/** `resource_names` of a TailLogEntriesRequest, `projects/p`. */
const TAIL_REQUEST = Buffer.from(new BinaryWriter().tag(1, 2).string('projects/p').finish());

/** Stands in for the control Worker, and counts the calls that are open there: what a front leaks is seen nowhere else. */
type Upstream = {
  url: string;
  open: Set<ServerResponse>;
  seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
};

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function startUpstream(answer: (response: ServerResponse, request: IncomingMessage) => void): Promise<Upstream> {
  const upstream: Omit<Upstream, 'url'> = { open: new Set(), seen: [] };
  const server: Server = createServer((request, response) => {
    upstream.open.add(response);
    response.on('close', () => upstream.open.delete(response));
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      upstream.seen.push({ method, url, headers, body });
      answer(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { ...upstream, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** `logged`: calls that ended by a bug. */
async function startFront(
  upstream: Pick<Upstream, 'url'>,
): Promise<GrpcFront & { client: Client; logged: readonly string[] }> {
  const logged: string[] = [];
  const log = (_level: string, message: string): void => void logged.push(message);
  const front = await startGrpcFront({ port: 0, control: upstream.url, maxMessageBytes: MAX_MESSAGE_BYTES, log });
  const client = new Client(`127.0.0.1:${front.port}`, credentials.createInsecure());
  closing.push(front.close, () => client.close());
  return { ...front, client, logged };
}

const same = (bytes: Buffer): Buffer => bytes;
type Ended = { code: number; details: string; metadata: Metadata };

const ask = (
  client: Client,
  path: string,
  bytes: Buffer,
  { headers = {}, deadline }: { headers?: Record<string, string>; deadline?: number } = {},
) =>
  new Promise<Ended | Buffer>((resolve) => {
    const metadata = new Headers();
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
    client.makeUnaryRequest(
      path,
      same,
      same,
      bytes,
      metadata,
      deadline === undefined ? {} : { deadline: Date.now() + deadline },
      (error, answer) => resolve(error ?? answer ?? Buffer.alloc(0)),
    );
  });

const openTail = (client: Client) => {
  const stream = client.makeBidiStreamRequest(TAIL, same, same);
  const seen: Buffer[] = [];
  stream.on('data', (bytes: Buffer) => seen.push(bytes));
  stream.on('error', () => undefined); // Its status says the same.
  const ended = new Promise<Ended>((resolve) => stream.on('status', resolve));
  return { stream, seen, ended };
};

/** Opens a JSON array that gets an element and never ends. */
const endless = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('[{"entries":[{"textPayload":"a } in a \\"text\\""}]}');
};
const never = (): void => undefined;
/** Breaks off within its body. */
const breakOff =
  (text: string) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(text, () => setTimeout(() => response.destroy(), 100));
  };
const json =
  (status_: number, body: object, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status_, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

describe('a call of one message', () => {
  test('is the REST call that the proto names, with token and routing', async () => {
    const upstream = await startUpstream(json(200, {}));
    const { client } = await startFront(upstream);
    const request = Buffer.from(new BinaryWriter().tag(8, 2).string('projects/p').tag(4, 0).int32(5).finish());
    const headers = { authorization: 'Bearer t', 'x-goog-request-params': 'a=b', 'x-other': 'stays' };
    expect(await ask(client, LIST, request, { headers })).toEqual(Buffer.alloc(0));
    expect(upstream.seen).toMatchObject([
      { method: 'POST', url: '/v2/entries:list', body: '{"pageSize":5,"resourceNames":["projects/p"]}' },
    ]);
    expect(upstream.seen[0]?.headers).toMatchObject({ authorization: 'Bearer t', 'x-goog-request-params': 'a=b' });
    expect(upstream.seen[0]?.headers).not.toHaveProperty('x-other');
  });

  test('that is too large is RESOURCE_EXHAUSTED, and is not asked', async () => {
    const upstream = await startUpstream(json(200, {}));
    const { client } = await startFront(upstream);
    const large = Buffer.from(new BinaryWriter().tag(1, 2).string('x'.repeat(MAX_MESSAGE_BYTES)).finish());
    expect(await ask(client, WRITE, large)).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    expect(upstream.seen).toEqual([]);
  });

  test.each([
    ['/google.logging.v2.LoggingServiceV2/Nothing', 'an unknown method'],
    ['/google.pubsub.v1.Publisher/Publish', 'an unknown service'],
    ['/google.logging.v2.ConfigServiceV2/Nothing/More', 'a path of neither'],
  ])('%s, %s, is UNIMPLEMENTED', async (path) => {
    const { client } = await startFront(await startUpstream(json(200, {})));
    expect(await ask(client, path, Buffer.alloc(0))).toMatchObject({ code: status.UNIMPLEMENTED });
  });

  test('whose bytes are no such message is INVALID_ARGUMENT', async () => {
    const upstream = await startUpstream(json(200, {}));
    const { client } = await startFront(upstream);
    expect(await ask(client, LIST, Buffer.from([0x0a, 0x7f]))).toMatchObject({ code: status.INVALID_ARGUMENT });
    const unknownAny = new BinaryWriter()
      .tag(4, 2)
      .fork()
      .tag(2, 2)
      .fork()
      .tag(1, 2)
      .string('type.googleapis.com/x.Y')
      .join()
      .join()
      .finish();
    expect(await ask(client, WRITE, Buffer.from(unknownAny))).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringContaining('x.Y'),
    });
    expect(upstream.seen).toEqual([]);
  });

  test('that is refused has the word, the message and the details of the refusal', async () => {
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'CREDENTIALS_MISSING', domain: 'd' },
    ];
    const error = { code: 401, message: 'Login Required.', status: 'UNAUTHENTICATED', details };
    const { client } = await startFront(await startUpstream(json(401, { error }, { 'retry-after': '3' })));
    const answer = (await ask(client, LIST, Buffer.alloc(0))) as Ended;
    expect(answer).toMatchObject({ code: status.UNAUTHENTICATED, details: 'Login Required.' });
    const [bin] = answer.metadata.get('grpc-status-details-bin');
    expect(String(bin)).toContain('google.rpc.ErrorInfo');
    expect(String(bin)).toContain('CREDENTIALS_MISSING');
    expect(String(bin)).toContain('google.rpc.RetryInfo');
  });

  test.each([
    [413, status.RESOURCE_EXHAUSTED],
    [429, status.RESOURCE_EXHAUSTED],
    [503, status.UNAVAILABLE],
    [418, status.UNKNOWN],
  ])('that is answered %i without a word has a code of its own', async (http, code) => {
    const { client } = await startFront(await startUpstream(json(http, {})));
    expect(await ask(client, LIST, Buffer.alloc(0))).toMatchObject({ code });
  });

  test('whose upstream is gone, or says what is no JSON, is UNAVAILABLE', async () => {
    const { client } = await startFront({ url: 'http://127.0.0.1:9' });
    expect(await ask(client, LIST, Buffer.alloc(0))).toMatchObject({ code: status.UNAVAILABLE });
    const other = await startFront(await startUpstream((response) => response.end('<html>')));
    expect(await ask(other.client, LIST, Buffer.alloc(0))).toMatchObject({ code: status.UNAVAILABLE });
  });

  test('whose answer breaks off is UNAVAILABLE, and no bug', async () => {
    const { client, logged } = await startFront(await startUpstream(breakOff('{"entries":[')));
    expect(await ask(client, LIST, Buffer.alloc(0))).toMatchObject({ code: status.UNAVAILABLE });
    expect(logged).toEqual([]);
  });

  test('ends upstream with its deadline', async () => {
    const upstream = await startUpstream(never);
    const { client } = await startFront(upstream);
    const asked = ask(client, LIST, Buffer.alloc(0), { deadline: 1_500 });
    await expect.poll(() => upstream.open.size, WAIT).toBe(1);
    expect(await asked).toMatchObject({ code: status.DEADLINE_EXCEEDED });
    await expect.poll(() => upstream.open.size, WAIT).toBe(0);
  });

  test('ends upstream with its client', async () => {
    const upstream = await startUpstream(never);
    const { client } = await startFront(upstream);
    const call = client.makeUnaryRequest(LIST, same, same, Buffer.alloc(0), () => undefined);
    await expect.poll(() => upstream.open.size, WAIT).toBe(1);
    call.cancel();
    await expect.poll(() => upstream.open.size, WAIT).toBe(0);
  });
});

describe('a tail', () => {
  test('passes elements on as they come, however they are cut', async () => {
    const text =
      '[\n{"entries":[{"textPayload":"ü }\\" {"}]},\n  {"suppressionInfo":[{"reason":"RATE_LIMIT","suppressedCount":2}]}]';
    const upstream = await startUpstream((response) => {
      const bytes = Buffer.from(text);
      let at = 0;
      const writeOne = (): void => {
        if (at === bytes.length) response.end();
        else response.write(bytes.subarray(at, (at += 1)), writeOne);
      };
      writeOne();
    });
    const { client } = await startFront(upstream);
    const { stream, seen, ended } = openTail(client);
    stream.write(TAIL_REQUEST);
    expect(await ended).toMatchObject({ code: status.OK });
    expect(seen).toHaveLength(2);
    expect(seen[0]?.toString()).toContain('ü }" {');
  });

  test.each([
    ['cancels', ({ stream }: ReturnType<typeof openTail>) => stream.cancel()],
    ['half-closes once it has something', ({ stream }: ReturnType<typeof openTail>) => stream.end()],
  ])('ends upstream when its client %s', async (_how, leave) => {
    const upstream = await startUpstream(endless);
    const { client } = await startFront(upstream);
    const tail = openTail(client);
    tail.stream.write(TAIL_REQUEST);
    await expect.poll(() => tail.seen.length, WAIT).toBe(1);
    leave(tail);
    await tail.ended;
    await expect.poll(() => upstream.open.size, WAIT).toBe(0);
  });

  test('goes on for a client that half-closes with its request, which has no other', async () => {
    const upstream = await startUpstream((response) => setTimeout(() => endless(response), 300));
    const { client } = await startFront(upstream);
    const tail = openTail(client);
    tail.stream.write(TAIL_REQUEST);
    tail.stream.end();
    await expect.poll(() => tail.seen.length, WAIT).toBe(1);
    expect(upstream.open.size).toBe(1);
    tail.stream.cancel();
    await expect.poll(() => upstream.open.size, WAIT).toBe(0);
  });

  test('ends upstream when the connection breaks', async () => {
    const upstream = await startUpstream(endless);
    const { port } = await startFront(upstream);
    const session = connect(`http://127.0.0.1:${port}`);
    session.on('error', () => undefined); // Broken on purpose.
    const request = session.request({
      ':method': 'POST',
      ':path': TAIL,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    request.on('error', () => undefined);
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(TAIL_REQUEST.length, 1);
    request.write(Buffer.concat([prefix, TAIL_REQUEST]));
    await expect.poll(() => upstream.open.size, WAIT).toBe(1);
    session.destroy();
    await expect.poll(() => upstream.open.size, WAIT).toBe(0);
  });

  test('without a request, or with two, is INVALID_ARGUMENT', async () => {
    const upstream = await startUpstream(endless);
    const { client } = await startFront(upstream);
    const none = openTail(client);
    none.stream.end();
    expect(await none.ended).toMatchObject({ code: status.INVALID_ARGUMENT });
    const two = openTail(client);
    two.stream.write(TAIL_REQUEST);
    await expect.poll(() => two.seen.length, WAIT).toBe(1);
    two.stream.write(TAIL_REQUEST);
    expect(await two.ended).toMatchObject({ code: status.INVALID_ARGUMENT });
    await expect.poll(() => upstream.open.size, WAIT).toBe(0);
  });

  test.each([
    ['breaks off', breakOff('[{"entries":[{"textPayload":"one"}]},\n')],
    [
      'ends before its array does',
      (response: ServerResponse) => response.end('[{"entries":[{"textPayload":"one"}]}\n'),
    ],
    ['is none', (response: ServerResponse) => response.end()],
  ])('whose answer %s is UNAVAILABLE, and no bug', async (how, answer) => {
    const { client, logged } = await startFront(await startUpstream(answer));
    const { stream, seen, ended } = openTail(client);
    stream.write(TAIL_REQUEST);
    expect(await ended).toMatchObject({ code: status.UNAVAILABLE });
    expect([seen.length, logged]).toEqual([how === 'is none' ? 0 : 1, []]);
  });

  test('that fails later ends with that error', async () => {
    const error = { code: 429, message: 'Too many', status: 'RESOURCE_EXHAUSTED' };
    const { client } = await startFront(
      await startUpstream(json(200, [{ entries: [{ textPayload: 'one' }] }, { error }])),
    );
    const { stream, seen, ended } = openTail(client);
    stream.write(TAIL_REQUEST);
    expect(await ended).toMatchObject({ code: status.RESOURCE_EXHAUSTED, details: 'Too many' });
    expect(seen).toHaveLength(1);
  });

  test('that is refused has the refusal', async () => {
    const error = { code: 429, message: 'Too many', status: 'RESOURCE_EXHAUSTED' };
    const { client } = await startFront(await startUpstream(json(429, { error })));
    const tail = openTail(client);
    tail.stream.write(TAIL_REQUEST);
    expect(await tail.ended).toMatchObject({ code: status.RESOURCE_EXHAUSTED, details: 'Too many' });
  });
});

describe('the front', () => {
  test('closes with calls that would never end', async () => {
    const upstream = await startUpstream(endless);
    const front = await startFront(upstream);
    const tail = openTail(front.client);
    tail.stream.write(TAIL_REQUEST);
    await expect.poll(() => tail.seen.length, WAIT).toBe(1);
    await front.close();
    await expect.poll(() => upstream.open.size, WAIT).toBe(0);
  });

  test.each(['0.0.0.0', '192.168.1.4', '::', 'example.com'])('does not listen on %s', async (host) => {
    await expect(startGrpcFront({ port: 0, control: 'http://127.0.0.1:1', host })).rejects.toBeInstanceOf(NotLoopback);
  });
});
