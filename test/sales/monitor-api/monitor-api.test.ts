import { beforeEach, describe, expect, test } from 'vitest';
import { computeSha256Hex } from '../../../src/lib/digest.ts';
import { MAX_MONITORS_OF_HOST } from '../../../src/monitors/core/monitor.ts';
import {
  deleteMonitor,
  issueMonitorToken,
  renewReceiverSecret,
  runMonitor,
  sendTestMessage,
} from '../../../src/sales/monitor-api/act-on-monitor.ts';
import { changeMonitor, switchMonitor } from '../../../src/sales/monitor-api/change-monitor.ts';
import { createMonitor } from '../../../src/sales/monitor-api/create-monitor.ts';
import type { MonitorApiPorts, MonitorCaller } from '../../../src/sales/monitor-api/ports.ts';
import {
  listMonitorRuns,
  listMonitors,
  readMonitor,
  readMonitorRun,
} from '../../../src/sales/monitor-api/read-monitor.ts';
import { ACCOUNT, accountCaller, openMonitorApi, readCode } from './world.ts';

const body = (host = 'shop.example', more: object = {}) => ({
  subject: { kind: 'site', url: `https://${host}/` },
  interval: { every: 'weekly' },
  receivers: [{ kind: 'webhook', url: 'https://hooks.example/in' }],
  ...more,
});
const OWNER = accountCaller();
const STRANGER = accountCaller({ owner: { account: 'b'.repeat(32), clientId: 'client', authorizedAtMs: 1 } });

let world: ReturnType<typeof openMonitorApi>;
let ports: MonitorApiPorts;
beforeEach(() => {
  world = openMonitorApi();
  ({ ports } = world);
});

let keys = 0;
const create = (given: object = body(), caller: MonitorCaller = OWNER, key = `key-${(keys += 1)}`) =>
  createMonitor(ports, caller, { body: given, idempotencyKey: key });

async function made(given: object = body()) {
  const answer = await create(given);
  if (!answer.ok) throw new Error(answer.problem.code);
  return answer.value.overview.monitor;
}

describe('creating', () => {
  test('makes one monitor for one key, and says when it is a repeat', async () => {
    const first = await create(body(), OWNER, 'once');
    const again = await create(body(), OWNER, 'once');
    expect(first).toMatchObject({
      value: { isRepeat: false, overview: { monitor: { state: 'active', revision: 1 } } },
    });
    expect(again).toMatchObject({ value: { isRepeat: true } });
    expect(readCode(await create(body('other.example'), OWNER, 'once'))).toBe('idempotency_key_reused');
    expect(await listMonitors(ports, OWNER, {})).toMatchObject({ value: { items: [{}], nextCursor: undefined } });
  });

  test.each<[string, Parameters<typeof createMonitor>[1], object, string | undefined, string]>([
    ['no key', OWNER, body(), undefined, 'idempotency_key_required'],
    ['a key that is none', OWNER, body(), 'ü', 'idempotency_key_invalid'],
    ['a token that may not spend', accountCaller({ canSpend: false }), body(), 'k', 'insufficient_scope'],
    [
      'the token of a monitor',
      { kind: 'monitor_token', owner: OWNER.owner, monitorId: 'mon_x' },
      body(),
      'k',
      'insufficient_scope',
    ],
    [
      'a measurement without engines',
      OWNER,
      body('x', {
        subject: { kind: 'brand', capability: 'visibility_check', body: { brand: 'Desk', niche: 'software' } },
      }),
      'k',
      'engine_not_configured',
    ],
    ['free runs for a payer', OWNER, body('free.example', { payment: 'operator' }), 'k', 'invalid_body'],
    [
      'free runs of another host',
      accountCaller({ isOperator: true }),
      body('shop.example', { payment: 'operator' }),
      'k',
      'invalid_body',
    ],
  ])('with %s is refused', async (_what, caller, given, idempotencyKey, code) => {
    expect(readCode(await createMonitor(ports, caller, { body: given, idempotencyKey }))).toBe(code);
  });

  test('free runs are for operators, on hosts that the deployment names', async () => {
    const operator = accountCaller({ isOperator: true });
    expect(await create(body('free.example', { payment: 'operator' }), operator)).toMatchObject({ ok: true });
  });

  test('ends at the monitors of one host', async () => {
    for (let count = 0; count < MAX_MONITORS_OF_HOST; count += 1) expect(readCode(await create())).toBe('ok');
    expect(readCode(await create())).toBe('limit_reached');
  });

  test('says nothing is certain where a shard does not answer', async () => {
    const broken = { ...ports, shards: { ...ports.shards, ofAccount: async () => Promise.reject(new Error('down')) } };
    const answer = await createMonitor(broken, OWNER, { body: body(), idempotencyKey: 'k' });
    expect(readCode(answer)).toBe('monitors_unavailable');
  });
});

describe('changing', () => {
  test('is for a revision that the caller knows', async () => {
    const { id } = await made();
    const change = (revisions: readonly number[] | undefined, given: object = { name: 'New' }) =>
      changeMonitor(ports, OWNER, id, { body: given, revisions });
    expect(readCode(await change([7]))).toBe('precondition_failed');
    expect(await change([1, 9])).toMatchObject({ value: { overview: { monitor: { name: 'New', revision: 2 } } } });
    expect(readCode(await change([1]))).toBe('precondition_failed');
    expect(readCode(await change(undefined, { name: 'Newer' }))).toBe('ok');
  });

  test('names the receivers that it adds', async () => {
    const { id, receivers } = await made();
    const [kept] = receivers;
    const given = { receivers: [{ id: kept?.id }, { kind: 'feed' }] };
    const answer = await changeMonitor(ports, OWNER, id, { body: given, revisions: [1] });
    if (!answer.ok) throw new Error(answer.problem.code);
    const { added, overview } = answer.value;
    expect(overview.monitor.receivers.map(({ kind }) => kind)).toEqual(['webhook', 'feed']);
    expect(added).toEqual([overview.monitor.receivers[1]?.id]);
  });

  test.each<[string, object, string]>([
    ['another site', { subject: { kind: 'site', url: 'https://other.example/' } }, 'invalid_body'],
    ['a receiver of another monitor', { receivers: [{ id: 'rcv_ffffffffffffffff' }] }, 'invalid_body'],
    ['options of the same site', { subject: { kind: 'site', url: 'https://shop.example/', max_pages: 3 } }, 'ok'],
  ])('to %s: %#', async (_what, given, code) => {
    const { id } = await made();
    expect(readCode(await changeMonitor(ports, OWNER, id, { body: given, revisions: undefined }))).toBe(code);
  });

  test('without the scope to spend a token pauses, and does nothing that costs', async () => {
    const { id } = await made();
    const reader = accountCaller({ canSpend: false });
    const change = (given: object) => changeMonitor(ports, reader, id, { body: given, revisions: undefined });
    expect(readCode(await change({ state: 'paused' }))).toBe('ok');
    expect(readCode(await change({ state: 'active' }))).toBe('insufficient_scope');
    expect(readCode(await change({ interval: { every: 'daily' } }))).toBe('insufficient_scope');
    expect(readCode(await switchMonitor(ports, reader, id, 'active'))).toBe('insufficient_scope');
    expect(readCode(await runMonitor(ports, reader, id))).toBe('insufficient_scope');
  });
});

describe('another account', () => {
  test('finds nothing, whatever it asks', async () => {
    const { id, receivers } = await made();
    const receiverId = receivers[0]?.id ?? '';
    const answers = [
      await readMonitor(ports, STRANGER, id),
      await changeMonitor(ports, STRANGER, id, { body: { name: 'Mine' }, revisions: undefined }),
      await switchMonitor(ports, STRANGER, id, 'paused'),
      await runMonitor(ports, STRANGER, id),
      await listMonitorRuns(ports, STRANGER, id, {}),
      await issueMonitorToken(ports, STRANGER, id),
      await deleteMonitor(ports, STRANGER, id),
    ];
    expect(answers.map(readCode)).toEqual(answers.map(() => 'monitor_not_found'));
    expect(readCode(await renewReceiverSecret(ports, STRANGER, id, receiverId))).toBe('not_found');
    expect(readCode(await sendTestMessage(ports, STRANGER, id, receiverId))).toBe('not_found');
    expect(readCode(await readMonitor(ports, OWNER, id))).toBe('ok');
    expect(readCode(await readMonitor(ports, OWNER, 'mon_not'))).toBe('monitor_not_found');
  });
});

describe('the token of a monitor', () => {
  test('opens its monitor and no other, and nothing of its account', async () => {
    const [mine, other] = [await made(), await made(body('other.example'))];
    const caller: MonitorCaller = { kind: 'monitor_token', owner: OWNER.owner, monitorId: mine.id };
    expect(readCode(await readMonitor(ports, caller, mine.id))).toBe('ok');
    expect(readCode(await readMonitor(ports, caller, other.id))).toBe('monitor_not_found');
    expect(readCode(await switchMonitor(ports, caller, mine.id, 'paused'))).toBe('ok');
    expect(readCode(await switchMonitor(ports, caller, mine.id, 'active'))).toBe('ok');
    const refused = [
      await listMonitors(ports, caller, {}),
      await changeMonitor(ports, caller, mine.id, { body: { name: 'x' }, revisions: undefined }),
      await renewReceiverSecret(ports, caller, mine.id, mine.receivers[0]?.id ?? ''),
      await sendTestMessage(ports, caller, mine.id, mine.receivers[0]?.id ?? ''),
      await issueMonitorToken(ports, caller, mine.id),
    ];
    expect(refused.map(readCode)).toEqual(refused.map(() => 'insufficient_scope'));
    expect(readCode(await deleteMonitor(ports, caller, mine.id))).toBe('ok');
  });

  test('is kept as a hash, and a new one ends the one before', async () => {
    const { id } = await made();
    const issue = async () => {
      const answer = await issueMonitorToken(ports, OWNER, id);
      return answer.ok ? answer.value.token : '';
    };
    const [first, second] = [await issue(), await issue()];
    const find = async (token: string) => ports.shards.ofMonitor(id)?.findByToken(id, await computeSha256Hex(token));
    expect(first).toMatch(/^smt_[A-Za-z0-9_-]{43}$/);
    expect(await find(first)).toBeUndefined();
    expect(await find(second)).toMatchObject({ account: ACCOUNT });
  });
});

describe('lists', () => {
  test('come in pages, whose cursors are good for one list', async () => {
    for (const host of ['a.example', 'b.example', 'c.example']) await made(body(host));
    const first = await listMonitors(ports, OWNER, { limit: 2 });
    if (!first.ok) throw new Error('refused');
    const { nextCursor: cursor } = first.value;
    const second = await listMonitors(ports, OWNER, { limit: 2, cursor });
    const names = [first, second]
      .flatMap((page) => (page.ok ? page.value.items : []))
      .map(({ monitor }) => monitor.name);
    expect(names).toEqual(['c.example', 'b.example', 'a.example']);
    expect(second).toMatchObject({ value: { nextCursor: undefined } });
    const { id } = await made(body('d.example'));
    expect(readCode(await listMonitorRuns(ports, OWNER, id, { cursor }))).toBe('invalid_cursor');
    expect(readCode(await listMonitors(ports, OWNER, { cursor: 'x' }))).toBe('invalid_cursor');
  });

  test('a run that is under way is not begun twice', async () => {
    const { id } = await made();
    expect(readCode(await runMonitor(ports, OWNER, id))).toBe('monitor_run_under_way');
    const runs = await listMonitorRuns(ports, OWNER, id, {});
    if (!runs.ok) throw new Error('refused');
    const [run] = runs.value.items;
    expect(run).toMatchObject({ cause: 'first', state: 'reserved' });
    expect(readCode(await readMonitorRun(ports, OWNER, id, run?.id ?? ''))).toBe('ok');
    expect(readCode(await readMonitorRun(ports, OWNER, id, 'run_other'))).toBe('not_found');
  });
});
