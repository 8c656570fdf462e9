import { beforeEach, describe, expect, test } from 'vitest';
import type { ConsoleDeskPort } from '../../../../src/console-api/channel-orders.ts';
import type { ChannelView } from '../../../../src/notifications/channels/channel.ts';
import { deskWith } from '../../../support/workers/test-console-desk.ts';
import { AUDIT_LOG_ID } from '../../../../routes/control/console/act.ts';
import { tokenFor } from '../../../support/workers/control-tokens.ts';
import { consoleWorld, signalIn, TENANT } from './world.ts';
import { call, json } from '../world.ts';

/** Of each test by itself: an isolate remembers projects, whose registry is emptied between tests. */
let project = '';
let tests = 0;
beforeEach(() => {
  tests += 1;
  project = `channels-${tests}`;
});

const MINUTE_MS = 60_000;
const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * MINUTE_MS).toISOString();

const channelOf = (changes: Partial<ChannelView> = {}): ChannelView => ({
  id: 'channel-1',
  watch: 'watch-1',
  customer: 'C1',
  domain: null,
  event: null,
  state: 'active',
  address: 'https://webhook.test/notifications/watch-1',
  resource_id: 'resource-1',
  asked_at: inMinutes(-180),
  granted_at: inMinutes(-180),
  synced_at: inMinutes(-180),
  expires_at: inMinutes(180.5),
  renew_at: inMinutes(120.5),
  ended_at: null,
  tries: 0,
  next_try_at: null,
  last_error: null,
  ...changes,
});

const counts = { pending: 0, active: 3, renewing: 1, superseded: 0, stopping: 0, stopped: 2, expired: 0, failed: 1 };
const survey = async () => ({
  counts,
  most_counted: 10_000,
  next: { watch: 'watch-1', customer: 'C1', due_at: inMinutes(120.5) },
});

async function signedIn(desk: Partial<ConsoleDeskPort> | undefined) {
  const CONSOLE_DESK = desk === undefined ? undefined : deskWith(desk);
  const world = consoleWorld({ bindings: { CONSOLE_DESK, OPERATOR_PROJECT: project } });
  await world.signIn();
  return world;
}

const words = (page: string): string => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe('/console/channels', () => {
  test('shows each channel with its time left, the next renewal and the last failure', async () => {
    const channels: ConsoleDeskPort['channels'] = async () => ({
      items: [
        channelOf(),
        channelOf({
          id: 'channel-2',
          state: 'failed',
          granted_at: null,
          expires_at: null,
          tries: 2,
          last_error: 'HTTP 503',
        }),
      ],
      next: '41',
    });
    const world = await signedIn({ survey, channels });
    const page = await (await world.get('/console/channels')).text();
    expect(page).toMatch(/<rect class="value"[^>]* width="50[01]"/); // Three of six hours, and half a minute.
    const text = words(page);
    for (const told of ['in 3 h', 'in 2 h', 'HTTP 503', '2 failed in a row', 'not granted', 'Stopped: 2'])
      expect(text).toContain(told);
    expect(page).toContain('href="/console/channels?cursor=41"');
  });

  test('asks for a page of a filter; what is no filter is told as such', async () => {
    const asked: unknown[] = [];
    const channels: ConsoleDeskPort['channels'] = async (order) => {
      asked.push(order);
      return { items: [], next: undefined };
    };
    const world = await signedIn({ survey, channels });
    const status = async (query: string) => (await world.get(`/console/channels?${query}`)).status;
    expect(await status('state=failed&customer=C1&cursor=41')).toBe(200);
    expect(await status('state=&customer=')).toBe(200);
    expect(asked).toEqual([{ state: 'failed', customer: 'C1', cursor: '41', limit: 50 }, { limit: 50 }]);
    for (const query of ['state=gone', 'state=constructor', 'customer=%3Cb%3E', 'cursor=0', 'cursor=x'])
      expect([query, await status(query)]).toEqual([query, 400]);
    expect(asked).toHaveLength(2);
  });

  test('where the webhook Worker does not answer, nothing is called none', async () => {
    const world = await signedIn({ channels: () => Promise.reject(new Error('secret detail')) });
    const answer = await world.get('/console/channels');
    expect([answer.status, (await answer.text()).includes('Could not read')]).toEqual([503, true]);
    const without = await (await signedIn(undefined)).get('/console/channels');
    expect([without.status, (await without.text()).includes('no webhook Worker')]).toEqual([503, true]);
  });

  test('has two lines in the overview: how many are open, and the nearest renewal with what was lost', async () => {
    const page = await (await (await signedIn({ survey })).get('/console/')).text();
    expect(signalIn(page, 'Channels')).toBe('Channels 1 Lost The next one is asked for in 2 h, for C1. Refused: 1.');
    expect(signalIn(page, 'Webhooks')).toMatch(/^Webhooks 4 Up /);
    const known = await survey();
    const late = { ...known, counts: { ...counts, failed: 0, expired: 0 } };
    const at = new Date(Date.now() - 3_600_000).toISOString();
    const overdue = await signedIn({ survey: async () => ({ ...late, next: { ...known.next, due_at: at } }) });
    expect(signalIn(await (await overdue.get('/console/')).text(), 'Channels')).toContain('Overdue');
    const without = await (await (await signedIn(undefined)).get('/console/')).text();
    for (const title of ['Channels', 'Webhooks'])
      expect(signalIn(without, title)).toBe(`${title} None Not here There is no webhook Worker here.`);
  });
});

type Audited = { outcome: string; reason?: string };

/** What the audit log has, oldest first. */
async function auditedIn(name: string): Promise<readonly Audited[]> {
  const filter = `logName="projects/${name}/logs/${AUDIT_LOG_ID}"`;
  const body = { resourceNames: [`projects/${name}`], filter, orderBy: 'timestamp asc' };
  const { entries = [] } = await json<{ entries?: { jsonPayload: Audited }[] }>(
    call('/v2/entries:list', { method: 'POST', body, token: tokenFor({ tenant: TENANT }) }),
  );
  return entries.map(({ jsonPayload }) => jsonPayload);
}

describe('the renewal of a channel', () => {
  const renewed = async (renew: ConsoleDeskPort['renew'], channel = 'channel-1') => {
    const world = await signedIn({ survey, renew });
    const fields = { csrf: await world.csrf(), channel, return_to: '/console/channels?state=active' };
    const answer = await world.form('/console/channels/renew', fields);
    const to = answer.headers.get('location') ?? '';
    return { to, said: new URL(to, 'https://c.test').searchParams.get('said') };
  };

  test('is asked for, and leads back to the page with what came of it', async () => {
    const asked: string[] = [];
    const { to, said } = await renewed(async (id) => {
      asked.push(id);
      return { ok: true, asked: true, channel: channelOf({ id: 'channel-3' }) };
    });
    expect(asked).toEqual(['channel-1']);
    expect(to).toMatch(/^\/console\/channels\?state=active&said=/);
    expect(said).toBe('Renewed: channel channel-3 is active. It expires in 3 h.');
  });

  test('that did not work is told as such, without words of the vendor’s', async () => {
    const failed = channelOf({ tries: 1, last_error: 'HTTP 403 <b>' });
    expect((await renewed(async () => ({ ok: true, asked: true, channel: failed }))).said).toContain('did not work');
    const { said } = await renewed(async () => ({ ok: false, reason: 'not_open', detail: 'x' }));
    expect(said).toBe('Nothing was renewed. Its watch was stopped.');
  });

  test('that is under way already is not called done, on the page nor in the audit log', async () => {
    const { said } = await renewed(async () => ({ ok: true, asked: false, channel: channelOf() }));
    expect(said).toBe('Nothing was asked for: a renewal is under way already. Look again in a minute.');
    expect((await auditedIn(project)).map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['begun', undefined],
      ['refused', 'under_way'],
    ]);
  });

  test('is not asked for of what is no channel', async () => {
    const { said } = await renewed(() => Promise.reject(new Error('Nobody may ask this')), 'a b');
    expect(said).toBe('No such channel.');
  });
});
