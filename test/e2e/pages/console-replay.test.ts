import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { TENANT } from '../../../local/operator.ts';
import {
  complaints,
  foreignRequests,
  judgePage,
  layoutShift,
  noOverflow,
  openBrowser,
  type Opened,
  LOOKS,
  screenshot,
} from '../../support/stack/browser.ts';
import { type SignedReceiver, startSignedReceiver } from '../../support/stack/signed-receiver.ts';
import { startWebhookStack, type WebhookStack } from '../../support/webhooks/webhook-stack.ts';

const WAIT = { timeout: 30_000, interval: 250 };
const GONE = 410;

let stack: WebhookStack;
let receiver: SignedReceiver;
let browser: Opened;
let operator: Page;
let userId = '';

beforeAll(async () => {
  [receiver, browser] = await Promise.all([startSignedReceiver(), openBrowser()]);
  stack = await startWebhookStack({ webhookBindings: { DESTINATIONS: JSON.stringify([receiver.destination]) } });
  const { status } = await stack.operate('POST /channels', {});
  if (status !== 201) throw new Error(`POST /channels answered ${status}`);
  const statusSchema = z.looseObject({ last_resync_at: z.string().nullable() });
  const listedAt = async () => statusSchema.parse((await stack.operate('GET /status')).body).last_resync_at;
  await vi.waitUntil(async () => (await listedAt()) !== null, WAIT);
  receiver.refuseUsers(GONE);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  await receiver?.stop();
});

const messagesSchema = z.object({
  messages: z.array(z.looseObject({ seq: z.number(), user_id: z.string().nullable(), state: z.string() })),
});
const statesOf = async (user: string): Promise<readonly string[]> =>
  messagesSchema
    .parse((await stack.operate('GET /messages')).body)
    .messages.filter((message) => message.user_id === user)
    .map(({ state }) => state);

/** The vendor's name for it, as in addresses. */
const AUDIT_LOG_ID = 'cloudaudit.googleapis.com%2Factivity';

/** A user whose message is dead: its receiver wants it never again. */
async function deadUser(name: string): Promise<string> {
  const { data } = await stack.world.admin.users.insert({
    requestBody: {
      primaryEmail: `${name}@${stack.world.domain}`,
      name: { givenName: 'A', familyName: 'B' },
      password: 'a long password',
    },
  });
  const id = data.id ?? '';
  await expect.poll(() => statesOf(id), WAIT).toEqual(['dead']);
  return id;
}

/** Signs in as a person does, without scripts: the console needs none. */
async function signedIn(path: string): Promise<Page> {
  const page = await browser.page({ scripts: false });
  await page.goto(`${stack.world.url}${path}`);
  await page.getByLabel('Operator secret').fill(stack.operatorSecret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  expect(new URL(page.url()).pathname).toBe(path);
  return page;
}

test('pages of channels and dead letters: axe finds nothing, in both schemes, on a small telephone and on a desk', async () => {
  userId = await deadUser('to-be-replayed');
  operator = await signedIn('/console/dead-letters');
  expect(await operator.getByRole('row').filter({ hasText: userId }).count()).toBe(1);
  const found: Record<string, unknown> = {};
  const none = { axe: [], wide: [], complaints: [], foreign: [] };
  for (const { width, scheme } of LOOKS) {
    for (const path of ['channels', 'dead-letters']) {
      const page = await browser.page({ width, scheme, beside: operator });
      await page.goto(`${stack.world.url}/console/${path}`);
      expect(await page.getByRole('table').count()).toBe(1);
      const name = `console-${path}-filled-${scheme}-${width}`;
      await screenshot(page, name);
      const seen = {
        axe: await judgePage(page),
        wide: await noOverflow(page),
        complaints: await complaints(page),
        foreign: foreignRequests(page),
      };
      if (JSON.stringify(seen) !== JSON.stringify(none)) found[name] = seen;
      expect((await layoutShift(page)).shift).toBeLessThan(0.01);
      await page.context().close();
    }
  }
  expect(found).toEqual({});
});

const entriesSchema = z.object({ entries: z.array(z.object({ jsonPayload: z.looseObject({}) })).default([]) });

/** What the audit log of the operator's project has, oldest first, as its readers see it. */
async function audited(): Promise<readonly object[]> {
  const project = `projects/${TENANT.project}`;
  const filter = `logName="${project}/logs/${AUDIT_LOG_ID}"`;
  const token = await stack.tokenFor({ resource: stack.world.url });
  const answer = await fetch(`${stack.world.url}/v2/entries:list`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceNames: [project], filter, orderBy: 'timestamp asc' }),
  });
  return entriesSchema.parse(await answer.json()).entries.map(({ jsonPayload }) => jsonPayload);
}

test('K10: an operator replays a dead letter in the console: it is told with the same id, and the audit log says who did', async () => {
  const [refused] = receiver.turnedAway;
  expect(refused?.body.data.user_id).toBe(userId);
  const told = () => receiver.received.filter(({ id }) => id === refused?.id);
  expect(told()).toEqual([]);
  receiver.accept(userId);
  await operator.getByRole('row').filter({ hasText: userId }).getByRole('button', { name: 'Replay message' }).click();
  expect(await operator.getByRole('status').textContent()).toContain('1 message is worked again');
  await expect.poll(() => told().length, WAIT).toBe(1);
  expect(told()[0]?.text).toBe(refused?.text);
  await expect.poll(() => statesOf(userId), WAIT).toEqual(['worked']);
  await operator.goto(`${stack.world.url}/console/dead-letters`);
  expect(await operator.getByRole('row').filter({ hasText: userId }).count()).toBe(0);
  const known = {
    action: 'Replay dead letters',
    target: expect.stringMatching(/^C00000001 \d+$/),
    operator_name: 'operator',
  };
  expect(await audited()).toEqual([
    expect.objectContaining({ ...known, outcome: 'begun' }),
    expect.objectContaining({ ...known, outcome: 'done', replayed: '1' }),
  ]);
});

test('several are replayed together by their boxes, and all of a filter by one button', async () => {
  const users = [await deadUser('chosen-one'), await deadUser('chosen-two'), await deadUser('left')];
  receiver.accept(...users);
  await operator.goto(`${stack.world.url}/console/dead-letters`);
  for (const user of users.slice(0, 2))
    await operator.getByRole('row').filter({ hasText: user }).getByRole('checkbox').check();
  await operator.getByRole('button', { name: 'Replay the chosen' }).click();
  expect(await operator.getByRole('status').textContent()).toContain('2 messages are worked again');
  const [one = '', two = '', left = ''] = users;
  await expect.poll(async () => [await statesOf(one), await statesOf(two)], WAIT).toEqual([['worked'], ['worked']]);
  expect(await statesOf(left)).toEqual(['dead']);
  await operator.getByRole('button', { name: /^Replay all of this filter/ }).click();
  expect(await operator.getByRole('status').textContent()).toContain('worked again');
  await expect.poll(() => statesOf(left), WAIT).toEqual(['worked']);
});

test('a channel is renewed from its row, and the page says what became of it', async () => {
  await operator.goto(`${stack.world.url}/console/channels?state=active`);
  await operator
    .getByRole('button', { name: /^Renew now/ })
    .first()
    .click();
  expect(await operator.getByRole('status').textContent()).toMatch(
    /^Renewed: channel [0-9a-f]{32}-[0-9a-z]{5}-C00000001 is /,
  );
  const channels = z
    .object({ channels: z.array(z.looseObject({ state: z.string() })) })
    .parse((await stack.operate('GET /channels')).body).channels;
  expect(channels.length).toBe(2);
});
