import { Hono } from 'hono';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ControlAppEnv } from '../../../../routes/control/call-context.ts';
import { answerAction, AUDIT_LOG_ID } from '../../../../routes/control/console/act.ts';
import { consoleActions, consolePages } from '../../../../routes/control/console/console-pages.ts';
import type { ConsoleAction } from '../../../../routes/control/console/console-request.ts';
import { registerConsoleRoutes } from '../../../../routes/control/console/routes.ts';
import { tokenFor } from '../../../support/workers/control-tokens.ts';
import { consoleWorld, OPERATOR, sessionOf } from './world.ts';
import { call, json } from '../world.ts';

/** Of each test by itself: an isolate remembers tenants and projects, whose registry is emptied between tests. */
let tenant = '';
let project = '';
let tests = 0;
beforeEach(() => {
  tests += 1;
  tenant = `C000audit${tests}`;
  project = `audit-${tests}`;
});

type Audited = { outcome: string; action: string; target: string; operator: string; [more: string]: string };
type Listed = { entries?: { logName: string; severity: string; jsonPayload: Audited }[] };

/** What the audit log has, oldest first, as the operator reads it. */
async function audited(): Promise<readonly Audited[]> {
  const logName = `projects/${project}/logs/${AUDIT_LOG_ID}`;
  const body = { resourceNames: [`projects/${project}`], filter: `logName="${logName}"`, orderBy: 'timestamp asc' };
  const { entries = [] } = await json<Listed>(
    call('/v2/entries:list', { method: 'POST', body, token: tokenFor({ tenant }) }),
  );
  return entries.map(({ jsonPayload }) => jsonPayload);
}

const PATH = '/console/things/replay';

/** A console whose one action is the test's. */
function worldOf(run: ConsoleAction['run'], bindings: Record<string, unknown> = {}) {
  const action: ConsoleAction = { path: PATH, title: 'Replay a thing', target: (form) => form.get('id') ?? '', run };
  const app = new Hono<ControlAppEnv>();
  app.use('*', async (c, next) => {
    c.set('requestId', 'f'.repeat(32));
    await next();
  });
  app.post(PATH, (c) => answerAction(c, action, { local: false }));
  registerConsoleRoutes(app, { local: false });
  return consoleWorld({ app, bindings: { OPERATOR_TENANT: tenant, OPERATOR_PROJECT: project, ...bindings } });
}

const replayed: ConsoleAction['run'] = async (_c, form) => ({
  to: '/console/quotas?page=2',
  said: `Replayed <b>${form.get('id') ?? ''}</b>.`,
  entry: { message: form.get('id') ?? '' },
});

describe('K10: an action of the console', () => {
  test('K10: is done for a form of a fresh sign-in, and stands in the audit log before and after', async () => {
    const before: (readonly Audited[])[] = [];
    const world = worldOf(async (c, form) => {
      before.push(await audited());
      return replayed(c, form);
    });
    await world.signIn();
    const done = await world.form(PATH, { csrf: await world.csrf(), id: 'm-7' });
    expect(done.status).toBe(303);
    const known = { event: 'console_action', action: 'Replay a thing', target: 'm-7', operator: OPERATOR.id };
    expect(before).toEqual([[expect.objectContaining({ ...known, outcome: 'begun' })]]);
    expect(await audited()).toEqual([
      expect.objectContaining({ ...known, outcome: 'begun', operator_name: 'Ada', request_id: 'f'.repeat(32) }),
      expect.objectContaining({ ...known, outcome: 'done', message: 'm-7' }),
    ]);
    const page = await (await world.get(done.headers.get('location') ?? '')).text();
    expect(page).toContain('Replayed &lt;b&gt;m-7&lt;/b&gt;.'); // Told once, as text.
  });

  const posts: readonly [name: string, fields: Record<string, string>, headers: Record<string, string>][] = [
    ['without Sec-Fetch-Site', {}, { 'sec-fetch-site': '' }],
    ['from another site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['from another host of this site', {}, { 'sec-fetch-site': 'same-site' }],
    ['without the form’s token', { csrf: '' }, {}],
    ['with a token of another sign-in', { csrf: 'd'.repeat(64) }, {}],
  ];

  test.each(posts)('K10: is not done %s', async (_name, fields, headers) => {
    let runs = 0;
    const world = worldOf(async (c, form) => {
      runs += 1;
      return replayed(c, form);
    });
    await world.signIn();
    const refused = await world.form(PATH, { csrf: await world.csrf(), id: 'm', ...fields }, headers);
    expect([refused.status, runs]).toEqual([403, 0]);
    expect(await audited()).toEqual([]);
  });

  test('K10: is not done for a sign-in of a quarter of an hour ago; the page leads to another one, and back', async () => {
    let runs = 0;
    const world = worldOf(async (c, form) => {
      runs += 1;
      return replayed(c, form);
    });
    await world.signIn();
    await world.age(14.9);
    const csrf = await world.csrf();
    expect((await world.form(PATH, { csrf })).status).toBe(303);
    await world.age(15);
    const stale = await world.form(PATH, { csrf, return_to: '/console/quotas?page=3' });
    expect([stale.status, runs]).toEqual([403, 1]);
    expect(await stale.text()).toContain('/console/signin?return_to=%2Fconsole%2Fquotas%3Fpage%3D3');
  });

  test('K10: is not done for nobody, whatever bearer token comes along', async () => {
    const world = worldOf(() => Promise.reject(new Error('Nobody may have this done')));
    const headers = { authorization: `Bearer ${tokenFor({ tenant })}` };
    const refused = await world.form(PATH, { csrf: 'd'.repeat(64) }, headers);
    expect(refused.status).toBe(403);
    expect(await audited()).toEqual([]);
  });

  test('K10: is not done where the audit log cannot be written: no project, or no answer', async () => {
    const broken = { idFromName: () => 'id', get: () => ({ keepOwn: () => Promise.reject(new Error('gone')) }) };
    for (const bindings of [{ OPERATOR_PROJECT: '' }, { ENTRY_STORE: broken }]) {
      let runs = 0;
      const world = worldOf(async (c, form) => {
        runs += 1;
        return replayed(c, form);
      }, bindings);
      await world.signIn();
      const refused = await world.form(PATH, { csrf: await world.csrf(), id: 'm' });
      expect([refused.status, runs]).toEqual([503, 0]);
    }
  });

  test('K10: exclusions and sinks of the project keep nothing out of the audit log', async () => {
    const world = worldOf(replayed);
    await world.signIn();
    const exclusion = { name: 'all', filter: `logName:"${AUDIT_LOG_ID}" OR severity >= DEFAULT` };
    const made = await call(`/v2/projects/${project}/exclusions`, {
      method: 'POST',
      body: exclusion,
      token: tokenFor({ tenant }),
    });
    expect(made.status).toBe(200);
    await world.form(PATH, { csrf: await world.csrf(), id: 'm' });
    expect((await audited()).map(({ outcome }) => outcome)).toEqual(['begun', 'done']);
  });

  test('what throws is told as a failure, there and in the audit log, and never as done', async () => {
    const world = worldOf(() => Promise.reject(new Error('secret detail')));
    await world.signIn();
    const failed = await world.form(PATH, { csrf: await world.csrf(), id: 'm' });
    expect(failed.status).toBe(500);
    expect(await failed.text()).not.toContain('secret detail');
    expect((await audited()).map(({ outcome }) => outcome)).toEqual(['begun', 'failed']);
  });

  test('what was refused stands there as refused', async () => {
    const world = worldOf(async (c, form) => ({ ...(await replayed(c, form)), outcome: 'refused' }));
    await world.signIn();
    await world.form(PATH, { csrf: await world.csrf(), id: 'm' });
    expect((await audited()).map(({ outcome }) => outcome)).toEqual(['begun', 'refused']);
  });

  test('an action leads to pages of the console only, and its entry is bounded', async () => {
    const world = worldOf(async () => ({
      to: 'https://evil.example/',
      said: 'x'.repeat(2_000),
      entry: { long: 'y'.repeat(5_000), operator: 'somebody else' },
    }));
    await world.signIn();
    const done = await world.form(PATH, { csrf: await world.csrf(), id: 'i'.repeat(1_000) });
    expect(done.headers.get('location')).toMatch(/^\/console\/\?said=x{300}&seal=[0-9a-f]{64}$/);
    const last = (await audited()).at(-1);
    expect([last?.['long']?.length, last?.target.length, last?.operator]).toEqual([256, 256, OPERATOR.id]);
  });
});

describe('every action and page of the registries', () => {
  test('K10: none is done or shown for a stranger, and no action without its form’s token or with an old sign-in', async () => {
    const world = consoleWorld();
    for (const { path } of consolePages) expect([path, (await world.get(path)).status]).toEqual([path, 303]);
    for (const { path } of consoleActions) expect([path, (await world.form(path, {})).status]).toEqual([path, 403]);
    await world.signIn();
    for (const { path } of consoleActions) expect([path, (await world.form(path, {})).status]).toEqual([path, 403]);
    const csrf = await world.csrf();
    await world.age(15);
    for (const { path } of consoleActions)
      expect([path, (await world.form(path, { csrf })).status]).toEqual([path, 403]);
  });

  test('paths are of the console, and each is one thing only', () => {
    const paths = [...consolePages, ...consoleActions].map(({ path }) => path);
    // What a page asks for is posted to the address of that page, so each way in is of its own method.
    const taken = [
      ...consolePages.map(({ path }) => `GET ${path}`),
      ...consoleActions.map(({ path }) => `POST ${path}`),
      ...['GET', 'POST'].flatMap((method) => [`${method} /console/signin`, `${method} /console/signout`]),
    ];
    expect(new Set(taken).size).toBe(taken.length);
    expect(paths.filter((path) => !path.startsWith('/console/'))).toEqual([]);
    const parents = consolePages.flatMap(({ under }) => under ?? []);
    expect(
      parents.filter((path) => !consolePages.some((page) => page.path === path && page.under === undefined)),
    ).toEqual([]);
  });
});

test('an old session of the api’s kind opens nothing here', async () => {
  const world = consoleWorld();
  world.access.sessions.set('0'.repeat(64), sessionOf(0));
  world.cookies.set('__Secure-sightline-console', '0'.repeat(64)); // The hash is not the value.
  expect((await world.get('/console/')).status).toBe(303);
});
