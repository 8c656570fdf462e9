import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SightlineError } from '../../src/client/errors.ts';
import { readAnswer } from '../../src/client/read-answer.ts';
import { createTransport, type FetchPort } from '../../src/client/transport.ts';

const settings = { baseUrl: 'https://service.test', timeoutMs: 5_000, maxAttempts: 12 };

const failureOf = async (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe('the address of the service', () => {
  test.each([
    'https://service.test',
    'https://service.test/',
    'http://127.0.0.1:8787',
    'http://[::1]:1',
    'http://localhost',
  ])('%s is one', (baseUrl) => {
    expect(createTransport({ ...settings, baseUrl, fetch }).origin).toBe(new URL(baseUrl).origin);
  });

  test.each([
    '',
    'service.test',
    'http://service.test',
    'ftp://service.test',
    'https://service.test/v1',
    'https://me@service.test',
  ])('%j is none', (baseUrl) => {
    expect(() => createTransport({ ...settings, baseUrl, fetch })).toThrow(SightlineError);
  });
});

describe('one request', () => {
  test('goes to the own origin, follows no redirect, and says who it is', async () => {
    const seen: [string, RequestInit][] = [];
    const answering: FetchPort = async (url, init) => {
      seen.push([url, init]);
      return new Response(null, { status: 307, headers: { location: 'https://elsewhere.test/' } });
    };
    const sent = createTransport({ ...settings, fetch: answering }).send({ path: '/api/agent/index' });
    expect(await failureOf(sent)).toMatchObject({ code: 'redirected' });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.[0]).toBe('https://service.test/api/agent/index');
    expect(seen[0]?.[1]).toMatchObject({
      redirect: 'manual',
      headers: { 'user-agent': expect.stringMatching(/^sightline-client\/\d/) },
    });
  });

  test('reads no answer beyond its limit', async () => {
    const chunk = new Uint8Array(1024 * 1024).fill(32);
    const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(chunk) });
    const sent = createTransport({ ...settings, fetch: async () => new Response(endless) }).send({ path: '/' });
    expect(await failureOf(sent)).toMatchObject({ code: 'answer_too_large' });
  });

  test.each([400, 401, 403, 404, 409, 413, 422, 503])('a %i without Retry-After is the last word', async (status) => {
    let sent = 0;
    const answering: FetchPort = async () => {
      sent += 1;
      return Response.json({ code: 'some_code' }, { status });
    };
    expect(await createTransport({ ...settings, fetch: answering }).send({ path: '/' })).toMatchObject({ status });
    expect(sent).toBe(1);
  });
});

const streamOf = (pieces: readonly Uint8Array[]): Response =>
  new Response(
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    }),
    { headers: { 'content-type': 'text/event-stream; charset=utf-8' } },
  );

describe('a stream of events', () => {
  const text = [': still working\n\n', 'event: progress\r\ndata: {"done":1}\r\n\r\n', 'data: {"other":1}\n\n'].join('');
  const result = 'event: result\ndata: {"headline":"Grüße – 100 €"}\n\n';

  test('is read alike however it is cut into pieces', async () => {
    const bytes = new TextEncoder().encode(text + result);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async (given) => {
        const cuts = [0, ...given.toSorted((a, b) => a - b), bytes.length];
        const pieces = cuts.slice(1).map((end, index) => bytes.slice(cuts[index], end));
        const heard: unknown[] = [];
        const answer = await readAnswer(streamOf(pieces), (counts) => heard.push(counts));
        expect(answer).toMatchObject({ status: 200, body: { headline: 'Grüße – 100 €' } });
        expect(heard).toEqual([{ done: 1 }]);
      }),
    );
  });

  test('that ends without a result, or within it, is no answer', async () => {
    for (const cut of [text, text + result.slice(0, -2)]) {
      const answer = await readAnswer(streamOf([new TextEncoder().encode(cut)]), () => undefined);
      expect(answer).toMatchObject({ code: 'answer_unreadable' });
    }
  });

  test('a problem in it has its own status', async () => {
    const problem = 'event: problem\ndata: {"status":422,"code":"target_unreachable"}\n\n';
    const answer = await readAnswer(streamOf([new TextEncoder().encode(problem)]), () => undefined);
    expect(answer).toMatchObject({ status: 422, body: { code: 'target_unreachable' } });
  });

  test('a fault of the listener costs no result', async () => {
    const shown = console.error;
    console.error = () => undefined;
    const answer = await readAnswer(streamOf([new TextEncoder().encode(text + result)]), () => {
      throw new Error('a fault of the page');
    });
    console.error = shown;
    expect(answer).toMatchObject({ status: 200 });
  });
});
