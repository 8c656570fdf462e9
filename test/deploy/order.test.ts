import { expect, test } from 'vitest';
import type { WorkerPlan } from '../../src/deploy/configuration.ts';
import { sortWorkers, renderStub } from '../../src/deploy/order.ts';

const plan = (name: string, services: readonly string[] = []): WorkerPlan => ({
  worker: 'api',
  file: 'wrangler.toml',
  name,
  compatibilityDate: '2026-10-20',
  isOnWorkersDev: true,
  domains: [],
  classes: [],
  migrationTag: undefined,
  producers: [],
  consumers: [],
  buckets: [],
  crons: [],
  services: services.map((service) => ({ service, entrypoint: `${service}Entry` })),
});
const order = (plans: readonly WorkerPlan[], existing: readonly string[] = []) => {
  const { order: found, stubs } = sortWorkers(plans, new Set(existing));
  return [found.map(({ name }) => name), stubs.map(({ name, entrypoints }) => [name, ...entrypoints])];
};

test('a Worker comes after those that it names', () => {
  expect(order([plan('c', ['a', 'b']), plan('b', ['a']), plan('a')])).toEqual([['a', 'b', 'c'], []]);
});

test('a circle is broken by one stub, with the entrypoints that are named', () => {
  expect(order([plan('a', ['c']), plan('b', ['a']), plan('c', ['a', 'b'])])).toEqual([
    ['a', 'b', 'c'],
    [['c', 'cEntry']],
  ]);
});

test('what exists needs no stub, and what is not deployed gets one', () => {
  expect(order([plan('a', ['c']), plan('c', ['a'])], ['a', 'c'])).toEqual([['a', 'c'], []]);
  expect(order([plan('a', ['x'])])).toEqual([['a'], [['x', 'xEntry']]]);
});

test('a Worker may name itself', () => {
  expect(order([plan('a', ['a'])])).toEqual([['a'], []]);
});

test('a stub exports its entrypoints and answers 503', () => {
  const code = renderStub({ name: 'x', entrypoints: ['One', 'Two'], compatibilityDate: '2026-10-20' });
  expect(code).toContain('export class One extends WorkerEntrypoint {}\nexport class Two extends WorkerEntrypoint {}');
  expect(code).toContain('status: 503');
});
