import { env, exports } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { generateRandomHex } from '../../../../src/lib/digest.ts';
import { computeShardOfAccount } from '../../../../src/monitors/book/ids.ts';
import type { AlertDraft } from '../../../../src/monitors/core/alert.ts';
import { formatShardName, type Monitor } from '../../../../src/monitors/core/monitor.ts';
import type { MonitorShardObject } from '../../../../src/monitors/core/protocol.ts';

const ORIGIN = 'https://sightline.test';
const WRONG = '0'.repeat(32);
let callers = 0;

const send = (path: string, init: RequestInit = {}): Promise<Response> => {
  callers += 1;
  const headers = { 'cf-connecting-ip': `203.0.113.${callers % 250}`, ...(init.headers as Record<string, string>) };
  return exports.default.fetch(new Request(`${ORIGIN}${path}`, { ...init, headers }));
};

let object: MonitorShardObject;
let monitor: Monitor;
beforeEach(async () => {
  const account = `acc_${generateRandomHex(8)}`;
  object = env.MONITOR_SHARD.getByName(formatShardName(await computeShardOfAccount(account)));
  const made = await object.create({
    owner: { account, clientId: 'account', authorizedAtMs: Date.now() },
    monitor: {
      name: 'Our <shop>',
      subject: { kind: 'site', url: 'https://shop.example/' },
      interval: { every: 'daily' },
      rules: {},
      receivers: [{ kind: 'feed' }, { kind: 'email', address: 'ada@example.com' }],
      quietHours: null,
      payment: 'credits',
    },
    idempotencyKey: 'one',
    contentSha256: '',
  });
  if (!made.ok) throw new Error(made.reason);
  monitor = made.monitor;
});

const receiverAt = async (at: number) => {
  const receiver = (await object.read(monitor.account, monitor.id))?.monitor.receivers[at];
  if (receiver === undefined) throw new Error('no receiver');
  return receiver;
};

describe('the feed of a monitor', () => {
  const feedPath = async (): Promise<string> => {
    const receiver = await receiverAt(0);
    return `/monitors/${monitor.id}/feed/${receiver.kind === 'feed' ? receiver.token : ''}`;
  };
  const draft: AlertDraft = {
    kind: 'gate_fired',
    severity: 'warning',
    key: 'gate',
    title: 'A gate <fired>',
    changes: [],
    since: null,
  };

  test('opens with its address, is not to be found by search engines, and is sent once', async () => {
    await object.raise(monitor.id, draft);
    const answer = await send(await feedPath());
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/atom+xml; charset=utf-8',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=300',
    });
    const text = await answer.text();
    expect(text).toContain('<title>Our &lt;shop&gt;</title>');
    expect(text).toContain('<title>A gate &lt;fired&gt;</title>');
    expect(text).toContain(`href="${ORIGIN}${await feedPath()}"`);
    const etag = answer.headers.get('etag') ?? '';
    const again = await send(await feedPath(), { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    await object.raise(monitor.id, { ...draft, key: 'another' });
    expect((await send(await feedPath(), { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  test('another token, another monitor and a monitor that is not there have one and the same answer', async () => {
    const token = (await feedPath()).slice(-32);
    const elsewhere = `mon_${monitor.id[4]}${'0'.repeat(23)}`;
    const paths = [
      `/monitors/${monitor.id}/feed/${WRONG}`,
      `/monitors/${elsewhere}/feed/${token}`,
      `/monitors/${elsewhere}/feed/${WRONG}`,
    ];
    const answers = await Promise.all(paths.map((path) => send(path)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    const bodies = await Promise.all(answers.map(async (answer) => (await answer.json()) as Record<string, unknown>));
    expect(new Set(bodies.map(({ code, detail, title }) => [code, detail, title].join(' '))).size).toBe(1);
    for (const path of ['/monitors/x/feed/y', `/monitors/${monitor.id}/feed/${token.toUpperCase()}0`])
      expect((await send(path)).status).toBe(404);
  });
});

describe('the links of a mail', () => {
  const proofsOf = async () => {
    const page = await object.deliveries(monitor.account, monitor.id, { limit: 10 });
    const id = page?.items.find(({ kind }) => kind === 'confirmation')?.id ?? '';
    const order = await object.beginDelivery(id);
    if (order?.proofs === undefined) throw new Error('no proofs');
    return order.proofs;
  };
  const linkOf = async (use: 'confirm' | 'unsubscribe', proof: string): Promise<string> =>
    `/monitors/${monitor.id}/mail/${(await receiverAt(1)).id}/${use}?proof=${proof}`;
  const isConfirmed = async (): Promise<boolean> => {
    const receiver = await receiverAt(1);
    return receiver.kind === 'email' && receiver.confirmedAtMs !== null;
  };

  test('GET shows a button and changes nothing; the button confirms', async () => {
    const { confirm } = await proofsOf();
    const link = await linkOf('confirm', confirm);
    const page = await send(link, { headers: { 'accept-language': 'de' } });
    expect([page.status, page.headers.get('x-robots-tag')]).toEqual([200, 'noindex, nofollow']);
    expect(page.headers.get('cache-control')).toBe('no-store');
    const text = await page.text();
    expect(text).toContain('Adresse bestätigen');
    expect(text).toContain(`<form method="post" action="${link}">`);
    expect((await send(link, { method: 'HEAD' })).status).toBe(200);
    expect(await isConfirmed()).toBe(false);
    for (let twice = 0; twice < 2; twice += 1) {
      const pressed = await send(link, { method: 'POST' });
      expect(pressed.status).toBe(200);
      expect(await pressed.text()).toContain('Your address is confirmed');
    }
    expect(await isConfirmed()).toBe(true);
  });

  test('one click of a mail program unsubscribes (RFC 8058), without cookie, origin or session', async () => {
    const { unsubscribe } = await proofsOf();
    const link = await linkOf('unsubscribe', unsubscribe);
    expect((await send(link)).status).toBe(200);
    expect((await receiverAt(1)).disabled).toBeUndefined();
    const clicked = await send(link, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect(clicked.status).toBe(200);
    expect((await receiverAt(1)).disabled).toBe(true);
  });

  test('nothing is done for a proof of the other link, for none, and for another receiver', async () => {
    const { confirm, unsubscribe } = await proofsOf();
    const other = `/monitors/${monitor.id}/mail/rcv_${'0'.repeat(16)}/confirm?proof=${confirm}`;
    const links = [await linkOf('confirm', unsubscribe), await linkOf('unsubscribe', confirm), other];
    for (const link of [...links, await linkOf('confirm', WRONG), (await linkOf('confirm', '')).replace('?proof=', '')])
      expect((await send(link, { method: 'POST' })).status).toBe(404);
    expect(await isConfirmed()).toBe(false);
    expect((await receiverAt(1)).disabled).toBeUndefined();
  });
});
