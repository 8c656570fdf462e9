import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MonitorShard } from '../../../../durable-objects/monitor-shard.ts';
import { decode, encode, get, PAYER, post, problemOf, world, type World } from '../world.ts';
import { accountOf, balanceOf, postPack, removeWallet, signedPack } from './credit-world.ts';
import { settleOnChain } from './settling-chain.ts';

let seen: World;
beforeEach(() => {
  seen = world();
  settleOnChain(seen);
  vi.spyOn(MonitorShard.prototype, 'alarm').mockResolvedValue(undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const MONITOR = {
  subject: { kind: 'site', url: 'https://shop.example/' },
  interval: { every: 'weekly' },
  receivers: [{ kind: 'webhook', url: 'https://hooks.example/secret-path' }],
};
const path = (dollars = 5): string => `/api/credits/${dollars}/monitor`;
const order = (credential?: string, monitor: object = MONITOR, dollars = 5): Promise<Response> =>
  post({ path: path(dollars), body: JSON.stringify(monitor), ...(credential === undefined ? {} : { credential }) });

type Bought = {
  credited: string;
  balance?: string;
  monitor: { id: string; receivers: { url: string; secret?: string }[] } | null;
  monitor_token?: string;
  monitor_problem?: { code: string; detail: string };
};
const read = async (answer: Response): Promise<Bought> => {
  expect(answer.status).toBe(200);
  return answer.json();
};
/** A payment from the terms that the route itself answers. */
const sign = async (dollars = 5): Promise<string> =>
  signedPack(dollars, { quote: await order(undefined, MONITOR, dollars) });
const readBy = (id: string, token: string): Promise<Response> =>
  get(`/api/monitors/${id}`, { authorization: `Bearer ${token}` });

describe('a pack with a monitor, by one payment', () => {
  test('is asked for by the terms of the pack, once its monitor can be made', async () => {
    const [withMonitor, pack] = await Promise.all([order(), postPack(5)]);
    expect([withMonitor.status, pack.status]).toEqual([402, 402]);
    const [terms, known] = [withMonitor, pack].map((answer) => {
      const header = JSON.stringify(decode(answer.headers.get('payment-required') ?? ''));
      return header.replaceAll(/[0-9a-f]{32}/g, '');
    });
    expect(terms).toBe(known);
    const wrong = await order(undefined, { ...MONITOR, interval: { cron: '0 0 30 2 *' } });
    expect(wrong.status).toBe(422);
    const inside = await order(await signedPack(5), { ...MONITOR, subject: { kind: 'site', url: 'http://10.0.0.1/' } });
    expect(inside.status).toBe(422);
    const free = await order(await signedPack(5), { ...MONITOR, payment: 'operator' });
    expect(await free.json()).toMatchObject({ code: 'invalid_body', errors: [{ pointer: '/payment' }] });
    expect(seen.calls.verify).toEqual([]);
  });

  test('gives credits, a monitor and a token that opens this monitor alone', async () => {
    const bought = await read(await order(await sign()));
    expect(bought).toMatchObject({ credited: '5.000000', balance: '5.000000' });
    const { monitor, monitor_token: token = '' } = bought;
    const id = monitor?.id ?? '';
    expect(monitor?.receivers[0]).toMatchObject({
      url: 'https://hooks.example/…',
      secret: expect.stringMatching(/^whsec_/),
    });
    expect(token).toMatch(/^smt_[A-Za-z0-9_-]{43}$/);
    expect(await (await readBy(id, token)).json()).toMatchObject({ id, state: 'active' });
    const other = await read(
      await order(await sign(20), { ...MONITOR, subject: { kind: 'site', url: 'https://b.example/' } }, 20),
    );
    expect((await readBy(other.monitor?.id ?? '', token)).status).toBe(401);
    const { id: account } = await accountOf(PAYER);
    const shards = await Promise.all(
      Array.from({ length: 16 }, (_, shard) =>
        env.MONITOR_SHARD.getByName(`monitors-${shard.toString(16)}`).list(account, { limit: 10 }),
      ),
    );
    expect(shards.flatMap(({ items }) => items).map(({ monitor: { id: made } }) => made)).toHaveLength(2);
    expect(seen.logs.join('\n')).not.toContain(token);
  });

  test('P6: is not sold to a wallet that was removed from its account', async () => {
    const { object } = await accountOf(PAYER);
    const credential = await sign();
    await removeWallet();
    expect(await problemOf(await order(credential))).toEqual({ status: 409, code: 'wallet_removed' });
    expect(seen.calls.settle).toEqual([]);
    expect((await object.view()).balanceMicroUsdc).toBe(0);
  });

  test('P6: after the wallet was removed, a repeat shows nothing of the account', async () => {
    const credential = await sign();
    const { monitor } = await read(await order(credential));
    await removeWallet();
    const again = await read(await order(credential));
    expect(monitor?.id).toMatch(/./);
    expect(again).toMatchObject({ monitor: null, monitor_problem: { code: 'wallet_removed' } });
    expect(again.balance).toBeUndefined();
    expect(again.monitor_token).toBeUndefined();
  });

  test('P1: a repeat of the payment leads to the same monitor, without its token and secrets', async () => {
    const credential = await sign();
    const first = await read(await order(credential));
    const again = await read(await order(credential));
    expect(again.monitor?.id).toBe(first.monitor?.id);
    expect(again.monitor?.receivers[0]).not.toHaveProperty('secret');
    expect(again).not.toHaveProperty('monitor_token');
    expect(await balanceOf()).toBe(5_000_000);
    expect((await readBy(first.monitor?.id ?? '', first.monitor_token ?? '')).status).toBe(200);
  });

  test('P1: a repeat with another monitor makes none, nor one after its owner has deleted it', async () => {
    const credential = await sign();
    const first = await read(await order(credential));
    const other = await read(
      await order(credential, { ...MONITOR, subject: { kind: 'site', url: 'https://evil.example/' } }),
    );
    expect(other).toMatchObject({ monitor: null, monitor_problem: { code: 'idempotency_key_reused' } });
    const { id: account } = await accountOf(PAYER);
    const shard = env.MONITOR_SHARD.getByName(`monitors-${first.monitor?.id.slice(4, 5)}`);
    await shard.delete(account, first.monitor?.id ?? '');
    expect(await read(await order(credential))).toMatchObject({ monitor: null });
  });

  test('P1: a payload without a secret is not taken: anyone could rebuild it from the chain', async () => {
    const payload = decode(await sign()) as { accepted: { extra: Record<string, unknown> } };
    const { quote: _quote, ...extra } = payload.accepted.extra;
    const bare = await order(encode({ ...payload, accepted: { ...payload.accepted, extra } }));
    expect(await problemOf(bare)).toMatchObject({ status: 400, code: 'invalid_payload' });
    expect(seen.calls).toMatchObject({ verify: [], settle: [] });
    const transfer = await order(`0x${'ab'.repeat(32)}`);
    expect(await problemOf(transfer)).toMatchObject({ status: 400, code: 'invalid_payload' });
  });

  test('whose monitor cannot be made is not lost: the credits are there, and a repeat makes it', async () => {
    const create = vi.spyOn(MonitorShard.prototype, 'create').mockRejectedValue(new Error('the object is gone'));
    const credential = await sign();
    const bought = await read(await order(credential));
    expect(bought).toMatchObject({
      balance: '5.000000',
      monitor: null,
      monitor_problem: { code: 'monitors_unavailable' },
    });
    expect(bought.monitor_problem?.detail).toContain('The credits are in the account of the paying address');
    create.mockRestore();
    expect((await read(await order(credential))).monitor?.id).toMatch(/^mon_/);
  });

  test('of a run that costs more than the pack is refused before it is paid', async () => {
    const rivals = Array.from({ length: 5 }, (_, at) => `https://rival-${at}.example/`);
    const subject = { kind: 'site', url: 'https://shop.example/', competitors: rivals };
    expect((await order(undefined, { ...MONITOR, subject })).status).toBe(402);
    const panel = {
      kind: 'brand',
      capability: 'visibility_panel_4',
      body: { brand: 'Acme', niche: 'help desk software' },
    };
    expect(await (await order(undefined, { ...MONITOR, subject: panel })).json()).toMatchObject({
      code: 'invalid_body',
      errors: [{ pointer: '/subject' }],
    });
  });
});
