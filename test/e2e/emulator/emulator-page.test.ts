import { afterAll, beforeAll, expect, test } from 'vitest';
import { killEmulators, startEmulator, type StartedEmulator, userBody, USERS } from '../../support/stack/emulator.ts';

let emulator: StartedEmulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(killEmulators);

const HOSTILE = '<script>alert(1)</script>"\'&';

test('the page shows users, groups, devices, log entries, instances and received calls, with counts', async () => {
  await emulator.call(USERS, { body: userBody('ada') });
  await emulator.call('/admin/directory/v1/groups', { body: { email: 'crew@example.com', name: HOSTILE } });
  const device = { calls: [{ method: 'emulator.chromeosdevices.enroll', body: { serialNumber: 'SN-42' } }] };
  await emulator.call('/v1/tenants/C00000001:seed', { body: device });
  const entry = { logName: 'projects/local/logs/app', resource: { type: 'global' }, textPayload: HOSTILE };
  await emulator.call('/v2/entries:write', { body: { entries: [entry] } });
  await emulator.call('/client/v4/accounts/00000000000000000000000000000001/ai-search/instances', {
    body: { id: 'docs' },
  });
  await emulator.call('/v1/faults', { body: { method: '*', status: 503 } });
  const before = (await emulator.call('/v1/calls')).body.calls.length;
  for (const path of ['/', '/emulator', '/emulator?tenant=C00000001']) {
    const page = await (await fetch(`${emulator.control}${path}`)).text();
    for (const [title, count, shown] of [
      ['Users', 1, 'ada@example.com'],
      ['Groups', 1, 'crew@example.com'],
      ['ChromeOS devices', 1, 'SN-42'],
      ['Mobile devices', 0, 'None.'],
      ['Log entries', 1, 'projects/local/logs/app'],
      ['AI Search instances', 1, 'docs'],
      ['Received calls', before, 'directory.users.insert'],
    ] as const) {
      const section = page.split('<section>').find((one) => one.includes(`<h2>${title} <small>${count}</small></h2>`));
      expect(section).toContain(shown);
    }
    expect(page).not.toContain('<script');
    expect(page).toContain('&lt;script&gt;alert(1)');
  }
  expect((await emulator.call('/v1/calls')).body.calls).toHaveLength(before);
});

test('the page loads nothing from elsewhere, runs no script and is kept by no cache', async () => {
  const answer = await fetch(`${emulator.control}/`);
  expect(answer.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'self'; img-src 'self'; form-action/,
  );
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const addresses = [...(await answer.text()).matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, address]) => address);
  expect(addresses.every((address) => address?.startsWith('/emulator'))).toBe(true);
  expect((await fetch(`${emulator.control}/emulator/style.css`)).headers.get('content-type')).toContain('text/css');
  expect((await fetch(`${emulator.control}/`, { method: 'POST' })).status).toBe(405);
});

test('a tenant that is none shows the own one', async () => {
  const page = await (await fetch(`${emulator.control}/emulator?tenant=${encodeURIComponent(HOSTILE)}`)).text();
  expect(page).toContain('emulator: C00000001</title>');
});

test('log entries and instances of the last of many containers are shown and counted', async () => {
  const headers = { 'x-emulator-tenant': 'C00000003' };
  const names = Array.from({ length: 120 }, (_, n) => `projects/p${n + 1_000}`);
  // Entries that are too old for their bucket make a container known, and are not listed.
  const toEntry = (name: string | undefined, more: object) => ({
    logName: `${name}/logs/app`,
    resource: { type: 'global' },
    textPayload: 'far away',
    ...more,
  });
  const old = names.map((name) => toEntry(name, { timestamp: '2020-01-01T00:00:00Z' }));
  for (const entries of [old.slice(0, 60), old.slice(60), [toEntry(names[0], {}), toEntry(names[119], {})]])
    expect((await emulator.call('/v2/entries:write', { body: { entries }, headers })).status).toBe(200);
  for (let n = 0; n < 60; n += 1) {
    const instances = `/client/v4/accounts/${`${n + 10}`.padStart(32, 'a')}/ai-search/instances`;
    expect((await emulator.call(instances, { headers })).status).toBe(200);
    if (n >= 58) expect((await emulator.call(instances, { body: { id: 'docs' }, headers })).status).toBe(200);
  }
  const page = await (await fetch(`${emulator.control}/emulator?tenant=C00000003`)).text();
  expect(page).toContain('<h2>Log entries <small>2</small></h2>');
  expect(page).toContain(`${names[119]}/logs/app`);
  expect(page).toContain('<h2>AI Search instances <small>2</small></h2>');
});
