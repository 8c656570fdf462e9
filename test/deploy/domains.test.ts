import { expect, test } from 'vitest';
import { parseDomains } from '../../src/deploy/domains.ts';
import { createMachine, deploy } from '../support/deploy/run-deploy.ts';
import { FakePlatform } from '../support/deploy/platform.ts';

const API = 'sightline-api-staging';
const domains = new Map([['api', 'audits.shop.example']] as const);

function createPlatform(): FakePlatform {
  const platform = new FakePlatform();
  platform.zones.push({ id: 'zone-1', name: 'shop.example', status: 'active' });
  return platform;
}

test('a domain is attached after the upload, and is the address from then on', async () => {
  const [platform, machine] = [createPlatform(), createMachine()];
  const end = await deploy(platform, machine, { domains });
  expect(end).toMatchObject({ ok: true, addresses: { api: 'https://audits.shop.example' } });
  expect(platform.domains).toEqual([{ hostname: 'audits.shop.example', service: API }]);
  expect(platform.workers.get(API)?.secretValues['BASE_URL']).toBe('https://audits.shop.example');
  platform.changes.length = 0;
  expect(await deploy(platform, machine, {})).toMatchObject({
    ok: true,
    isChanged: false,
    addresses: { api: 'https://audits.shop.example' },
  });
  expect(platform.changes).toEqual([]);
});

test('a domain that is given later changes the addresses of every Worker', async () => {
  const [platform, machine] = [createPlatform(), createMachine()];
  await deploy(platform, machine);
  await deploy(platform, machine, { domains });
  for (const name of [API, 'sightline-webhook-staging', 'sightline-control-staging'])
    expect(platform.workers.get(name)?.secretValues['BASE_URL']).toBe('https://audits.shop.example');
  expect(platform.workers.get(API)?.secretValues['LEDGER_SECRET']).toBe(machine.file.get('LEDGER_SECRET'));
});

test.each<[string, (platform: FakePlatform) => void, string]>([
  ['of another zone', (one) => void one.zones.splice(0), 'domain_foreign'],
  [
    'of a zone that is not active',
    (one) => one.zones.splice(0, 1, { id: 'zone-1', name: 'shop.example', status: 'pending' }),
    'zone_inactive',
  ],
  [
    'of another Worker',
    (one) => one.domains.push({ hostname: 'audits.shop.example', service: 'blog' }),
    'domain_taken',
  ],
  [
    'with DNS records',
    (one) => one.records.push({ zone: 'zone-1', type: 'CNAME', name: 'audits.shop.example' }),
    'domain_taken',
  ],
])('a domain %s is refused before anything is uploaded', async (_what, arrange, reason) => {
  const platform = createPlatform();
  arrange(platform);
  const machine = createMachine();
  expect(await deploy(platform, machine, { domains })).toMatchObject({ ok: false, reason });
  expect([platform.changes, machine.file.size]).toEqual([[], 0]);
});

test('where DNS records may not be read, attaching refuses, and overwrites nothing', async () => {
  const platform = createPlatform();
  platform.records.push({ zone: 'zone-1', type: 'A', name: 'audits.shop.example' });
  platform.fault = (call) => (call.includes('/dns_records') ? { status: 403, code: 10_000 } : undefined);
  expect(await deploy(platform, createMachine(), { domains })).toMatchObject({ ok: false, reason: 'domain_taken' });
  expect(platform.domains).toEqual([]);
});

test('a deployment that runs keeps its address where a domain cannot be attached, and no DNS may be read', async () => {
  const [platform, machine] = [createPlatform(), createMachine()];
  await deploy(platform, machine);
  platform.records.push({ zone: 'zone-1', type: 'A', name: 'audits.shop.example' });
  platform.fault = (call) => (call.includes('/dns_records') ? { status: 403, code: 10_000 } : undefined);
  platform.changes.length = 0;
  machine.sources = 'b';
  expect(await deploy(platform, machine, { domains })).toMatchObject({ ok: false, reason: 'domain_taken' });
  expect(platform.changes.filter((call) => call.startsWith('wrangler'))).toEqual([]);
  expect(platform.workers.get(API)?.secretValues['BASE_URL']).toBe('https://sightline-api-staging.first.workers.dev');
  const notes = machine.events.filter(({ title, kind }) => title === 'Domains' && kind === 'found');
  expect(notes.map(({ text }) => text)).toEqual([
    'DNS records of audits.shop.example cannot be read by this login; the platform attaches it only where there are none',
  ]);
});

test('a Worker that is there is attached first, and a new one when it is there', async () => {
  const [platform, machine] = [createPlatform(), createMachine()];
  await deploy(platform, machine, { workers: ['api'] });
  platform.changes.length = 0;
  const both = new Map([...domains, ['webhook', 'hooks.shop.example']] as const);
  expect(await deploy(platform, machine, { domains: both })).toMatchObject({ ok: true });
  const attached = platform.changes.flatMap((call, at) => (call.includes('/workers/domains') ? [at] : []));
  expect(attached).toEqual([0, platform.changes.length - 1]);
  expect(platform.domains.map(({ service }) => service)).toEqual([API, 'sightline-webhook-staging']);
});

test.each([
  'api',
  'api=',
  'api=x',
  'pdf=a.example',
  'shop=a.example',
  'api=a.example=b',
  'api=https://a.example',
  'api=a..example',
])('--domain %s is refused', (word) => {
  expect(parseDomains([word])).toMatchObject({ ok: false, reason: 'usage' });
});

test('one domain a Worker, and one Worker a domain', () => {
  expect(parseDomains(['api=A.example', 'control=b.example'])).toEqual({
    ok: true,
    domains: new Map([
      ['api', 'a.example'],
      ['control', 'b.example'],
    ]),
  });
  expect(parseDomains(['api=a.example', 'api=b.example'])).toMatchObject({ ok: false });
  expect(parseDomains(['api=a.example', 'control=a.example'])).toMatchObject({ ok: false });
});
