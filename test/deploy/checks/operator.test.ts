import { describe, expect, test } from 'vitest';
import { checkAsOperator } from '../../../src/deploy/checks/operator.ts';
import { checkVersions } from '../../../src/deploy/checks/versions.ts';
import {
  API,
  type Answers,
  bodyOf,
  CONTROL,
  type FakePorts,
  fakePorts,
  found,
  json,
  NOW,
  shortly,
  WEBHOOK,
} from './answers.ts';

const SECRET = 'the-secret-of-the-operator-in-43-characters';
const PROBE = {
  id: 'probe-1',
  address: `${WEBHOOK}/notifications/probe`,
  headers: { 'X-Goog-Channel-ID': 'probe-1' },
  body: '{"id":"probe"}',
};
const common = { version: '0.1.0', settings: [] };

const deployment = (changes: Answers = {}): Answers => ({
  'POST /signin/operator': () =>
    Response.json({ csrf: 'a'.repeat(64) }, { headers: { 'set-cookie': '__Host-session=s3cret; Secure' } }),
  'GET /operator/checkup': json({
    worker: 'api',
    ...common,
    network: 'eip155:8453',
    queues: [{ name: 'prompts', read: true, messages: 0 }],
    dead_letters: { read: true, days: [] },
    facilitator: { read: true, distrusted_at_ms: null },
  }),
  'GET /operator/clients': json({ clients: [] }),
  'POST /operator/clients': json({ client: { id: 'slc_1' }, secret: 'client-secret' }, 201),
  'DELETE /operator/clients/slc_1': json({}),
  'POST /oauth/token': json({ access_token: 'token', token_type: 'Bearer' }),
  'POST /mcp-account': json({ error: {} }, 400),
  [`GET ${CONTROL}/checkup`]: json({
    worker: 'control',
    ...common,
    queues: [],
    bindings: { api: { read: true }, webhook: { read: true }, pdf: { read: true } },
  }),
  [`GET ${WEBHOOK}/checkup`]: json({
    worker: 'webhook',
    ...common,
    channels: { counts: {}, next: null, active: [], more: false },
    inboxes: { waiting: 0, dead: 0, alerts: 0, unread: 0, more: false },
  }),
  [`POST ${WEBHOOK}/probes`]: json(PROBE, 201),
  [`POST ${WEBHOOK}/notifications/probe`]: json({ status: 'accepted' }),
  [`GET ${WEBHOOK}/probes/probe-1`]: json({ state: 'worked' }),
  'POST /signout': json({ ok: true }),
  ...changes,
});

const order = { addresses: { api: API, control: CONTROL, webhook: WEBHOOK } };
const examine = async (changes: Answers = {}, operatorSecret: string | undefined = SECRET) => {
  const ports = fakePorts(deployment(changes), { operatorSecret });
  const { results, checkups } = await checkAsOperator(order, ports);
  return { results, checkups, ports };
};

/** A request that is sent, and whose answer is lost. */
async function lose({ asked }: FakePorts, url: string): Promise<never> {
  asked.push(url);
  throw new TypeError('fetch failed');
}

describe('checks of an operator', () => {
  test('all pass, and what was made for them is removed', async () => {
    const { results, ports } = await examine();
    expect(results.filter(({ status }) => status !== 'pass')).toEqual([]);
    expect(ports.asked.slice(-2)).toEqual(['DELETE /operator/clients/slc_1', 'POST /signout']);
  });

  test('without a secret nothing is asked, and it is unknown', async () => {
    const ports = fakePorts(deployment());
    const { results } = await checkAsOperator(order, ports);
    expect([shortly(results), ports.asked]).toEqual([['unknown operator.sign_in'], []]);
  });

  test.each([
    ['fail', json({}, 404)],
    ['fail', json({}, 403)],
    ['unknown', json({}, 429)],
    ['fail', json({})],
  ])('%s for a sign-in that is refused, which is tried once', async (status, answer) => {
    const { results, ports } = await examine({ 'POST /signin/operator': answer });
    expect(results.map((result) => result.status)).toEqual([status]);
    expect(ports.asked).toEqual(['POST /signin/operator']);
  });

  test('unknown for a secret that this run did not set: it may have been replaced since', async () => {
    const ports = fakePorts(deployment({ 'POST /signin/operator': json({}, 403) }), {
      operatorSecret: SECRET,
      isSecretKept: true,
    });
    const { results } = await checkAsOperator(order, ports);
    expect(results).toMatchObject([
      { id: 'operator.sign_in', status: 'unknown', next: expect.stringContaining('delete the file') },
    ]);
  });

  test('the client and the session are ended also where a Worker breaks in between', async () => {
    const broken = () => Promise.reject(new Error('gone'));
    const { results, ports } = await examine({
      [`GET ${CONTROL}/checkup`]: broken,
      [`POST ${WEBHOOK}/probes`]: broken,
    });
    expect(found(results, 'checkup.control').status).toBe('unknown');
    expect(found(results, 'push.self').status).toBe('unknown');
    expect(ports.asked.slice(-2)).toEqual(['DELETE /operator/clients/slc_1', 'POST /signout']);
  });

  test('a client that a broken run left is removed, one of a run under way is not', async () => {
    const client = (id: string, name: string, ageMinutes: number) => ({
      id,
      name,
      created_at: new Date(NOW - ageMinutes * 60_000).toISOString(),
    });
    const { ports } = await examine({
      'GET /operator/clients': json({
        clients: [
          client('slc_old', 'sightline doctor', 60),
          client('slc_new', 'sightline doctor', 1),
          client('slc_other', 'batch', 60),
        ],
      }),
      'DELETE /operator/clients/slc_old': json({}),
    });
    expect(ports.asked.filter((name) => name.startsWith('DELETE'))).toEqual([
      'DELETE /operator/clients/slc_old',
      'DELETE /operator/clients/slc_1',
    ]);
  });

  test('a secret goes to the api Worker alone, and no secret is in a result', async () => {
    const { results, ports } = await examine();
    ports.sent.forEach((init, at) => {
      if (bodyOf(init).includes(SECRET)) expect(ports.asked[at]).toBe('POST /signin/operator');
      if (JSON.stringify(init.headers ?? {}).includes('session=')) expect(ports.asked[at]).toMatch(/ \//);
    });
    const text = JSON.stringify(results);
    for (const secret of [SECRET, 'client-secret', 's3cret', 'a'.repeat(64)]) expect(text).not.toContain(secret);
  });

  test('whichever one request gets no answer, nothing fails', async () => {
    const { asked } = (await examine()).ports;
    expect(asked.length).toBeGreaterThan(12);
    for (const lost of asked.keys()) {
      const ports = fakePorts(deployment(), { operatorSecret: SECRET });
      const ask: typeof ports.ask = (url, init) =>
        ports.asked.length === lost ? lose(ports, url) : ports.ask(url, init);
      const { results } = await checkAsOperator(order, { ...ports, ask });
      expect([asked[lost], ...shortly(results).filter((line) => line.startsWith('fail'))]).toEqual([asked[lost]]);
    }
  });

  test('an older Worker that has no such answer is unknown', async () => {
    const { results } = await examine({
      [`GET ${CONTROL}/checkup`]: json({}, 404),
      [`POST ${WEBHOOK}/probes`]: json({}, 404),
    });
    expect(found(results, 'checkup.control').status).toBe('unknown');
    expect(found(results, 'push.self').status).toBe('unknown');
  });

  test('a token that is not given, or not taken, fails', async () => {
    const given = await examine({ 'POST /oauth/token': json({ error: 'invalid_client' }, 401) });
    expect(found(given.results, 'operator.token').status).toBe('fail');
    const taken = await examine({ 'POST /mcp-account': json({}, 401) });
    expect(found(taken.results, 'operator.token').status).toBe('fail');
  });
});

describe('a push to the deployment itself', () => {
  const pushed = async (changes: Answers) => found((await examine(changes)).results, 'push.self');

  test('is waited for until it is worked', async () => {
    const states = ['waiting', 'delivering', 'worked'];
    const answer = () => Response.json({ state: states.shift() });
    expect((await pushed({ [`GET ${WEBHOOK}/probes/probe-1`]: answer })).status).toBe('pass');
    expect(states).toEqual([]);
  });

  test.each([
    ['fail', 'it is not taken', { [`POST ${WEBHOOK}/notifications/probe`]: json({}, 401) }],
    ['fail', 'it is never worked', { [`GET ${WEBHOOK}/probes/probe-1`]: json({ state: 'waiting' }) }],
    ['fail', 'it was not received', { [`GET ${WEBHOOK}/probes/probe-1`]: json({ state: 'not_received' }) }],
    ['fail', 'it is given up', { [`GET ${WEBHOOK}/probes/probe-1`]: json({ state: 'dead' }) }],
    [
      'fail',
      'its address is elsewhere',
      { [`POST ${WEBHOOK}/probes`]: json({ ...PROBE, address: 'https://x.example/' }, 201) },
    ],
    ['unknown', 'its state cannot be read', { [`GET ${WEBHOOK}/probes/probe-1`]: json({}, 503) }],
  ])('%s where %s', async (status, _, changes) => {
    expect((await pushed(changes)).status).toBe(status);
  });
});

describe('versions', () => {
  const discovery = { 'GET /.well-known/mcp.json': json({ serverInfo: { version: '0.1.0' } }) };
  const check = async (changes: Answers = {}, version = '0.1.0') => {
    const { checkups } = await examine(changes);
    return checkVersions({ ...order, expected: { version } }, checkups, fakePorts(discovery));
  };

  test('that are one pass; an older command line is a warning', async () => {
    expect(shortly(await check())).toEqual(['pass version.service', 'pass version.workers']);
    expect(shortly(await check({}, '0.2.0'))).toEqual(['warn version.service', 'pass version.workers']);
  });

  test('a Worker of another version fails', async () => {
    const answer = deployment()[`GET ${CONTROL}/checkup`];
    if (answer === undefined) throw new Error('no such answer');
    const other = { ...((await (await answer({}, new URL(CONTROL))).json()) as object), version: '0.0.9' };
    expect(found(await check({ [`GET ${CONTROL}/checkup`]: json(other) }), 'version.workers').detail).toContain(
      'control 0.0.9',
    );
  });
});
