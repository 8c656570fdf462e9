import { describe, expect, test } from 'vitest';
import { createRequestGate, type PausedRequest } from '../../../../src/audit/rendered/gather/request-gate.ts';
import type { SnapshotAnswer } from '../../../../src/audit/core/snapshot.ts';
import type { Fetched, FetchTarget, GuardedFetch } from '../../../../src/net/fetched.ts';

const MAIN = 'main-frame';
const PAGE: SnapshotAnswer = {
  ok: true,
  url: 'https://acme.example/page',
  status: 200,
  headers: { 'content-type': 'text/html; charset=iso-8859-1', 'set-cookie': 'a=b', refresh: '0;url=/x', 'x-kept': '1' },
  body: 'Grüße',
  bodyBytes: 5,
  sha256: '',
  truncated: false,
  redirects: [],
};

const fetched = (more: Partial<Fetched & { ok: true }> = {}): Fetched => ({
  ok: true,
  url: 'https://acme.example/data',
  status: 200,
  headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', 'set-cookie': 'a=b' },
  bytes: new TextEncoder().encode('{}'),
  truncated: false,
  redirects: [],
  elapsedMs: 1,
  ...more,
});

function open(answer: (target: FetchTarget) => Fetched = () => fetched(), page = PAGE) {
  const asked: FetchTarget[] = [];
  const fetch: GuardedFetch = async (target) => {
    asked.push(target);
    return answer(target);
  };
  return { gate: createRequestGate(page, fetch), asked };
}

const ask = (url: string, more: Partial<PausedRequest> = {}, request: Partial<PausedRequest['request']> = {}) => ({
  requestId: '1',
  resourceType: 'Fetch',
  frameId: MAIN,
  ...more,
  request: { url, method: 'GET', headers: {}, hasPostData: false, ...request },
});

describe('the start page', () => {
  const main = { resourceType: 'Document' };

  test('is answered from the snapshot, as UTF-8, without what sets state or leads on', async () => {
    const { gate, asked } = open();
    const reply = await gate.answer(ask(`${PAGE.url}#part`, main), MAIN);
    if (reply.kind !== 'fulfil') throw new Error('not fulfilled');
    expect(new TextDecoder().decode(reply.body)).toBe('Grüße');
    expect(reply.headers).toEqual({ 'content-type': 'text/html; charset=utf-8', 'x-kept': '1' });
    expect(asked).toEqual([]);
  });

  test('is asked for again, and other pages of the domain, a bounded number of times', async () => {
    const { gate, asked } = open();
    const kinds = [];
    for (let round = 0; round < 8; round += 1) kinds.push((await gate.answer(ask(PAGE.url, main), MAIN)).kind);
    expect(kinds).toEqual(['fulfil', 'fulfil', 'fulfil', 'fulfil', 'leave', 'leave', 'leave', 'leave']);
    expect(asked).toHaveLength(3);
    expect(gate.counts().refused).toEqual({ too_many_navigations: 4 });
  });

  test('stays where it is when it leads to another domain', async () => {
    const { gate } = open();
    expect(await gate.answer(ask('https://other.example/', main), MAIN)).toEqual({ kind: 'leave' });
    expect(await gate.answer(ask('https://www.acme.example/', main), MAIN)).toMatchObject({ kind: 'fulfil' });
  });
});

describe('what is refused before anything is asked', () => {
  test.each([
    ['a private address', ask('http://127.0.0.1:8080/'), 'private_target'],
    ['a name of this machine', ask('http://localhost/'), 'private_target'],
    ['an address of a cloud', ask('http://169.254.169.254/latest/'), 'private_target'],
    ['a picture of a private address', ask('http://10.0.0.1/x.png', { resourceType: 'Image' }), 'private_target'],
    ['another scheme', ask('ftp://acme.example/'), 'scheme_refused'],
    ['a file', ask('file:///etc/passwd'), 'scheme_refused'],
    ['no address at all', ask('http://'), 'scheme_refused'],
    [
      'a frame of another site',
      ask('https://ads.example/', { resourceType: 'Document', frameId: 'f' }),
      'foreign_document',
    ],
    [
      'a service worker',
      ask('https://acme.example/sw.js', {}, { headers: { 'Service-Worker': 'script' } }),
      'service_worker',
    ],
    ['PUT', ask('https://acme.example/x', {}, { method: 'PUT' }), 'method'],
    ['POST to another origin', ask('https://api.example/x', {}, { method: 'POST', postData: '{}' }), 'method'],
    [
      'POST of a form',
      ask('https://acme.example/x', { resourceType: 'Other' }, { method: 'POST', postData: 'a=b' }),
      undefined,
    ],
    [
      'a body that was not given',
      ask('https://acme.example/x', {}, { method: 'POST', hasPostData: true }),
      'too_many_posts',
    ],
    [
      'a large body',
      ask('https://acme.example/x', {}, { method: 'POST', postData: 'x'.repeat(70_000) }),
      'too_many_posts',
    ],
  ])('%s', async (_name, paused, reason) => {
    const { gate, asked } = open();
    expect(await gate.answer(paused, MAIN)).toEqual({ kind: 'deny' });
    expect(asked).toEqual([]);
    expect(gate.counts().refused).toEqual(reason === undefined ? {} : { [reason]: 1 });
  });

  test('of a private site only its own origin is asked', async () => {
    const page = { ...PAGE, url: 'http://127.0.0.1:3000/' };
    const { gate, asked } = open(({ url }) => fetched({ url }), page);
    expect(await gate.answer(ask('http://127.0.0.1:3000/data'), MAIN)).toMatchObject({ kind: 'fulfil' });
    expect(await gate.answer(ask('http://127.0.0.1:3001/data'), MAIN)).toEqual({ kind: 'deny' });
    expect(await gate.answer(ask('http://localhost:3000/data'), MAIN)).toEqual({ kind: 'deny' });
    expect(asked.map(({ url }) => url)).toEqual(['http://127.0.0.1:3000/data']);
  });

  test('pictures are empty, and fonts, films and beacons are not loaded', async () => {
    const { gate, asked } = open();
    expect(await gate.answer(ask('https://cdn.example/a.png', { resourceType: 'Image' }), MAIN)).toMatchObject({
      kind: 'fulfil',
      headers: { 'content-type': 'image/gif' },
    });
    for (const resourceType of ['Font', 'Media', 'Ping', 'Prefetch'])
      expect(await gate.answer(ask('https://cdn.example/a', { resourceType }), MAIN)).toEqual({ kind: 'deny' });
    expect([asked, gate.counts().refused]).toEqual([[], {}]);
  });

  test('requests that send something: ten', async () => {
    const { gate, asked } = open();
    for (let index = 0; index < 12; index += 1)
      await gate.answer(ask('https://acme.example/graph', {}, { method: 'POST', postData: '{"q":1}' }), MAIN);
    expect(asked).toHaveLength(10);
    expect(asked[0]).toMatchObject({ method: 'POST', body: '{"q":1}' });
  });
});

describe('what is asked by the guarded fetch', () => {
  test('hands on no credentials, and of the answer nothing that speaks of the wire', async () => {
    const { gate, asked } = open();
    const headers = {
      Accept: 'application/json',
      Authorization: 'Bearer x',
      Cookie: 'a=b',
      'X-Key': 'k',
      Origin: 'https://acme.example',
    };
    const reply = await gate.answer(ask('https://acme.example/data#x', {}, { headers }), MAIN);
    expect(asked).toEqual([
      {
        url: 'https://acme.example/data',
        method: 'GET',
        headers: { accept: 'application/json', origin: 'https://acme.example' },
      },
    ]);
    expect(reply).toMatchObject({ kind: 'fulfil', status: 200, headers: { 'content-type': 'application/json' } });
    expect(gate.counts()).toEqual({ made: 1, bytes: 2, refused: {} });
  });

  test('a redirect is followed by the browser, to an answer that is there already', async () => {
    const hop = { url: 'https://acme.example/old', status: 301, location: 'https://cdn.example/new.js' };
    const headers = { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' };
    const { gate, asked } = open(() => fetched({ url: hop.location, headers, redirects: [hop] }));
    expect(await gate.answer(ask(hop.url), MAIN)).toMatchObject({
      status: 302,
      headers: { location: hop.location, 'access-control-allow-origin': '*' },
    });
    expect(await gate.answer(ask(hop.location), MAIN)).toMatchObject({ status: 200 });
    expect(asked).toHaveLength(1);
    expect(gate.counts()).toMatchObject({ made: 2, bytes: 2 });
  });

  test('a redirect that ended at a private address shows nothing', async () => {
    const { gate } = open(() => fetched({ url: 'http://127.0.0.1:9/secret' }));
    expect(await gate.answer(ask('https://acme.example/away'), MAIN)).toEqual({ kind: 'deny' });
    expect(gate.counts().refused).toEqual({ private_target: 1 });
  });

  test('a failure is a failed request with its reason; so is a file that is too large', async () => {
    const failed = open(() => ({ ok: false, reason: 'timeout', detail: '', redirects: [], elapsedMs: 1 }));
    expect(await failed.gate.answer(ask('https://acme.example/a'), MAIN)).toEqual({ kind: 'deny' });
    expect(failed.gate.counts().refused).toEqual({ timeout: 1 });
    const large = open(() => fetched({ truncated: true }));
    expect(await large.gate.answer(ask('https://acme.example/a'), MAIN)).toEqual({ kind: 'deny' });
    expect(large.gate.counts().refused).toEqual({ too_large: 1 });
  });

  test('six at once, two hundred wait, and the rest is refused', async () => {
    const held = Promise.withResolvers<Fetched>();
    let most = 0;
    const gate = createRequestGate(PAGE, async () => {
      most = Math.max(most, gate.inFlight());
      return held.promise;
    });
    const replies = Array.from({ length: 220 }, (_one, index) =>
      gate.answer(ask(`https://acme.example/${index}`), MAIN),
    );
    await Promise.resolve();
    held.resolve(fetched());
    const kinds = (await Promise.all(replies)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'deny')).toHaveLength(14);
    expect(gate.counts().refused).toEqual({ too_many_requests: 14 });
    expect(most).toBeGreaterThan(5);
    expect(gate.inFlight()).toBe(0);
  });
});
