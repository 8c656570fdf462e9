import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { startSites } from '../../../local/sites/sites.ts';
import type { StackWorkers } from '../../../local/stack-workers.ts';
import { formsOf, newBrowser } from '../../conformance/support/browser.ts';
import { connect } from '../../conformance/support/mcp-client.ts';
import {
  allow,
  discover,
  grant,
  REDIRECT_URI,
  refresh,
  responseOf,
  secretOf,
  start,
} from '../../conformance/support/oauth.ts';
import { postJson } from '../../conformance/support/person.ts';
import { secretsIn } from '../../conformance/support/secretlint.ts';
import { callOnCredits } from '../../support/stored/credit-call.ts';
import { FACTS, PACK, PACKED, readFacts, type Read, type Secrets } from '../../support/stored/facts.ts';
import { shiftAlarms, unpack } from '../../support/stored/pack.ts';
import { CLI_FILES } from '../../support/stored/record-files.ts';
import { startRpc } from '../../support/stored/rpc.ts';
import { ask, type Ended, ORIGINS, sightlineAt, startStored, useOriginsOf } from '../../support/stored/stack.ts';

useOriginsOf('finished');

// What an earlier day's code stored is read by today's, over HTTP and by the command line alone. `scripts/record-stored-data.ts`
// made it. The clock goes on where the recording ended, so that nothing has expired: see test/support/stored/worker-clock.ts.

const facts = readFacts();
const setBackMs = Date.now() - Date.parse(facts.recordedAt);
/** Where no facilitator is: nothing new is sold here. */
const NOBODY = 'http://127.0.0.1:9';
const WAIT = { timeout: 30_000, interval: 250 };

let folder = '';
let secrets: Secrets;
let rpc: Awaited<ReturnType<typeof startRpc>> | undefined;
let workers: StackWorkers | undefined;

const inFolder = (...names: string[]): string => join(folder, ...names);
const textOf = (...names: string[]): string => readFileSync(inFolder(...names), 'utf8');
const sightline = (...args: string[]): Promise<Ended> => sightlineAt(inFolder(PACKED.cli), setBackMs, args);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-stored-'));
  unpack(readFileSync(PACK), folder);
  shiftAlarms(inFolder(PACKED.state), setBackMs);
  secrets = JSON.parse(textOf(PACKED.secrets)) as Secrets; // The recorder wrote it.
  rpc = await startRpc(secrets.rpcAnswers);
  workers = await startStored({
    folder: inFolder(PACKED.state),
    setBackMs,
    bindings: { ...secrets.bindings, RPC_URL: rpc.url, FACILITATOR_URL: NOBODY },
    webhookBindings: secrets.webhookBindings,
    directoryKey: () => textOf(PACKED.key),
  });
});
afterAll(async () => {
  await workers?.api.stop();
  await rpc?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The answer of the recording. */
const answerOf = ({ answer, file }: Read): unknown =>
  file === undefined ? answer : JSON.parse(textOf(PACKED.answers, file));

test('what a tenant named first is still its own', async () => {
  for (const call of [
    'GET /v1beta/accounts/pub-7000000000000001/apps',
    'GET /client/v4/accounts/stored/ai-search/tokens',
  ]) {
    const answer = await ask({ at: 'control', call, token: secrets.tokens.other });
    expect([call, answer.status]).toEqual([call, 403]);
  }
});

/** Members that are shown otherwise since then, by the name of the answer: photos were padded with `*`. */
const SHOWN_OTHERWISE: Readonly<Record<string, object>> = { 'a photo': { photoData: 'iVBORw0KGgo_-w==' } };

describe('is answered as it was', () => {
  test.each(facts.reads.map((read) => [read.name, read] as const))('%s', async (name, read) => {
    const answer = await ask({ ...read, token: read.token && secrets.tokens[read.token] });
    const body: unknown = await answer.json();
    const then =
      SHOWN_OTHERWISE[name] === undefined ? answerOf(read) : { ...Object(answerOf(read)), ...SHOWN_OTHERWISE[name] };
    expect({ status: answer.status, body }).toMatchObject({ status: 200, body: then });
  });
});

describe('payments', () => {
  const sell = (capability: string, body: unknown, credential: string): Promise<Response> =>
    ask({ at: 'api', call: `POST /api/agent/${capability}`, body, headers: { 'payment-signature': credential } });

  test('what was published is in the history of its site and in its badge', async () => {
    const history = await ask({
      at: 'api',
      call: `GET /history/${facts.audit.host}`,
      headers: { accept: 'text/html' },
    });
    expect([history.status, await history.text()]).toEqual([200, expect.stringContaining(facts.audit.reportId)]);
    const badge = await ask({ at: 'api', call: `GET /badge/${facts.audit.host}.svg` });
    expect(await badge.text()).not.toContain('not published');
  });

  test('a signed payment is answered from the store, and buys nothing else', async () => {
    const { body, credential } = secrets.sale;
    const again = await sell('full_audit', body, credential);
    expect({ status: again.status, body: await again.json() }).toMatchObject({
      status: 200,
      body: { report_id: facts.audit.reportId, payment: { transaction: facts.audit.transaction } },
    });
    const other = await sell('full_audit', { url: 'https://example.com/' }, credential);
    expect({ status: other.status, body: await other.json() }).toMatchObject({
      status: 409,
      body: { code: 'payment_already_used' },
    });
  });

  test('a measurement is answered from its run', async () => {
    const { body, credential } = secrets.measurement;
    const again = await sell('visibility_check', body, credential);
    expect({ status: again.status, body: await again.json() }).toMatchObject({
      status: 200,
      body: { report_id: facts.visibility.reportId, run_id: facts.visibility.runId },
    });
  });

  test('a transfer is sold once', async () => {
    const again = await sell('check_health', secrets.transferBody, facts.transfer.hash);
    expect({ status: again.status, body: await again.json() }).toMatchObject({
      status: 409,
      body: { code: 'payment_already_used' },
    });
  });

  test.each([
    ['html', 'text/html'],
    ['md', 'text/markdown'],
    ['sarif', 'application/sarif+json'],
  ])('the report opens as %s', async (ending, type) => {
    const answer = await ask({ at: 'api', call: `GET /reports/${facts.audit.reportId}.${ending}` });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining(type)]);
    // Paths of SARIF have no scheme, and GitHub would read `host:` as one.
    const host = ending === 'sarif' ? facts.audit.host.replace(':', '%3A') : facts.audit.host;
    expect(await answer.text()).toContain(host);
  });

  test('its buyer takes back what was published', async () => {
    const taken = await ask({
      at: 'api',
      call: `POST /reports/${facts.audit.reportId}/unpublish`,
      body: { publish_token: secrets.publishToken },
    });
    expect([taken.status, await taken.json()]).toMatchObject([200, { published: false }]);
    const history = await ask({ at: 'api', call: `GET /history/${facts.audit.host}` });
    expect(history.status).toBe(404);
  });

  test('credits: the pack counts once, and a repeated call is the same debit', async () => {
    const pack5 = await ask({
      at: 'api',
      call: 'POST /api/credits/5',
      headers: { 'payment-signature': secrets.creditsCredential },
    });
    expect({ status: pack5.status, body: await pack5.json() }).toMatchObject({
      status: 200,
      body: { credited: '5.000000' },
    });
    expect(await callOnCredits(secrets.tokens.person, secrets.creditCall)).toEqual(facts.credits);
  });

  test('the account lists the report that credits paid', async () => {
    const client = await connect(`${ORIGINS.api}/mcp-account`, 'modern', {
      authorization: `Bearer ${secrets.tokens.person}`,
    });
    const { resources } = await client.listResources();
    await client.close();
    expect(resources.map(({ uri }) => uri)).toContain(`sightline://reports/${facts.credits.reportId}`);
  });
});

describe('access', () => {
  test('the person is still signed in, and sees the balance and the client', async () => {
    const browser = newBrowser(ORIGINS.api);
    for (const [name, value] of secrets.cookies) browser.cookies.set(name, value);
    const { status, html } = await browser.open('/account');
    expect(status).toBe(200);
    expect(html).toContain(`$${facts.credits.balance.replace(/(\.\d\d\d*?)0+$/, '$1')}`); // Pages print cents without more zeros.
    expect(html).toContain('Stored client');
  });

  test('the refresh token of a client that registered itself gives new tokens, which open the endpoint', async () => {
    const world = await discover(ORIGINS.api);
    const answer = await refresh(world, secrets.client, secrets.refreshToken);
    const tokens = z.object({ access_token: z.string(), refresh_token: z.string() }).parse(await answer.json());
    expect(tokens.refresh_token).not.toBe(secrets.refreshToken);
    const client = await connect(world.resource, 'modern', { authorization: `Bearer ${tokens.access_token}` });
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    await client.close();
  });

  test('clients that registered, and were not used yet, are known by their ids and secrets', async () => {
    const browser = newBrowser(ORIGINS.api);
    for (const [name, value] of secrets.cookies) browser.cookies.set(name, value);
    const world = await discover(ORIGINS.api);
    const { open, confidential } = secrets.waiting;
    expect((await grant(world, browser, { client: open })).tokens.scope).toBe('audit:run');
    const started = await start(world, confidential);
    const code = responseOf(world, confidential, started, await allow(browser, started)).get('code') ?? '';
    const answer = await fetch(`${ORIGINS.api}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${confidential.client_id}:${secretOf(confidential)}`)}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        code_verifier: started.verifier,
        redirect_uri: REDIRECT_URI,
        resource: world.resource,
      }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { scope: 'audit:run' }]);
  });

  test('the key of a service account gives a token', async () => {
    const { status, out, err } = await sightline('token', '--key', inFolder(PACKED.key), '--resource', ORIGINS.control);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    const answer = await ask({
      at: 'control',
      call: 'GET /admin/directory/v1/customers/my_customer',
      token: out.trim(),
    });
    expect(answer.status).toBe(200);
  });

  test('a client for programs gets a token by its secret', async () => {
    const answer = await fetch(`${ORIGINS.api}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${facts.machineClientId}:${secrets.machineClientSecret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: `${ORIGINS.api}/mcp-account` }),
    });
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 200,
      body: { access_token: expect.any(String), scope: 'audit:run' },
    });
  });

  test('a named operator signs in with the secret of then, and is listed', async () => {
    const browser = newBrowser(ORIGINS.api);
    const signedIn = await postJson(browser, '/signin/operator', { secret: secrets.operatorSecret });
    expect(signedIn.status).toBe(200);
    const { csrf } = z.looseObject({ csrf: z.string() }).parse(await signedIn.json());
    const headers = { accept: 'application/json', 'x-csrf-token': csrf };
    const listed = await browser.request('/operator/operators', { headers });
    expect(await listed.json()).toMatchObject({ operators: [facts.operator] });
  });

  test('an MCP session goes on', async () => {
    const answer = await ask({
      at: 'api',
      call: 'POST /mcp',
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-session-id': secrets.mcpSession,
        'mcp-protocol-version': '2025-11-25',
      },
      body: { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('full_audit')]);
  });
});

describe('the console', () => {
  const browser = newBrowser(ORIGINS.control);

  test('takes the named operator', async () => {
    const page = await browser.open('/console/signin');
    const [form] = formsOf(page.html);
    if (form === undefined) throw new Error('no form');
    expect((await browser.submit(page, form, { secret: secrets.operatorSecret })).status).toBe(200);
  });

  test.each([
    ['payments', facts.audit.transaction],
    ['runs', facts.visibility.runId],
    ['channels', facts.channel.id],
    ['money', 'visibility_check'],
    ['logs?project=local', 'The tide comes in'],
  ])('shows %s', async (page, expected) => {
    const { status, html } = await browser.open(`/console/${page}`);
    expect([status, html]).toEqual([200, expect.stringContaining(expected)]);
  });
});

describe('notifications', () => {
  test('the channel of then brings the next change', async () => {
    const { id: channel } = facts.channel;
    const user = await ask({
      at: 'control',
      call: 'POST /admin/directory/v1/users',
      token: secrets.tokens.control,
      body: { primaryEmail: 'later@example.com', name: { givenName: 'L', familyName: 'M' }, password: 'correct horse' },
    });
    const { id } = z.looseObject({ id: z.string() }).parse(await user.json());
    const messages = async (): Promise<unknown> =>
      (await ask({ at: 'webhook', call: 'GET /messages', token: secrets.tokens.webhook })).json();
    await expect.poll(messages, WAIT).toMatchObject({
      messages: expect.arrayContaining([expect.objectContaining({ channel, user_id: id, state: 'worked' })]),
    });
  });
});

test('the snapshot of a tenant is restored', async () => {
  const token = secrets.tokens.control;
  const user = 'ada@example.com';
  const call = (path: string, body?: object): Promise<Response> => ask({ at: 'control', call: path, body, token });
  expect((await call(`DELETE /admin/directory/v1/users/${user}`)).status).toBeLessThan(300);
  expect((await call('POST /v1/tenants/C00000001:restore', { name: 'before' })).status).toBe(200);
  const { answer } = facts.reads.find(({ name }) => name === 'a user by an alias') ?? {};
  const { id, orgUnitPath, aliases } = z
    .looseObject({ id: z.string(), orgUnitPath: z.string(), aliases: z.array(z.string()) })
    .parse(answer);
  expect(await (await call(`GET /admin/directory/v1/users/${user}`)).json()).toMatchObject({
    id,
    orgUnitPath,
    aliases,
  });
});

describe('files of the command line', () => {
  test('the snapshot of an audit is replayed to the same bytes, under the same rubric', async () => {
    const { status, out, err } = await sightline('replay', CLI_FILES.snapshot, '--json');
    expect(status).toBe(0);
    if (!err.includes('another rubric')) expect(out).toBe(textOf(PACKED.cli, CLI_FILES.report));
  });

  test('the snapshot of a measurement is replayed to the same figures; only notes may be worded otherwise', async () => {
    const withoutNotes = (text: string): unknown =>
      JSON.parse(text, (name: string, value: unknown) => (name === 'notes' ? undefined : value));
    const { status, out } = await sightline('replay', CLI_FILES.answers, '--json');
    expect(status).toBe(0);
    expect(withoutNotes(out)).toEqual(withoutNotes(textOf(PACKED.cli, CLI_FILES.measured)));
  });

  test('a baseline of an earlier rubric is judged again from its snapshot, and refused without one', async () => {
    const sites = await startSites();
    const worse = await sightline('audit', sites.poor, '--baseline', CLI_FILES.snapshot);
    const refused = await sightline('audit', sites.poor, '--baseline', CLI_FILES.baseline);
    await sites.stop();
    expect([worse.status, worse.err]).toEqual([1, expect.stringContaining('aeo.meta.title')]);
    expect([refused.status, refused.err]).toEqual([2, expect.stringContaining('judged by rubric 2.0.0')]);
    const stored = await sightline('replay', CLI_FILES.baseline, '--json');
    expect([stored.status, stored.out]).toEqual([0, textOf(PACKED.cli, CLI_FILES.baseline)]);
  });

  test('the kept login prints a token that opens the endpoint', async () => {
    const { status, out, err } = await sightline('token', '--base', ORIGINS.api);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    const client = await connect(`${ORIGINS.api}/mcp-account`, 'modern', { authorization: `Bearer ${out.trim()}` });
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    await client.close();
  });

  test('what was spent on that day counts', async () => {
    const file = inFolder(PACKED.cli, '.local/spending.json');
    const day = z
      .looseObject({ signatures: z.literal(1), microUsdc: z.literal('60000') })
      .parse(JSON.parse(readFileSync(file, 'utf8')));
    writeFileSync(file, JSON.stringify({ ...day, microUsdc: '10000000000' }));
    const { status, err } = await sightline('buy', 'check_health', 'https://example.com/', '--base', ORIGINS.api);
    expect([status, err]).toEqual([1, expect.stringContaining('daily_limit_reached')]);
  });
});

test('the facts hold no secrets', async () => {
  expect(await secretsIn([readFileSync(FACTS, 'utf8')])).toEqual([]);
});
