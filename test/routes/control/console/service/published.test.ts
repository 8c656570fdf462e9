import { expect, test } from 'vitest';
import type { ServiceFactsPort, TakeDownOrder } from '../../../../../src/console-api/service.ts';
import { saidAfter, serviceWorld } from './world.ts';

const REPORT = 'a'.repeat(32);
const scores = { aeo: '87 B', geo: '64 C', agent: '55 D' };
const facts: Partial<ServiceFactsPort> = {
  publishedSites: async ({ prefix }) => ({
    sites: [{ key: `${prefix}example.com`, scores, changedAtMs: Date.UTC(2026, 10, 1) }],
    next: 'the-cursor',
  }),
  publishedReports: async () => [
    { reportId: REPORT, atMs: Date.UTC(2026, 10, 2), capability: 'full_audit', rubric: '3.0.0', scores },
  ],
};
const bindings = { OPERATOR_TENANT: 'C000published', OPERATOR_PROJECT: 'published-1' };

test('sites with published reports are listed by host, and a host has its reports', async () => {
  const world = await serviceWorld({ facts });
  const page = await world.text('/console/published?host=www.');
  expect(page).toContain('www.example.com');
  expect(page).toContain('cursor=the-cursor');
  expect(page).toContain('does not apply');
  const site = await world.text('/console/published/site?host=example.com');
  expect(site).toContain(`/reports/${REPORT}`);
  expect(await world.text('/console/published.csv')).toContain('example.com,2026-11-01');
  expect(await world.text('/console/published/site.csv?host=example.com')).toContain(`${REPORT},87 B`);
  expect((await world.get('/console/published?host=%2Fetc')).status).toBe(400);
  expect((await world.get('/console/published/site')).status).toBe(400);
});

test('a report is taken down after a confirmation with a reason, by the session of who does it', async () => {
  const orders: (readonly [session: string, order: TakeDownOrder])[] = [];
  const takeDown = async (session: string, order: TakeDownOrder) => {
    orders.push([session, order]);
    return orders.length === 1 ? ({ ok: true } as const) : ({ ok: false, reason: 'not_listed' } as const);
  };
  const world = await serviceWorld({ facts, acts: { takeDown }, bindings });
  const path = `/console/published/take-down?host=example.com&report=${REPORT}`;
  expect(await world.text(path)).toContain('Its buyer cannot publish it again');
  expect(await saidAfter(world, await world.confirm(path, ''))).toContain('Say why');
  expect(orders).toEqual([]);
  expect(await saidAfter(world, await world.confirm(path, 'Its owner asked for it'))).toContain('Taken down');
  const [session] = world.access.sessions.keys();
  expect(orders).toEqual([[session, { host: 'example.com', reportId: REPORT, reason: 'Its owner asked for it' }]]);
  expect(await saidAfter(world, await world.confirm(path, 'again'))).toMatch(/Nothing was changed\. The host does not/);
});
