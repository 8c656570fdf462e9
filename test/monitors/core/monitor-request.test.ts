import { describe, expect, test } from 'vitest';
import { readMonitorPatch, readNewMonitor } from '../../../src/monitors/core/monitor-request.ts';
import { exampleMonitorBody } from '../../../src/monitors/core/monitor-body.ts';
import { allowLoopbackExcept, allowPublicOnly } from '../../../src/net/address-policy.ts';

const NOW_MS = Date.parse('2026-11-28T15:00:00Z');
const ports = { policy: allowPublicOnly({ alternatePorts: true }), hasMail: true, nowMs: NOW_MS };
const SITE = { kind: 'site', url: 'https://shop.example/' };
const BRAND = {
  kind: 'brand',
  capability: 'visibility_check',
  body: { brand: 'Example Desk', niche: 'help desk software' },
};
const WEEKLY = { every: 'weekly' };

const read = (body: object, more: Partial<typeof ports> = {}) => readNewMonitor(body, { ...ports, ...more });
const withInterval = (interval: object, subject: object = SITE) => ({ subject, interval });
const withReceiver = (...receivers: object[]) => ({ subject: SITE, interval: WEEKLY, receivers });

describe('a new monitor', () => {
  test('has a name, and the forms that are stored', async () => {
    expect(await read(exampleMonitorBody)).toEqual({
      ok: true,
      value: {
        name: 'example.com',
        subject: { kind: 'site', url: 'https://example.com/' },
        interval: exampleMonitorBody.interval,
        rules: {},
        receivers: exampleMonitorBody.receivers,
        quietHours: null,
        payment: 'credits',
      },
    });
    expect(await read({ subject: BRAND, interval: { every: 'daily' } })).toMatchObject({
      ok: true,
      value: { name: 'Example Desk', subject: BRAND },
    });
  });

  test('watches one site whichever way its address is spelt', async () => {
    const bare = await read({ subject: { kind: 'site', url: 'SHOP.example.:443/#top' }, interval: WEEKLY });
    expect(bare).toMatchObject({ value: { subject: SITE } });
  });

  test.each<[string, object, string]>([
    ['nothing', {}, '/subject'],
    ['another kind of subject', { subject: { kind: 'app' }, interval: WEEKLY }, '/subject/kind'],
    [
      'a site in a private network',
      { subject: { kind: 'site', url: 'http://10.0.0.7/' }, interval: WEEKLY },
      '/subject/url',
    ],
    [
      'a site with a password',
      { subject: { kind: 'site', url: 'https://a:b@shop.example/' }, interval: WEEKLY },
      '/subject/url',
    ],
    [
      'itself as competitor',
      { subject: { ...SITE, competitors: ['shop.example'] }, interval: WEEKLY },
      '/subject/competitors/0',
    ],
    [
      'a competitor twice',
      { subject: { ...SITE, competitors: ['a.example', 'https://a.example/#x'] }, interval: WEEKLY },
      '/subject/competitors/1',
    ],
    [
      'six competitors',
      {
        subject: { ...SITE, competitors: ['a', 'b', 'c', 'd', 'e', 'f'].map((one) => `${one}.example`) },
        interval: WEEKLY,
      },
      '/subject/competitors',
    ],
    [
      'a capability that measures nothing',
      { subject: { ...BRAND, capability: 'fix_pack' }, interval: WEEKLY },
      '/subject/capability',
    ],
    [
      'a niche that names the brand',
      { subject: { ...BRAND, body: { brand: 'Example Desk', niche: 'Example Desk alternatives' } }, interval: WEEKLY },
      '/subject/body/niche',
    ],
    [
      'a panel with a site inside',
      {
        subject: {
          kind: 'brand',
          capability: 'visibility_panel_2',
          body: { ...BRAND.body, site: 'http://127.0.0.1/' },
        },
        interval: WEEKLY,
      },
      '/subject/body/site',
    ],
    ['an unknown member', { subject: SITE, interval: WEEKLY, colour: 'red' }, ''],
    ['a name of two lines', { subject: SITE, interval: WEEKLY, name: 'a\nb' }, '/name'],
    ['no interval', withInterval({}), '/interval'],
    ['two intervals', withInterval({ every: 'daily', cron: '0 6 * * *' }), '/interval/cron'],
    ['an interval of ours that is none', withInterval({ every: 'hourly' }), '/interval/every'],
    ['a weekday of a month', withInterval({ every: 'monthly', weekday: 1 }), '/interval/weekday'],
    ['a day of a week', withInterval({ every: 'weekly', day: 1 }), '/interval/day'],
    ['25 o’clock', withInterval({ every: 'daily', at: '25:00' }), '/interval/at'],
    ['cron fields that never come', withInterval({ cron: '0 6 30 2 *' }), '/interval/cron'],
    ['cron fields that come each minute', withInterval({ cron: '* * * * *' }), '/interval/cron'],
    ['cron fields that come hourly, for a brand', withInterval({ cron: '0 * * * *' }, BRAND), '/interval/cron'],
    ['six cron fields', withInterval({ cron: '0 0 6 * * *' }), '/interval/cron'],
    ['cron fields that are words', withInterval({ cron: 'every day at six o clock' }), '/interval/cron'],
    [
      'a time zone that does not exist',
      withInterval({ every: 'daily', time_zone: 'Mars/Olympus' }),
      '/interval/time_zone',
    ],
    ['an offset for a time zone', withInterval({ every: 'daily', time_zone: '+02:00' }), '/interval/time_zone'],
    [
      'quiet hours in no zone',
      { subject: SITE, interval: WEEKLY, quiet_hours: { from: '22:00', to: '07:00', time_zone: 'x' } },
      '/quiet_hours/time_zone',
    ],
    [
      'a receiver in a private network',
      withReceiver({ kind: 'webhook', url: 'https://192.168.1.1/hook' }),
      '/receivers/0/url',
    ],
    [
      'a receiver on this machine',
      withReceiver({ kind: 'webhook', url: 'https://localhost/hook' }),
      '/receivers/0/url',
    ],
    [
      'a receiver at the metadata of a cloud',
      withReceiver({ kind: 'slack', url: 'https://169.254.169.254/' }),
      '/receivers/0/url',
    ],
    [
      'a receiver whose name leads inside',
      withReceiver({ kind: 'teams', url: 'https://10.0.0.1.nip.io/' }),
      '/receivers/0/url',
    ],
    [
      'a receiver on another port',
      withReceiver({ kind: 'webhook', url: 'https://hooks.example:25/' }),
      '/receivers/0/url',
    ],
    ['a receiver without TLS', withReceiver({ kind: 'webhook', url: 'http://hooks.example/' }), '/receivers/0/url'],
    [
      'a receiver with a password',
      withReceiver({ kind: 'webhook', url: 'https://a:b@hooks.example/' }),
      '/receivers/0/url',
    ],
    ['a receiver by FTP', withReceiver({ kind: 'webhook', url: 'ftp://hooks.example/' }), '/receivers/0/url'],
    ['a receiver of another kind', withReceiver({ kind: 'sms', number: '1' }), '/receivers/0/kind'],
    [
      'two addresses in one',
      withReceiver({ kind: 'email', address: 'a@example.com,b@example.com' }),
      '/receivers/0/address',
    ],
    [
      'an address with a line break',
      withReceiver({ kind: 'email', address: 'a@example.com\nBcc: b@example.com' }),
      '/receivers/0/address',
    ],
    ['the same receiver twice', withReceiver({ kind: 'feed' }, { kind: 'feed' }), '/receivers/1'],
    [
      'six receivers',
      withReceiver(...Array.from({ length: 6 }, (_, at) => ({ kind: 'webhook', url: `https://h${at}.example/` }))),
      '/receivers',
    ],
  ])('with %s is refused by its member', async (_what, body, pointer) => {
    const answer = await read(body);
    expect(answer.ok ? [] : answer.errors.map((error) => error.pointer)).toContain(pointer);
  });

  test('gets no mail where the deployment sends none', async () => {
    const body = withReceiver({ kind: 'email', address: 'ada@example.com' });
    expect((await read(body)).ok).toBe(true);
    expect(await read(body, { hasMail: false })).toMatchObject({ errors: [{ pointer: '/receivers/0/kind' }] });
  });

  test('may write to loopback without TLS where the policy opens it', async () => {
    const body = withReceiver({ kind: 'webhook', url: 'http://127.0.0.1:9000/hook' });
    expect((await read(body)).ok).toBe(false);
    expect((await read(body, { policy: allowLoopbackExcept([8787]) })).ok).toBe(true);
  });

  test('comes hourly where it watches a site on credits, and daily where it is free', async () => {
    const hourly = { subject: SITE, interval: { cron: '15 * * * *' } };
    expect((await read(hourly)).ok).toBe(true);
    expect(await read({ ...hourly, payment: 'operator' })).toMatchObject({ errors: [{ pointer: '/interval/cron' }] });
  });

  test('no message quotes what was sent', async () => {
    const secret = 'sk-very-secret';
    for (const body of [
      { [secret]: 1 },
      withReceiver({ kind: 'webhook', [secret]: secret }),
      { subject: { kind: secret } },
    ])
      expect(JSON.stringify(await read(body))).not.toContain(secret);
  });
});

describe('a change', () => {
  const current = { subject: { kind: 'site', url: 'https://shop.example/' }, payment: 'credits' } as const;
  const patch = (body: object) => readMonitorPatch(body, current, ports);

  test('has the members that are given, and no other', async () => {
    expect(await patch({ state: 'paused', quiet_hours: null })).toEqual({
      ok: true,
      value: { state: 'paused', quietHours: null },
    });
    const receivers = [{ id: 'rcv_0123456789abcdef' }, { kind: 'webhook', url: 'https://hooks.example/#x' }];
    expect(await patch({ receivers })).toEqual({
      ok: true,
      value: { receivers: [receivers[0], { kind: 'webhook', url: 'https://hooks.example/' }] },
    });
  });

  test.each<[string, object, string]>([
    ['nothing', {}, ''],
    ['an id that is none', { receivers: [{ id: 'rcv_1' }] }, '/receivers/0/id'],
    ['a receiver without its address', { receivers: [{ kind: 'webhook' }] }, '/receivers/0/url'],
    [
      'a receiver by id and as a new one',
      { receivers: [{ id: 'rcv_0123456789abcdef', kind: 'feed' }] },
      '/receivers/0',
    ],
    ['cron fields that come too often', { interval: { cron: '*/5 * * * *' } }, '/interval/cron'],
    ['another payment', { payment: 'operator' }, ''],
  ])('of %s is refused by its member', async (_what, body, pointer) => {
    const answer = await patch(body);
    expect(answer.ok ? [] : answer.errors.map((error) => error.pointer)).toContain(pointer);
  });
});
