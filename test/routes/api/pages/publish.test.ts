import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  publish,
  readPublishedState,
  readBadge,
  readHistory,
  takeDown,
  unpublish,
} from '../../../../src/sales/reports/published-store.ts';
import { reportStore } from '../../../../src/sales/reports/report-store.ts';
import { publishWords } from '../../../../src/web/report/publish-words.ts';
import { badge, buy, historyOf, orderOf, tell, type Bought } from './publish-world.ts';
import { get, post, problemOf, signedCredential, type World, world } from '../world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const bucketMethods = Object.getPrototypeOf(env.REPORTS) as R2Bucket;
const realPut = bucketMethods.put as (...args: unknown[]) => unknown;
const HOST = 'shop.example';
const NOT_PUBLISHED = 'not published';
const WRONG = 'f'.repeat(64);

describe('X5: what was bought in private stays private', () => {
  test('neither badge nor history knows a report that nobody published', async () => {
    const { report_id: id } = await buy();
    expect(await badge(HOST)).toContain(NOT_PUBLISHED);
    expect(await historyOf(HOST)).toBeUndefined();
    expect((await get(`/history/${HOST}`)).status).toBe(404);
    expect((await env.REPORTS.list({ prefix: 'published/' })).objects).toEqual([]);
    expect((await get(`/reports/${id}.json`)).headers.get('x-robots-tag')).toContain('noindex');
  });

  test('publish: false publishes nothing', async () => {
    await buy({ publish: false });
    expect(await historyOf(HOST)).toBeUndefined();
  });
});

describe('X5: publish: true in the body', () => {
  test.each(['full_audit', 'fix_pack'])('%s is on badge and history once it is settled', async (capability) => {
    const bought = await buy({ publish: true }, capability);
    const history = await historyOf(HOST);
    expect(history).toMatchObject({ host: HOST, url: 'https://shop.example/', changes: null });
    expect(history?.entries).toMatchObject([{ report_id: bought.report_id, capability }]);
    expect(history?.entries[0]?.report).toBe(`${env.BASE_URL}/reports/${bought.report_id}.json`);
    expect(await badge(HOST)).toContain(`AEO ${bought.scores['aeo']?.score} of 100`);
  });

  test.each([
    ['a profile', { profile: 'docs' }],
    ['a number of pages', { max_pages: 9 }],
    ['a path', { url: 'https://shop.example/shop' }],
    ['a query', { url: 'https://shop.example/?as=good' }],
    ['http on the port of https', { url: 'http://shop.example:443/' }],
    ['http on a port of its own', { url: 'http://shop.example:8080/' }],
    ['https on the port of http', { url: 'https://shop.example:80/' }],
  ])('with %s is refused before any payment', async (_what, more) => {
    const answer = await post(await orderOf({ url: 'https://shop.example/', publish: true, ...more }));
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ code: 'not_publishable', errors: [{ pointer: '/publish' }] });
    expect(seen.calls).toMatchObject({ verify: [], settle: [], site: [] });
  });

  test('is no field of capabilities without all four scores', async () => {
    const answer = await post(await orderOf({ url: 'https://shop.example/', publish: true }, 'score_aeo'));
    expect(answer.status).toBe(422);
    expect(await problemOf(answer)).toMatchObject({ code: 'invalid_body' });
  });

  test('publishes nothing that is not settled', async () => {
    seen.settle = { success: false, errorReason: 'insufficient_funds', transaction: '', network: 'eip155:8453' };
    expect((await post(await orderOf({ url: 'https://shop.example/', publish: true }))).status).toBe(402);
    expect(await historyOf(HOST)).toBeUndefined();
  });

  test('P1: is part of the request that a payment is bound to', async () => {
    const credential = await signedCredential('full_audit');
    const body = (publishing: boolean) => JSON.stringify({ url: 'https://shop.example/', publish: publishing });
    expect((await post({ capability: 'full_audit', credential, body: body(false) })).status).toBe(200);
    expect((await post({ capability: 'full_audit', credential, body: body(true) })).status).toBe(409);
    expect(await historyOf(HOST)).toBeUndefined();
  });

  test('a failure after the sale takes nothing of it back, and a repeat of the request publishes', async () => {
    const order = await orderOf({ url: 'https://shop.example/', publish: true });
    const put = vi.spyOn(bucketMethods, 'put').mockImplementation(function (this: R2Bucket, ...args: unknown[]) {
      if (String(args[0]).startsWith('published/')) throw new Error('the bucket has a bad day');
      return Reflect.apply(realPut, this, args) as Promise<R2Object>;
    });
    const first = await post(order);
    put.mockRestore();
    expect(first.status).toBe(200);
    expect(seen.logs.join('\n')).toContain('publish_failed');
    expect(await historyOf(HOST)).toBeUndefined();
    const again = await post(order);
    expect(await again.text()).toBe(await first.text());
    expect((await historyOf(HOST))?.entries).toHaveLength(1);
    expect(seen.calls.settle).toHaveLength(1);
  });
});

describe('the publish token', () => {
  test('X5: is in the answer to the buyer, the same in a repeat, and in no report', async () => {
    const order = await orderOf({ url: 'https://shop.example/' });
    const first = (await (await post(order)).json()) as Bought;
    const again = (await (await post(order)).json()) as Bought;
    expect(first.publish_token).toMatch(/^[0-9a-f]{64}$/);
    expect(again.publish_token).toBe(first.publish_token);
    const stored = await (await get(`/reports/${first.report_id}.json`)).text();
    expect(stored).not.toContain('publish_token');
    expect(stored).not.toContain(first.publish_token ?? '');
    const kept = await Promise.all(
      (await env.REPORTS.list()).objects.map(async ({ key }) => (await env.REPORTS.get(key))?.text()),
    );
    expect(kept.join('\n')).not.toContain(first.publish_token ?? '');
    expect(seen.logs.join('\n')).not.toContain(first.publish_token ?? '');
  });

  test('X5: is another one for each report, and absent where nothing can be published', async () => {
    const [one, other] = [await buy(), await buy()];
    expect(one.publish_token).not.toBe(other.publish_token);
    expect((await tell('publish', one.report_id, other.publish_token ?? '')).status).toBe(403);
    expect(await buy({}, 'score_aeo')).not.toHaveProperty('publish_token');
  });
});

describe('POST /reports/{id}/publish', () => {
  test('publishes and takes back, each as often as it is asked', async () => {
    const { report_id: id, publish_token: token = '' } = await buy();
    for (const _time of [1, 2]) {
      const answer = await tell('publish', id, token);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({
        report_id: id,
        published: true,
        host: HOST,
        badge: `${env.BASE_URL}/badge/${HOST}.svg`,
        history: `${env.BASE_URL}/history/${HOST}`,
      });
      expect((await historyOf(HOST))?.entries).toHaveLength(1);
    }
    for (const _time of [1, 2]) {
      const answer = await tell('unpublish', id, token);
      expect(await answer.json()).toMatchObject({ report_id: id, published: false });
      expect(await historyOf(HOST)).toBeUndefined();
      expect(await badge(HOST)).toContain(NOT_PUBLISHED);
    }
  });

  test.each([
    ['a wrong token', WRONG],
    ['no token', ''],
    ['a token that is too long', 'f'.repeat(10_000)],
  ])('X5: %s is 403 and changes nothing', async (_what, token) => {
    const { report_id: id } = await buy({ publish: true });
    const answer = await tell('unpublish', id, token);
    expect(answer.status).toBe(403);
    expect(await problemOf(answer)).toMatchObject({ code: 'publish_refused' });
    expect((await historyOf(HOST))?.entries).toHaveLength(1);
    const other = await buy();
    expect((await tell('publish', other.report_id, token)).status).toBe(403);
    expect((await historyOf(HOST))?.entries).toHaveLength(1);
  });

  test.each([
    ['a given profile', { profile: 'docs' }],
    ['a given number of pages', { max_pages: 3 }],
    ['another start page than the root', { url: 'https://shop.example/about' }],
  ])('X5: a report with %s is 422 also with its own token', async (_what, body) => {
    const { report_id: id, publish_token: token = '' } = await buy(body);
    const answer = await tell('publish', id, token);
    expect(answer.status).toBe(422);
    expect(await problemOf(answer)).toMatchObject({ code: 'not_publishable' });
    expect(await historyOf(HOST)).toBeUndefined();
  });

  test('a form that is refused leads to a page that says why in the language of its reader', async () => {
    const { report_id: id, publish_token: token = '' } = await buy({ profile: 'docs' });
    const body = new URLSearchParams({ publish_token: token });
    const headers = { 'sec-fetch-site': 'same-origin', origin: 'null', 'accept-language': 'de' };
    const answer = await tell('publish', id, token, { body, headers });
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(page).toContain(publishWords.de.reasons.profile_given);
    expect(page).not.toContain('leave profile out');
  });

  test('X5: a bare host that https does not reach is published as the http site that was read', async () => {
    const { site } = seen;
    seen.site = (url) => (url.protocol === 'https:' ? Promise.reject(new Error('no route')) : site(url));
    const { report_id: id, publish_token: token = '' } = await buy({ url: HOST });
    expect(await (await tell('publish', id, token)).json()).toMatchObject({ host: `${HOST}:80`, published: true });
    expect((await historyOf(`${HOST}:80`))?.entries).toHaveLength(1);
    expect(await historyOf(HOST)).toBeUndefined();
  });

  test('an unknown id is 404', async () => {
    const answer = await tell('publish', '0'.repeat(32), WRONG);
    expect(answer.status).toBe(404);
    expect(await problemOf(answer)).toMatchObject({ code: 'report_not_found' });
  });

  test('X5: what is left of an expired report can be taken back, and not published', async () => {
    const { report_id: id, publish_token: token = '' } = await buy({ publish: true });
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 31 * 86_400_000);
    expect((await tell('publish', id, token)).status).toBe(410);
    expect((await historyOf(HOST))?.entries[0]).not.toHaveProperty('report');
    expect((await tell('unpublish', id, token)).status).toBe(410);
    const left = { body: JSON.stringify({ publish_token: token, host: HOST }) };
    const wrong = { body: JSON.stringify({ publish_token: WRONG, host: HOST }) };
    expect((await tell('unpublish', id, token, wrong)).status).toBe(403);
    expect((await tell('unpublish', id, token, left)).status).toBe(200);
    expect(await historyOf(HOST)).toBeUndefined();
  });

  test('a form of ours leads back to the report; one of another site is refused', async () => {
    const { report_id: id, publish_token: token = '' } = await buy();
    const body = new URLSearchParams({ publish_token: token });
    const foreign = await tell('publish', id, token, { body, headers: { origin: 'https://elsewhere.example' } });
    expect(foreign.status).toBe(403);
    expect(await historyOf(HOST)).toBeUndefined();
    const answer = await tell('publish', id, token, {
      body,
      headers: { 'sec-fetch-site': 'same-origin', origin: 'null' },
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`/reports/${id}#publish`);
    expect((await historyOf(HOST))?.entries).toHaveLength(1);
    const page = await get(`/reports/${id}`, { accept: 'text/html' });
    expect(page.headers.get('cache-control')).toBe('private, no-cache');
    expect(await page.text()).toContain('This report is public');
  });

  test('the page of a report is told how it stands', async () => {
    const { report_id: id } = await buy({ publish: true });
    const report = await reportStore(env.REPORTS, Date.now).get(id);
    if (!report) throw new Error('no report');
    expect(await readPublishedState(env.REPORTS, 'https://sightline.test', id, report, Date.now())).toMatchObject({
      published: true,
      publishable: true,
      host: HOST,
    });
    expect(
      await readPublishedState(env.REPORTS, 'https://sightline.test', '0'.repeat(32), report, Date.now()),
    ).toMatchObject({
      published: false,
      publishable: true,
    });
    const { site: _site, ...withoutSite } = report;
    const otherPort = { ...withoutSite, json: JSON.stringify({ url: 'http://shop.example:8080/' }) };
    expect(await readPublishedState(env.REPORTS, 'https://sightline.test', id, otherPort, Date.now())).toMatchObject({
      published: false,
      publishable: false,
      reason: 'not_its_port',
    });
    await takeDown(env.REPORTS, HOST, id);
    expect(await readPublishedState(env.REPORTS, 'https://sightline.test', id, report, Date.now())).toMatchObject({
      published: false,
      publishable: false,
      reason: 'taken_down',
    });
    const { publishing: _old, ...older } = report;
    expect(await readPublishedState(env.REPORTS, 'https://sightline.test', id, older, Date.now())).toMatchObject({
      published: false,
      publishable: false,
    });
  });
});

describe('publishing at the same time', () => {
  const idOf = (number: number): string => number.toString(16).padStart(32, '0');
  const jsonOf = (id: string, points = 50): string => {
    const score = { score: points, grade: 'D', checks: [{ id: 'one', status: 'pass' }] };
    const scores = { aeo: score, geo: score, agent: score, mcp: score };
    return JSON.stringify({
      capability: 'full_audit',
      report_id: id,
      scores,
      profile: { name: 'docs' },
      rubric: { version: '1' },
    });
  };

  test('loses none of 20, and of 60 keeps the newest 50', async () => {
    const publishMany = (numbers: readonly number[]) =>
      Promise.all(numbers.map((number) => publish(env.REPORTS, HOST, jsonOf(idOf(number)), number)));
    await publishMany(Array.from({ length: 20 }, (_, index) => index));
    expect(await readHistory(env.REPORTS, HOST)).toHaveLength(20);
    await publishMany(Array.from({ length: 20 }, (_, index) => index + 20));
    await publishMany(Array.from({ length: 20 }, (_, index) => index + 40));
    const history = await readHistory(env.REPORTS, HOST);
    expect(history.map(({ reportId }) => reportId)).toEqual(Array.from({ length: 50 }, (_, index) => idOf(59 - index)));
  });

  test('X5: an older report that is published later does not become the badge', async () => {
    await publish(env.REPORTS, HOST, jsonOf(idOf(2), 40), 2);
    await publish(env.REPORTS, HOST, jsonOf(idOf(1), 99), 1);
    expect((await readBadge(env.REPORTS, HOST))?.aeo.score).toBe(40);
    await unpublish(env.REPORTS, HOST, idOf(2));
    expect((await readBadge(env.REPORTS, HOST))?.aeo.score).toBe(99);
  });

  test('and taking back at the same time does both', async () => {
    await publish(env.REPORTS, HOST, jsonOf(idOf(1)), 1);
    await Promise.all([publish(env.REPORTS, HOST, jsonOf(idOf(2)), 2), unpublish(env.REPORTS, HOST, idOf(1))]);
    expect((await readHistory(env.REPORTS, HOST)).map(({ reportId }) => reportId)).toEqual([idOf(2)]);
  });
});
