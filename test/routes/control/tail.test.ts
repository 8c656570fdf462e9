import { SELF, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { EntryStore } from '../../../durable-objects/entry-store.ts';
import { describe, expect, test } from 'vitest';
import { tokenFor } from '../../support/workers/control-tokens.ts';
import { call as callAs, refusal } from './world.ts';
import type { Sent } from '../../support/stack/send-to-worker.ts';

/** Of this file alone: the Worker remembers tenants and projects longer than the registry of a test. */
const TENANT = 'C0000tail';
const TAIL = '/v2/entries:tail';
const PROJECT = 'tail-project';
const NAMES = { resourceNames: [`projects/${PROJECT}`] };

const call = (path: string, sent: Sent) => callAs(path, { token: tokenFor({ tenant: TENANT }), ...sent });
const tail = (body: object) => call(TAIL, { method: 'POST', body });
const write = async (text: string, more: object = {}): Promise<void> => {
  const entries = [{ textPayload: text, ...more }];
  const logName = `projects/${PROJECT}/logs/app`;
  const answer = await call('/v2/entries:write', {
    method: 'POST',
    body: { logName, resource: { type: 'global' }, entries },
  });
  expect([answer.status, await answer.json()]).toEqual([200, {}]);
};

/** How many sessions the tenant has. What is written tells the platform that a reader is gone. */
async function openSessions(): Promise<number> {
  await write('anything');
  return runInDurableObject(env.ENTRY_STORE.getByName(TENANT), (store: EntryStore) => store.sessions());
}

/** Reads pieces as they come, until what was read says this. */
function follow(answer: Response) {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) throw new Error('The answer has no body');
  let text = '';
  const until = async (words: string): Promise<string> => {
    while (!text.includes(words)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`The answer ended with ${text}`);
      text += value;
    }
    return text;
  };
  return { until, cancel: () => reader.cancel() };
}

test('entries come as they are written, piece by piece, in an array that is open from the start', async () => {
  const answer = await tail({ ...NAMES, bufferWindow: '0s' });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=UTF-8']);
  const { until, cancel } = follow(answer);
  expect(await until('[')).toBe('[');
  await write('the first');
  const first = await until('the first');
  expect(JSON.parse(`${first}]`)).toMatchObject([
    { entries: [{ logName: `projects/${PROJECT}/logs/app`, textPayload: 'the first', insertId: expect.any(String) }] },
  ]);
  await write('the second');
  const elements = JSON.parse(`${await until('the second')}]`) as unknown[];
  expect(elements).toHaveLength(2);
  await cancel();
});

test('a filter takes some of them', async () => {
  const { until, cancel } = follow(await tail({ ...NAMES, bufferWindow: '0s', filter: 'severity>=ERROR' }));
  await write('not this', { severity: 'INFO' });
  await write('but this', { severity: 'ERROR' });
  expect(await until('but this')).not.toContain('not this');
  await cancel();
});

test('what is not compressed is not held back: a tail is sent as it is even to a client that takes gzip', async () => {
  const answer = await SELF.fetch(`https://control.sightline.test${TAIL}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tokenFor({ tenant: TENANT })}`,
      'content-type': 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': 'google-api-nodejs-client/9.3.1 (gzip)',
    },
    body: JSON.stringify({ ...NAMES, bufferWindow: '0s' }),
  });
  expect(answer.headers.get('content-encoding') ?? 'identity').toBe('identity');
  const { until, cancel } = follow(answer);
  await write('plain');
  await until('plain');
  await cancel();
});

describe('refused before anything is streamed', () => {
  test.each<[string, object, string]>([
    ['a window that is too long', { bufferWindow: '61s' }, '400 INVALID_ARGUMENT'],
    ['a filter that is none', { filter: 'severity >' }, '400 INVALID_ARGUMENT'],
    ['no resource', { resourceNames: [] }, '400 INVALID_ARGUMENT'],
    [
      'a view that is not there',
      { resourceNames: [`projects/${PROJECT}/locations/global/buckets/_Default/views/none`] },
      '404 NOT_FOUND',
    ],
  ])('%s', async (_what, body, status) => {
    expect(await refusal(tail({ ...NAMES, ...body }))).toMatch(new RegExp(`^${status}`));
  });

  test('K1: the project of another tenant', async () => {
    const body = { resourceNames: ['projects/not-yours'] };
    const as = (tenant: string) => ({ method: 'POST', body, token: tokenFor({ tenant }) });
    expect((await call('/v2/entries:list', as('C0000mine'))).status).toBe(200);
    expect(await refusal(call(TAIL, as('C000yours')))).toMatch(/^403 PERMISSION_DENIED/);
  });
});

test('K9: a tenant has ten sessions at a time; a client that goes away frees its own', async () => {
  const open = Array.from({ length: 10 }, () => tail({ ...NAMES, bufferWindow: '0s' }).then(follow));
  const sessions = await Promise.all(open);
  await Promise.all(sessions.map(({ until }) => until('[')));
  const full = await tail(NAMES);
  expect(await refusal(full)).toBe('429 RESOURCE_EXHAUSTED: A tenant tails in at most 10 sessions at a time');
  await sessions[0]?.cancel();
  await expect.poll(openSessions, { timeout: 10_000 }).toBe(9);
  const next = follow(await tail(NAMES));
  await next.until('[');
  await Promise.all([next, ...sessions.slice(1)].map(({ cancel }) => cancel()));
  await expect.poll(openSessions, { timeout: 10_000 }).toBe(0);
});
