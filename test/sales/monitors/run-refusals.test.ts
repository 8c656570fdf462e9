import { describe, expect, test } from 'vitest';
import type { PanelEngine } from '../../../src/models/panel.ts';
import type { MonitorSubject } from '../../../src/monitors/core/monitor.ts';
import { judgeFreeMonitor } from '../../../src/sales/monitors/free-monitors.ts';
import type { MonitorRunPorts } from '../../../src/sales/monitors/ports.ts';
import { refuseRun } from '../../../src/sales/monitors/run-refusals.ts';
import { AUDIT_PRICE, monitorWorld } from './monitor-world.ts';

test('credits that another call holds are waited for; once they are spent the monitor pauses', async () => {
  const world = monitorWorld(undefined, { balance: AUDIT_PRICE });
  const refuse = () => refuseRun(world.orderOf(), world.ports, { kind: 'payer' });
  expect(await refuse()).toBeUndefined();
  const { book } = world.credits;
  const other = { id: 'other', clientId: 'client', fingerprint: 'f', capability: 'full_audit' };
  const price = { amountMicroUsdc: AUDIT_PRICE, capMicroUsdc: AUDIT_PRICE };
  expect(book.reserve({ ...other, ...price, authorizedAtMs: world.state.nowMs })).toMatchObject({ attempt: 1 });
  expect(await refuse()).toMatchObject({ is: 'again', reason: 'credits_under_way' });
  book.capture('other', 1, 'report-1');
  expect(await refuse()).toMatchObject({ is: 'failed', pause: 'insufficient_credits' });
});

test('what an owner lets other clients spend is no limit of what our own pages ordered', async () => {
  const world = monitorWorld();
  world.serve('https://acme.example', {
    '/': { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>A</h1>' },
  });
  world.state.spender = { kind: 'payer', capMicroUsdc: 1 };
  expect(await world.run()).toMatchObject({ state: 'stored' });
});

describe('a free monitor', () => {
  const operator = { kind: 'operator' } as const;
  const hosts = new Set(['acme.example', 'rival.example']);

  test('reads named hosts only, those of its competitors too', () => {
    const judge = (...competitors: string[]) =>
      judgeFreeMonitor({ subject: { kind: 'site', url: 'https://acme.example/', competitors } }, operator, { hosts });
    expect(judge()).toBeUndefined();
    expect(judge('https://rival.example/')).toBeUndefined();
    expect(judge('https://rival.example/', 'https://other.example/')).toBe('host_not_named');
  });

  test('of a brand spends the engines of its day once a run: a used budget fails it, one too small pauses it', async () => {
    const engine = { name: 'one', kind: 'simulated', model: 'm', usdPerRun: 0.4 } as unknown as PanelEngine;
    const body = { brand: 'Acme', niche: 'tea', site: 'https://acme.example/' };
    const subject: MonitorSubject = { kind: 'brand', capability: 'visibility_check', body };
    const { ports, orderOf } = monitorWorld(subject, { monitor: { payment: 'operator' }, balance: 0 });
    const spent: [string, number][] = [];
    const refuse = (engineMicroUsdPerDay: number, isLeft: boolean) => {
      const spendOnEngines: MonitorRunPorts['free']['spendOnEngines'] = async (...given) => {
        spent.push(given);
        return isLeft;
      };
      const sales = { ...ports.sales, engines: () => ({ ok: true, engines: [engine] }) as const };
      return refuseRun(orderOf(), { ...ports, sales, free: { hosts, engineMicroUsdPerDay, spendOnEngines } }, operator);
    };
    expect(await refuse(400_000, true)).toBeUndefined();
    expect(spent).toEqual([[orderOf().run.id, 400_000]]);
    const used = await refuse(400_000, false);
    expect(used).toMatchObject({ is: 'failed', reason: 'engine_budget' });
    expect(used).not.toHaveProperty('pause');
    expect(await refuse(399_999, true)).toMatchObject({ is: 'failed', pause: 'engine_budget' });
    expect(spent).toHaveLength(2);
  });
});
