import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createControlApp } from '../../../routes/control/app.ts';
import { forgetTokens, REMEMBERED_MS } from '../../../src/authorization/oauth/remembered-tokens.ts';
import type { CallAnswer, Call } from '../../../src/management/core/engine/operation.ts';
import { CONTROL_URL, tokenFor, unknownToken, validTestToken } from '../../support/workers/control-tokens.ts';
import { call, GROUPS, USERS } from './world.ts';

const BUILDINGS = '/admin/directory/v1/customer/my_customer/resources/buildings';
const LIST = `GET ${BUILDINGS}`;
const USER = `GET ${USERS}/ada@example.com`;
const PATCH = `PATCH ${GROUPS}/all@example.com`;

afterEach(() => {
  vi.restoreAllMocks();
});

type Part = string | { line: string; token: string };

const textOf = (parts: readonly Part[]): string =>
  parts
    .map((part) =>
      typeof part === 'string'
        ? { line: part, head: '' }
        : { ...part, head: `Authorization: Bearer ${part.token}\r\n` },
    )
    .map(({ line, head }) => `--b\r\nContent-Type: application/http\r\n\r\n${line} HTTP/1.1\r\n${head}\r\n\r\n`)
    .join('');

/** A batch of these parts, to the app with some bindings of its own. */
function batchWith(changes: object, parts: readonly Part[], tenant = 'C00000001'): Promise<Response> {
  const headers = {
    authorization: `Bearer ${tokenFor({ tenant })}`,
    'content-type': 'multipart/mixed; boundary=b',
  };
  const request = new Request(`${CONTROL_URL}/batch`, { method: 'POST', headers, body: `${textOf(parts)}--b--\r\n` });
  return Promise.resolve(createControlApp().fetch(request, { ...env, ...changes }));
}

type PartAnswer = { status: number; body: string };

async function partsOf(answer: Response): Promise<PartAnswer[]> {
  expect(answer.status).toBe(200);
  const boundary = /boundary=(.+)$/.exec(answer.headers.get('content-type') ?? '')?.[1] ?? '';
  const text = new TextDecoder().decode(await answer.arrayBuffer());
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const at = part.indexOf('HTTP/1.1 ');
      return { status: Number(part.slice(at + 9, at + 12)), body: part.slice(part.indexOf('\r\n\r\n', at) + 4).trim() };
    });
}

const statuses = async (answer: Promise<Response>): Promise<number[]> =>
  (await partsOf(await answer)).map(({ status }) => status);

/** A tenant's object that answers so, and what it was asked. */
function objectOf(answer: (call: Call) => CallAnswer | Promise<CallAnswer>): { changes: object; calls: Call[] } {
  const calls: Call[] = [];
  const store = {
    call: async (_tenant: unknown, asked: Call) => {
      calls.push(asked);
      return { answer: await answer(asked), delayMs: 0 };
    },
  };
  return { calls, changes: { RESOURCE_STORE: { idFromName: () => 'id', get: () => store } } };
}

const withChars = (chars: number): CallAnswer => ({ ok: true, status: 200, body: { name: 'x'.repeat(chars) } });
const isList = ({ method }: Call): boolean => method.endsWith('.list');

describe('K4: an answer of a batch has 32 MiB', () => {
  test('a page that does not fit is 413, a small answer after it still fits', async () => {
    const { changes } = objectOf((asked) => withChars(isList(asked) ? 4_000_000 : 10));
    const parts = [...Array.from({ length: 10 }, () => LIST), USER];
    expect(await statuses(batchWith(changes, parts))).toEqual([...Array.from({ length: 8 }, () => 200), 413, 413, 200]);
  });

  test('bytes count, not characters', async () => {
    const { changes } = objectOf(() => ({ ok: true, status: 200, body: { name: 'é'.repeat(3_000_000) } }));
    const parts = Array.from({ length: 6 }, () => LIST);
    expect(await statuses(batchWith(changes, parts))).toEqual([200, 200, 200, 200, 200, 413]);
  });

  test('a write that was made says so, without what it made; reads are not made any more when it is full', async () => {
    const pages = [4_000_000, 4_000_000, 4_000_000, 4_000_000, 4_000_000, 4_000_000, 4_000_000, 4_000_000, 1_551_000];
    const left = [...pages];
    const { changes, calls } = objectOf(async (asked) => {
      if (isList(asked)) return withChars(left.shift() ?? 0);
      while (left.length > 0) await scheduler.wait(1);
      return withChars(100_000);
    });
    const answers = await partsOf(
      await batchWith(changes, [...pages.map(() => LIST), ...Array.from({ length: 3 }, () => LIST), PATCH]),
    );
    expect(answers.map(({ status }) => status)).toEqual([...pages.map(() => 200), 413, 413, 413, 200]);
    expect([answers.at(-1)?.body, calls.filter(isList).length, calls.length]).toEqual(['{}', 9, 10]);
  });
});

test('K4: one list of a batch is made at a time, other calls up to ten', async () => {
  const [running, most] = [new Set<Call>(), { lists: 0, all: 0 }];
  const { changes } = objectOf(async (asked) => {
    running.add(asked);
    most.lists = Math.max(most.lists, [...running].filter(isList).length);
    most.all = Math.max(most.all, running.size);
    await scheduler.wait(1);
    running.delete(asked);
    return withChars(1);
  });
  await batchWith(
    changes,
    Array.from({ length: 24 }, (_, at) => (at % 4 === 0 ? LIST : USER)),
  );
  expect(most.lists).toBe(1);
  expect(most.all).toBeGreaterThan(3);
  expect(most.all).toBeLessThanOrEqual(10);
});

test('K4: calls that 30 seconds did not suffice for are not made', async () => {
  let nowMs = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs);
  const { changes, calls } = objectOf(() => {
    nowMs += 3_000;
    return withChars(1);
  });
  const answers = await statuses(
    batchWith(
      changes,
      Array.from({ length: 40 }, () => USER),
      'C0000late',
    ),
  );
  expect([answers.filter((status) => status === 503).length, calls.length]).toEqual([
    answers.length - calls.length,
    calls.length,
  ]);
  expect(calls.length).toBeGreaterThanOrEqual(10);
  expect(calls.length).toBeLessThanOrEqual(20);
});

test('K9: a page of over 4 million characters is refused in a batch, and served by itself', async () => {
  const description = 'x'.repeat(16_000);
  const seeds = Array.from({ length: 260 }, (_, at) => ({
    method: 'directory.resources.buildings.insert',
    params: { customer: 'my_customer' },
    body: { buildingId: `b${at}`, buildingName: `Building ${at}`, description },
  }));
  const seeded = await call('/v1/tenants/C00000001:seed', { method: 'POST', body: { calls: seeds } });
  expect(seeded.status).toBe(200);
  await vi.waitFor(async () => expect((await call(`${BUILDINGS}/b259`)).status).toBe(200), { timeout: 10_000 });
  expect((await call(`${BUILDINGS}?maxResults=260`)).status).toBe(200);
  const answers = await partsOf(await batchWith({}, [`${LIST}?maxResults=260`, `${LIST}?maxResults=100`]));
  expect(answers.map(({ status }) => status)).toEqual([413, 200]);
  expect(answers[0]?.body).toContain('The answer is too large for a batch: ask for fewer, or make the call by itself');
});

describe('K4: the authorization server is asked about each token of a batch once', () => {
  const asking = () => {
    forgetTokens({}, Date.now());
    const asked: string[] = [];
    const validate = async (token: string, resource: string) => {
      asked.push(token);
      return validTestToken(token, resource);
    };
    return { asked, changes: { ...objectOf(() => withChars(1)).changes, AUTHORIZATION: { validate } } };
  };

  test('a good one and a wrong one; each call is still judged by its own token and scopes', async () => {
    const { asked, changes } = asking();
    const narrow = tokenFor({ scopes: ['admin.directory.group'] });
    const parts = [
      USER,
      USER,
      ...[unknownToken(), narrow, unknownToken(), narrow].map((token) => ({ line: USER, token })),
    ];
    expect(await statuses(batchWith(changes, [...parts, { line: PATCH, token: narrow }]))).toEqual([
      200, 200, 401, 403, 401, 403, 200,
    ]);
    expect(asked.toSorted()).toEqual([tokenFor(), narrow, unknownToken()].toSorted());
  });

  test('and again in a batch after ten seconds: a token that ended is refused there', async () => {
    const { asked, changes } = asking();
    const startMs = Date.now() + 1;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(startMs);
    await batchWith(changes, [USER, USER]);
    await batchWith(changes, [USER, USER]);
    expect(asked).toEqual([tokenFor()]);
    clock.mockReturnValue(startMs + REMEMBERED_MS);
    await batchWith(changes, [USER, USER]);
    expect(asked).toEqual([tokenFor(), tokenFor()]);
  });

  test('none is asked about in a batch without any', async () => {
    const { asked, changes } = asking();
    const request = new Request(`${CONTROL_URL}/batch`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/mixed; boundary=b', authorization: 'Basic dXNlcjpwYXNz' },
      body: `${textOf([USER, USER])}--b--`,
    });
    expect((await createControlApp().fetch(request, { ...env, ...changes })).status).toBe(401);
    expect(asked).toEqual([]);
  });
});
