import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { overviewPage } from '../../../../routes/control/console/overview.ts';
import type { ConsoleContext, ConsolePage, ConsoleSignal } from '../../../../routes/control/console/console-request.ts';
import { tokenFor } from '../../../support/workers/control-tokens.ts';
import { consoleWorld, fakeAccess, signalIn } from './world.ts';
import { call } from '../world.ts';

/** Of each test by itself: an isolate remembers tenants and projects, whose registry is emptied between tests. */
let tenant = '';
let project = '';
let tests = 0;
beforeEach(() => {
  tests += 1;
  tenant = `C000usage${tests}`;
  project = `usage-${tests}`;
});

const IGNORE = 'ignoreSafetyChecks=QUOTA_DECREASE_PERCENTAGE_TOO_HIGH';

async function prefer(quotaId: string, value: number): Promise<void> {
  const made = await call(`/v1/projects/${project}/locations/global/quotaPreferences?${IGNORE}`, {
    method: 'POST',
    token: tokenFor({ tenant }),
    body: { service: 'sightline', quotaId, quotaConfig: { preferredValue: String(value) } },
  });
  expect(made.status).toBe(200);
}

/** The rows of the table: quota id, limit, who set it, and use, without tags. */
async function rows(bindings: Record<string, unknown> = {}, access = fakeAccess()) {
  const settings = { OPERATOR_TENANT: tenant, OPERATOR_PROJECT: project, TELEMETRY: 'control', ...bindings };
  const world = consoleWorld({ access, bindings: settings });
  await world.signIn();
  const page = await (await world.get('/console/quotas')).text();
  const lines = [...page.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gs)].map(([, row = '']) => row);
  const found = lines.map((row) => {
    const [quotaId = ''] = [...row.matchAll(/<code>(.*?)<\/code>/g)].map(([, id = '']) => id);
    const cells = [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => cell.replaceAll(/<[^>]*>/g, ' '));
    return [quotaId, ...cells.map((cell) => cell.replaceAll(/\s+/g, ' ').trim())];
  });
  return { page, rows: found };
}

const DEPLOYED = [
  ['FreeRequestsPerMinutePerCaller', '300', 'The deployment', 'Not counted here'],
  ['McpRequestsPerMinutePerCaller', '300', 'The deployment', 'Not counted here'],
  ['ManagementRequestsPerMinutePerTenant', '60,000', 'The deployment', 'Not counted here'],
  ['PaidRequestsPerMinutePerCaller', 'none', 'The deployment', 'Not counted here'],
];

describe('quotas', () => {
  test('without preferences the limits are the deployment’s, and nothing is called a use of zero', async () => {
    expect((await rows()).rows).toEqual(DEPLOYED);
  });

  test('where preferences set limits the counter objects of both Workers say what is used', async () => {
    await prefer('FreeRequestsPerMinutePerCaller', 100);
    await prefer('PaidRequestsPerMinutePerCaller', 50);
    await prefer('ManagementRequestsPerMinutePerTenant', 1_000);
    for (const [shard, key, needed] of [
      ['rate-3', 'management C1', 250],
      ['rate-9', 'management C2', 20],
    ] as const)
      await env.RATE_COUNTER.getByName(shard).take({ key, quota: 1_000, needed, ahead: 0 });
    const access = fakeAccess({ usage: async () => ({ free: { callers: 1, events: 75, most: 75 } }) });
    const { rows: seen } = await rows({}, access);
    expect(seen).toEqual([
      ['FreeRequestsPerMinutePerCaller', '100', 'A quota preference', '75 (75 %) 75 of 1 caller together'],
      DEPLOYED[1],
      ['ManagementRequestsPerMinutePerTenant', '1,000', 'A quota preference', '250 (25 %) 270 of 2 callers together'],
      ['PaidRequestsPerMinutePerCaller', '50', 'A quota preference', '0 (0 %) 0 of 0 callers together'],
    ]);
  });

  test('what the api does not answer could not be looked up; the rest stands', async () => {
    await prefer('FreeRequestsPerMinutePerCaller', 100);
    const access = fakeAccess({ usage: () => Promise.reject(new Error('gone')) });
    const { rows: seen } = await rows({}, access);
    expect(seen[0]).toEqual(['FreeRequestsPerMinutePerCaller', '100', 'A quota preference', 'Could not read']);
    expect(seen[2]).toEqual(DEPLOYED[2]);
  });

  test('limits that cannot be read are not the deployment’s', async () => {
    const broken = { idFromName: () => 'id', get: () => ({ call: () => Promise.reject(new Error('gone')) }) };
    const { rows: seen } = await rows({ RESOURCE_STORE: broken });
    expect(seen.map(([quotaId]) => quotaId)).toEqual(DEPLOYED.map(([quotaId]) => quotaId));
    for (const row of seen) expect(row.slice(1)).toEqual(['?', 'Could not read', 'Could not read']);
  });

  test('preferences without an effect are called so', async () => {
    await prefer('FreeRequestsPerMinutePerCaller', 100);
    const { page, rows: seen } = await rows({ TELEMETRY: 'none' });
    expect(seen).toEqual(DEPLOYED);
    expect(page).toContain('have no effect here');
    expect((await rows({ OPERATOR_PROJECT: '' })).page).toContain('No project sets limits here');
  });
});

describe('the overview', () => {
  const page = (path: `/console/${string}`, title: string, read?: ConsoleSignal['read']): ConsolePage => ({
    path,
    title,
    show: () => Promise.reject(new Error('The overview shows no page')),
    ...(read === undefined ? {} : { signals: [{ question: 'money', title: `Line of ${title}`, read }] }),
  });
  const shown = async (pages: readonly ConsolePage[]): Promise<string> => {
    const content = await overviewPage.show({ pages, requestId: 'r', now: Date.now } as unknown as ConsoleContext);
    if ('status' in content) throw new Error(content.detail);
    return content.toString();
  };

  test('has the lines of each page; what fails could not be looked up, and takes no other along', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const text = await shown([
      page('/console/a', 'Plain'),
      page('/console/b', 'Money', async () => ({ mood: 'bad', text: 'Bad', figure: '<b>7</b>', note: 'today' })),
      page('/console/c', 'Broken', () => Promise.reject(new Error('gone'))),
    ]);
    vi.restoreAllMocks();
    expect([...text.matchAll(/<a href="([^"]*)">([^<]*)</g)].map(([, href, title]) => [href, title])).toEqual([
      ['/console/b', 'Line of Money'], // In the sentence above all lines, too.
      ['/console/b', 'Line of Money'],
      ['/console/c', 'Line of Broken'],
    ]);
    expect(text).toContain('&lt;b&gt;7&lt;/b&gt;'); // X8
    expect(text.match(/Could not read/g)).toHaveLength(1);
  });

  test('does not wait for a line for ever', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('scheduler', { wait: (ms: number) => new Promise((done) => void setTimeout(done, ms)) });
    const showing = shown([page('/console/b', 'Slow', () => new Promise(() => undefined))]);
    await vi.advanceTimersByTimeAsync(5_000);
    const text = await showing;
    vi.unstubAllGlobals();
    vi.useRealTimers();
    expect(text).toContain('Still being looked up: 1 of 1 answers. Look again in a minute.');
    expect(text).toContain('<button class="small">Look again</button>');
    expect(text).not.toContain('Could not read');
  });

  test('leads to the quotas', async () => {
    const world = consoleWorld();
    await world.signIn();
    const text = await (await world.get('/console/')).text();
    expect(text).toContain('<a href="/console/quotas">Quotas</a>');
    expect(signalIn(text, 'Quotas')).toMatch(/^Quotas By the platform Not counted /);
  });
});
