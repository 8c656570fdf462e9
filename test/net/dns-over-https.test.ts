import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTxtResolver } from '../../src/net/dns-over-https.ts';

const record = (data: string, type = 16) => ({ name: 'x.example', type, TTL: 60, data });
const bodies: Readonly<Record<string, [number, string]>> = {
  'two.example': [
    200,
    JSON.stringify({ Status: 0, Answer: [record('"a=1"'), record('alias.example', 5), record('b=2')] }),
  ],
  'long.example': [200, JSON.stringify({ Status: 0, Answer: [record(String.raw`"first \"half\" " "second"`)] })],
  'none.example': [200, JSON.stringify({ Status: 0 })],
  'absent.example': [200, JSON.stringify({ Status: 3 })],
  'broken.example': [200, JSON.stringify({ Status: 2 })],
  'cut.example': [200, JSON.stringify({ Status: 0, TC: true, Answer: [] })],
  'many.example': [200, JSON.stringify({ Status: 0, Answer: Array.from({ length: 101 }, () => record('"x"')) })],
  'html.example': [200, '<html>'],
  'down.example': [502, ''],
  'huge.example': [200, ' '.repeat(70_000)],
};

const server = createServer((request, response) => {
  const asked = new URL(request.url ?? '/', 'http://localhost');
  const [status, body] = bodies[asked.searchParams.get('name') ?? ''] ?? [404, ''];
  const isAsked = request.headers.accept === 'application/dns-json' && asked.searchParams.get('type') === 'TXT';
  response.writeHead(isAsked ? status : 400, { 'content-type': 'application/dns-json' }).end(body);
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const resolve = (name: string) => {
  const { port } = server.address() as AddressInfo;
  return createTxtResolver({ url: `http://127.0.0.1:${port}/dns-query?ct=1`, fetch })(name);
};

test.each([
  ['two.example', ['a=1', 'b=2']],
  ['long.example', ['first "half" second']],
  ['none.example', []],
  ['absent.example', []],
])('the texts of %s', async (name, texts) => expect(await resolve(name)).toEqual({ ok: true, texts }));

test.each(['broken.example', 'cut.example', 'many.example', 'html.example', 'down.example', 'huge.example'])(
  'what %s answers is no answer',
  async (name) => expect(await resolve(name)).toMatchObject({ ok: false, reason: 'lookup_failed' }),
);

test('a resolver that cannot be reached is no answer', async () =>
  expect(await createTxtResolver({ url: 'http://127.0.0.1:9/dns-query', fetch })('x.example')).toMatchObject({
    ok: false,
  }));
