import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PROBE_CUSTOMER } from '../../../src/notifications/core/probe.ts';
import { checkupSchema, probeSchema, probeStateSchema } from '../../../src/notifications/operator-api/shapes.ts';
import { resetScript, script } from '../../support/webhooks/webhook-script.ts';
import { tokenFor } from '../../support/webhooks/webhook-tokens.ts';
import { call, CUSTOMER, directory, json, notify, of, opened, USER_BODY } from './world.ts';

/** What the Worker asked of the directory and of receivers. */
let sent: string[] = [];

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  directory();
  sent = [];
  const answer = script.fetch;
  script.fetch = async (url, init) => {
    sent.push(url);
    if (answer === undefined) throw new Error('the directory answers');
    return answer(url, init);
  };
});
afterEach(() => {
  vi.restoreAllMocks();
  resetScript();
});

const makeProbe = async () => probeSchema.parse(await json(call('/probes', { method: 'POST', body: {} })));

const sendProbe = async (changes: Record<string, string> = {}, probe?: Awaited<ReturnType<typeof makeProbe>>) => {
  const made = probe ?? (await makeProbe());
  const { pathname: path } = new URL(made.address);
  return { made, answer: await notify({ ...made.headers, ...changes }, { path, body: made.body }) };
};

const readState = async (id: string) => probeStateSchema.parse(await json(call(`/probes/${id}`)));

/** The inbox of probes, worked as its alarm does. */
const workProbes = () => runDurableObjectAlarm(env.NOTIFICATION_INBOX.getByName(PROBE_CUSTOMER));

describe('a notification that an operator sends to the deployment itself', () => {
  test('is acknowledged with 200 and then worked, and neither directory nor receiver hears of it', async () => {
    const { made, answer } = await sendProbe();
    expect(answer.status).toBe(200);
    expect((await readState(made.id)).received_at).not.toBeNull();
    await workProbes();
    expect(await readState(made.id)).toMatchObject({ id: made.id, state: 'worked' });
    expect(sent).toEqual([]);
  });

  test('is worked each time, though it is always about the same user', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { made } = await sendProbe();
      await workProbes();
      expect((await readState(made.id)).state).toBe('worked');
    }
    expect(sent).toEqual([]);
  });

  test('is unknown until it is sent', async () => {
    const { id } = await makeProbe();
    expect(await readState(id)).toEqual({ id, state: 'not_received', received_at: null });
  });

  test.each([
    ['another token', { 'X-Goog-Channel-Token': `v2.${'A'.repeat(43)}` }],
    ['another resource', { 'X-Goog-Resource-ID': 'other' }],
    ['another id, with the end moved away', { 'X-Goog-Channel-ID': 'probe-9999999999999-0000000000000000' }],
    ['the sync of a channel', { 'X-Goog-Resource-State': 'sync' }],
  ])('is a forgery with %s', async (_, changes) => {
    const { made, answer } = await sendProbe(changes);
    expect(answer.status).toBe(401);
    expect((await readState(made.id)).state).toBe('not_received');
  });

  test('is a forgery at the address of a watch, and after its five minutes', async () => {
    const probe = await makeProbe();
    const channel = await opened();
    const { path } = of(channel);
    expect((await notify(probe.headers, { path, body: USER_BODY })).status).toBe(401);
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse(probe.expires_at));
    expect((await sendProbe({}, probe)).answer.status).toBe(401);
  });

  test('is for the operator of every customer alone', async () => {
    const { id } = await makeProbe();
    const ofTenant = tokenFor({ tenant: CUSTOMER });
    const writer = tokenFor({ scopes: ['channels:read', 'channels:write'] });
    for (const [path, method] of [
      ['/probes', 'POST'],
      [`/probes/${id}`, 'GET'],
      ['/checkup', 'GET'],
    ] as const) {
      expect((await call(path, { method, token: ofTenant })).status).toBe(404);
      expect((await call(path, { method, token: writer })).status).toBe(403);
    }
    expect((await call(`/messages?customer=${PROBE_CUSTOMER}`)).status).toBe(422);
    expect((await call('/probes/none')).status).toBe(404);
  });
});

describe('what the operator reads of the deployment', () => {
  test('channels with the time of their renewal, and sums of what waits and is dead', async () => {
    const channel = await opened({ customer: 'C0000checkup' });
    const checkup = checkupSchema.parse(await json(call('/checkup')));
    expect(checkup.channels.active).toContainEqual({
      id: channel.id,
      expires_at: channel.expires_at,
      renew_at: channel.renew_at,
    });
    expect(checkup.channels.counts.active).toBeGreaterThan(0);
    expect(checkup.inboxes.unread).toBe(0);
    expect(checkup.settings.map(({ setting }) => setting)).toContain('DIRECTORY_TOKEN');
  });

  test('no setting is named with its value', async () => {
    const text = await (await call('/checkup')).text();
    expect(text).not.toMatch(/whsec_|secret-of|channel-secret/);
  });
});
