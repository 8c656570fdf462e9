import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import type { ApiAnswer } from '../../src/deploy/api.ts';
import { createMachine, createFakePorts, deploy, GIVEN, order } from '../support/deploy/run-deploy.ts';
import { type FakeFault, FakePlatform } from '../support/deploy/platform.ts';

const API = 'sightline-api-staging';
const OTHER = `0x${'bb'.repeat(20)}`;
const readSecret = (platform: FakePlatform, name: string): string | undefined =>
  platform.workers.get(API)?.secretValues[name];

test('a bare account gets stores, Workers in an order that works, and settings', async () => {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  const end = await deploy(platform, machine);
  expect(end).toMatchObject({ ok: true, isChanged: true, handedOver: '/home/ada/made.env' });
  expect([...platform.queues.keys()].toSorted()).toEqual(
    ['prompts-staging', 'prompts-staging-dlq', 'push-staging', 'wake-staging'].map((name) => `sightline-${name}`),
  );
  expect(platform.buckets.get('sightline-reports-staging')?.map(({ id }) => id)).toEqual([
    'snapshots',
    'runs',
    'reports',
    'cards',
    'imports',
  ]);
  expect(platform.workers.get(API)?.secretValues).toMatchObject({
    ...GIVEN,
    BASE_URL: 'https://sightline-api-staging.first.workers.dev',
    PAYMENTS_SINCE: '1800000000',
  });
  expect(readSecret(platform, 'LEDGER_SECRET')?.length).toBeGreaterThan(60);
  expect(platform.workers.get('sightline-control-staging')?.secretValues).toMatchObject({
    BASE_URL: 'https://sightline-api-staging.first.workers.dev',
    CONTROL_URL: 'https://sightline-control-staging.first.workers.dev',
    OPERATOR_TENANT: 'C0operator',
  });
  // Control is named by api, which it names itself: a stub is put first, and then replaced.
  expect(platform.workers.get('sightline-control-staging')?.versions.length).toBeGreaterThan(1);
});

test('a second run changes nothing, and starts no wrangler', async () => {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  await deploy(platform, machine);
  platform.changes.length = 0;
  expect(await deploy(platform, machine)).toMatchObject({ ok: true, isChanged: false, handedOver: undefined });
  expect(platform.changes).toEqual([]);
});

test('new sources are uploaded over the old ones, and no secret is made again', async () => {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  await deploy(platform, machine);
  const before = readSecret(platform, 'LEDGER_SECRET');
  machine.sources = 'b';
  platform.changes.length = 0;
  expect(await deploy(platform, machine)).toMatchObject({ ok: true, isChanged: true });
  expect(platform.changes.map((call) => call.split(' ').slice(0, 4).join(' '))).toEqual(
    [
      'wrangler deploy --config wrangler.models.toml',
      'wrangler deploy --config wrangler.pdf.toml',
      'wrangler deploy --config wrangler.toml',
      'wrangler deploy --config wrangler.webhook.toml',
      'wrangler deploy --config wrangler.control.toml',
    ].toSorted(
      (a, b) =>
        platform.changes.findIndex((call) => call.startsWith(a)) -
        platform.changes.findIndex((call) => call.startsWith(b)),
    ),
  );
  expect(readSecret(platform, 'LEDGER_SECRET')).toBe(before);
});

test.each<[string, string, (platform: FakePlatform) => void]>([
  ['its address', 'wrangler.toml', (one) => void Object.assign(one.workers.get(API) ?? {}, { workersDev: false })],
  ['its queue', 'wrangler.control.toml', (one) => void one.queues.set('sightline-push-staging', [])],
  [
    'its cron',
    'wrangler.webhook.toml',
    (one) => void Object.assign(one.workers.get('sightline-webhook-staging') ?? {}, { crons: [] }),
  ],
])('a run that was killed between an upload and %s is continued', async (_what, file, kill) => {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  await deploy(platform, machine);
  kill(platform);
  platform.changes.length = 0;
  await deploy(platform, machine);
  expect(platform.changes).toEqual([expect.stringContaining(`wrangler deploy --config ${file} `)]);
});

test('staging and production lie beside each other', async () => {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  await deploy(platform, machine);
  expect(await deploy(platform, createMachine(), { env: 'production' })).toMatchObject({ ok: true });
  expect(platform.workers.size).toBe(10);
  platform.changes.length = 0;
  await deploy(platform, machine);
  expect(platform.changes).toEqual([]);
});

test('a dry run shows every call of the real one, and makes none', async () => {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  const dry = await deploy(platform, machine, { isDryRun: true });
  expect(dry).toMatchObject({ ok: true, isChanged: false });
  expect([platform.changes, platform.databases.size, machine.file.size]).toEqual([[], 0, 0]);
  const shown = machine.events.filter(({ kind }) => kind === 'would').map(({ text }) => text.split('\n')[0] ?? '');
  await deploy(platform, machine);
  const made = platform.changes.map((call) => call.replace(/^wrangler/, 'npx wrangler'));
  expect(shown.filter((call) => call.startsWith('npx')).map((call) => call.replaceAll("'", ''))).toEqual(made);
  expect(JSON.stringify([machine.events, dry])).not.toContain(GIVEN.RPC_URL);
  const listed = dry.ok ? dry.steps.flatMap(({ would = [] }) => would.map((call) => call.split('\n')[0])) : [];
  expect(listed).toEqual(shown);
});

test('values go to standard input alone', async () => {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  const end = await deploy(platform, machine);
  const values = [...platform.workers.values()].flatMap(({ secretValues }) => [
    secretValues['LEDGER_SECRET'],
    secretValues['OPERATOR_SECRET'],
    secretValues['CHANNEL_TOKEN_KEYS'],
    secretValues['RPC_URL'],
  ]);
  const secrets = values.filter((value) => value !== undefined);
  expect(secrets.length).toBe(4);
  const seen = JSON.stringify([platform.changes, machine.events, end]);
  for (const secret of secrets) {
    expect(seen).not.toContain(secret);
    expect(platform.inputs.some((input) => input.includes(secret))).toBe(true);
  }
});

describe('settings that exist', () => {
  test('stay, whatever the file has; --replace sets one again, and never the key of the ledger', async () => {
    const [platform, machine] = [new FakePlatform(), createMachine()];
    await deploy(platform, machine);
    const ledger = readSecret(platform, 'LEDGER_SECRET');
    const settings = new Map([...order.settings, ['PAY_TO', OTHER], ['LEDGER_SECRET', 'x'.repeat(40)]] as const);
    platform.changes.length = 0;
    await deploy(platform, machine, { settings });
    expect(platform.changes).toEqual([]);
    await deploy(platform, machine, { settings, replace: new Set(['PAY_TO', 'LEDGER_SECRET']) });
    expect([readSecret(platform, 'PAY_TO'), readSecret(platform, 'LEDGER_SECRET')]).toEqual([OTHER, ledger]);
  });

  test('sales that were closed stay closed, until --replace opens them', async () => {
    const [platform, machine] = [new FakePlatform(), createMachine()];
    const sell = (how: string) => ({ settings: new Map([...order.settings, ['SALES', how]] as const) });
    await deploy(platform, machine, sell('closed'));
    machine.sources = 'b';
    await deploy(platform, machine, sell('open'));
    expect(readSecret(platform, 'SALES')).toBe('closed');
    await deploy(platform, machine, { ...sell('open'), replace: new Set(['SALES']) });
    expect(readSecret(platform, 'SALES')).toBe('open');
  });

  test('that are missing are asked for; where no one can be asked, they are named and nothing is changed', async () => {
    const [platform, machine] = [new FakePlatform(), createMachine()];
    const refused = await deploy(platform, machine, { settings: new Map() });
    expect(refused).toMatchObject({ ok: false, reason: 'settings_missing' });
    expect(JSON.stringify(refused)).toContain('FACILITATOR_URL');
    expect([platform.changes, machine.file.size]).toEqual([[], 0]);
    const ask = ({ name }: { name: string }) => Promise.resolve(name === 'PAY_TO' ? OTHER : 'https://typed.example');
    expect(await deploy(platform, machine, { settings: new Map() }, { ask })).toMatchObject({ ok: true });
    expect(readSecret(platform, 'PAY_TO')).toBe(OTHER);
  });

  test('a secret that was written down and could not be set is used by the next run', async () => {
    const [platform, machine] = [new FakePlatform(), createMachine()];
    platform.fault = (call) => (call.startsWith('wrangler secret bulk') ? 'lost' : undefined);
    expect(await deploy(platform, machine)).toMatchObject({ ok: false });
    const written = machine.file.get('LEDGER_SECRET');
    expect(written).toBeTruthy();
    platform.fault = () => undefined;
    await deploy(platform, machine);
    expect(readSecret(platform, 'LEDGER_SECRET')).toBe(written);
  });
});

describe('values that cannot work', () => {
  test('of the file are refused by name, without the value, before the platform is read', async () => {
    const [platform, machine] = [new FakePlatform(), createMachine()];
    const settings = new Map([...order.settings, ['PAY_TO', '0xaa'], ['RPC_URL', 'http://rpc.example/key']] as const);
    const refused = await deploy(platform, machine, { settings });
    expect(refused).toMatchObject({ ok: false, reason: 'settings_unusable', message: '2 settings cannot be used.' });
    expect(JSON.stringify(refused)).toContain('PAY_TO: ');
    expect(JSON.stringify(refused)).not.toContain('rpc.example');
    expect([platform.changes, machine.file.size]).toEqual([[], 0]);
  });

  test('that are typed are refused too, and so is a file of made secrets that was changed', async () => {
    const [platform, machine] = [new FakePlatform(), createMachine()];
    let asked = 0;
    const ask = () => {
      asked += 1;
      return Promise.resolve('what I meant');
    };
    expect(await deploy(platform, machine, { settings: new Map() }, { ask })).toMatchObject({
      reason: 'settings_unusable',
    });
    expect(asked).toBe(3);
    machine.file.set('OPERATOR_SECRET', 'short');
    expect(await deploy(platform, machine)).toMatchObject({ reason: 'secrets_file_unusable' });
    expect(platform.changes).toEqual([]);
  });
});

test('a setting that is typed wrong is asked for again, with what is wrong and without the value', async () => {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  const questions: string[] = [];
  const ask = ({ name, ask: what }: { name: string; ask?: string }, faults: readonly string[]) => {
    questions.push([name, what, ...faults].join(' | '));
    if (name === 'PAY_TO') return Promise.resolve(faults.length === 0 ? '0x12' : OTHER);
    return Promise.resolve('https://typed.example');
  };
  expect(await deploy(platform, machine, { settings: new Map() }, { ask })).toMatchObject({ ok: true });
  expect(readSecret(platform, 'PAY_TO')).toBe(OTHER);
  expect(questions.map((line) => line.split(' | ')[0])).toEqual(['PAY_TO', 'PAY_TO', 'RPC_URL', 'FACILITATOR_URL']);
  expect(questions[1]).toContain('| PAY_TO: it does not have its form');
  expect(questions.join('\n')).not.toContain('0x12');
});

test.each([
  [
    'Base, and how to sell on its test network',
    {},
    /address on Base that .*PAYMENT_NETWORK=eip155:84532/,
    /of Base, https/,
  ],
  [
    'the test network of the file',
    { PAYMENT_NETWORK: 'eip155:84532' },
    /address on Base Sepolia that [^=]*$/,
    /of Base Sepolia, https/,
  ],
])('a question for a setting names the network: %s', async (_what, given, payee, rpc) => {
  const questions: string[] = [];
  const ask = ({ name, ask: what = '' }: { name: string; ask?: string }) => {
    questions.push(what);
    return Promise.resolve(name === 'PAY_TO' ? OTHER : 'https://typed.example');
  };
  await deploy(new FakePlatform(), createMachine(), { settings: new Map(Object.entries(given)) }, { ask });
  expect(questions[0]).toMatch(payee);
  expect(questions[1]).toMatch(rpc);
});

test('what the file has and a Worker has already is said to be kept', async () => {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  await deploy(platform, machine);
  const listKept = async (replace: readonly string[]) => {
    machine.events.length = 0;
    await deploy(platform, machine, { replace: new Set(replace) });
    return machine.events.filter(({ text }) => text.includes('kept')).map(({ title, text }) => `${title}: ${text}`);
  };
  const why = 'set before, and kept; --replace <name> takes one from the file';
  expect(await listKept([])).toEqual([`${API}: PAY_TO, RPC_URL, FACILITATOR_URL: ${why}`]);
  expect(await listKept(['RPC_URL'])).toEqual([`${API}: PAY_TO, FACILITATOR_URL: ${why}`]);
  machine.events.length = 0;
  await deploy(platform, machine, { settings: new Map([['LEDGER_SECRET', 'x'.repeat(40)]]) });
  const said = machine.events.filter(({ text }) => text.includes('LEDGER_SECRET')).map(({ text }) => text);
  expect(said).toEqual(['LEDGER_SECRET: set before, and never replaced']);
});

describe('the smoke test expects', () => {
  test('what this run set, and knows of the rest that the deployment may be right', async () => {
    const [platform, machine] = [new FakePlatform(), createMachine()];
    const listSet = async (change: Partial<typeof order>) => {
      let seen: readonly string[] = [];
      const { smoke } = createFakePorts(platform, machine);
      await deploy(platform, machine, change, {
        smoke: (given) => {
          seen = [...(given.set ?? [])];
          return smoke(given);
        },
      });
      return seen.filter((name) => ['PAY_TO', 'OPERATOR_SECRET', 'RPC_URL'].includes(name));
    };
    expect(await listSet({})).toEqual(['PAY_TO', 'RPC_URL', 'OPERATOR_SECRET']);
    expect(await listSet({})).toEqual([]);
    const settings = new Map([...order.settings, ['PAY_TO', OTHER]] as const);
    expect(await listSet({ settings, replace: new Set(['PAY_TO']) })).toEqual(['PAY_TO']);
  });

  const expectedNetwork = async (settings: readonly (readonly [string, string])[], before = new FakePlatform()) => {
    const seen: (string | undefined)[] = [];
    const machine = createMachine();
    const { smoke } = createFakePorts(before, machine);
    await deploy(
      before,
      machine,
      { settings: new Map([...order.settings, ...settings]) },
      {
        smoke: (given) => {
          seen.push(given.network);
          return smoke(given);
        },
      },
    );
    return [before, ...seen] as const;
  };

  test('the network of the settings, or Base, and none where the platform alone knows it', async () => {
    const [platform, first] = await expectedNetwork([['PAYMENT_NETWORK', 'eip155:84532']]);
    expect(first).toBe('eip155:84532');
    expect((await expectedNetwork([], platform))[1]).toBeUndefined();
    expect((await expectedNetwork([]))[1]).toBe('eip155:8453');
  });
});

test('configuration files that cannot be read, or are of something else, are said', async () => {
  const platform = new FakePlatform();
  const files = { ...platform.readConfigurations('staging'), 'wrangler.toml': { name: 7 } };
  const end = await deploy(platform, createMachine(), {}, { readConfigurations: async () => ({ ok: true, files }) });
  expect(end).toMatchObject({ ok: false, reason: 'configuration_unreadable' });
  expect(JSON.stringify(end)).toContain('wrangler.toml is no configuration of this service for staging');
  expect(platform.changes).toEqual([]);
});

test('a list of settings that does not come is no list without secrets', async () => {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  await deploy(platform, machine);
  const ledger = readSecret(platform, 'LEDGER_SECRET');
  machine.file.clear();
  platform.changes.length = 0;
  const { api } = createFakePorts(platform, machine);
  const get: typeof api.get = (path, schema) =>
    path.endsWith('/settings') ? parsed(schema, {}) : api.get(path, schema);
  expect(await deploy(platform, machine, {}, { api: { ...api, get } })).toMatchObject({
    ok: false,
    reason: 'platform_refused',
  });
  expect([platform.changes, readSecret(platform, 'LEDGER_SECRET')]).toEqual([[], ledger]);
});

/** An answer of the platform without what a list has. */
async function parsed<T>(schema: z.ZodType<T>, result: unknown): Promise<ApiAnswer<T>> {
  const read = schema.safeParse(result);
  if (read.success) return { ok: true, result: read.data };
  return {
    ok: false,
    kind: 'refused',
    call: 'GET',
    status: 200,
    code: undefined,
    message: 'the answer has another form',
  };
}

describe('what is refused before anything is changed', () => {
  const rows: readonly [string, (platform: FakePlatform) => void, string][] = [
    ['no account', (one) => void one.accounts.splice(0), 'account_missing'],
    ['several accounts', (one) => void one.accounts.push({ id: 'acc-2', name: 'Second' }), 'account_open'],
    ['the free plan', (one) => void (one.subscriptions = []), 'plan_free'],
    ['no name at workers.dev', (one) => void (one.subdomain = undefined), 'subdomain_missing'],
    [
      'a login that is not valid',
      (one) => void (one.fault = () => ({ status: 401, code: 10_000 })),
      'permission_missing',
    ],
    [
      'R2 that is off',
      (one) => void (one.fault = (call) => (call.includes('/r2/') ? { status: 403, code: 10_042 } : undefined)),
      'r2_off',
    ],
  ];
  test.each(rows)('%s', async (_what, arrange, reason) => {
    const platform = new FakePlatform();
    arrange(platform);
    const end = await deploy(platform, createMachine());
    expect(end).toMatchObject({ ok: false, reason, next: expect.stringMatching(/\S/) });
    expect(platform.changes).toEqual([]);
  });

  test('an account that the login does not have', async () => {
    const platform = new FakePlatform();
    expect(await deploy(platform, createMachine(), { account: 'acc-9' })).toMatchObject({ reason: 'account_unknown' });
  });

  test('a plan that may not be read is no free plan', async () => {
    const platform = new FakePlatform();
    platform.subscriptions = undefined;
    expect(await deploy(platform, createMachine())).toMatchObject({ ok: true });
  });

  test('the name of a foreign Worker, unless the operator says that it is theirs', async () => {
    const platform = new FakePlatform();
    const bindings = [{ type: 'durable_object_namespace', name: 'X', class_name: 'Chat' }];
    const version = { id: 'v', number: 1, bindings, tag: undefined, trigger: 'upload' };
    platform.workers.set(API, { versions: [version], live: 'v', workersDev: true, crons: [], secretValues: {} });
    const refused = await deploy(platform, createMachine());
    expect(refused).toMatchObject({ reason: 'name_taken' });
    expect(JSON.stringify(refused)).toContain(`--adopt ${API}`);
    expect(platform.changes).toEqual([]);
    expect(await deploy(platform, createMachine(), { adopt: new Set([API]) })).toMatchObject({ ok: true });
  });
});

test('a deployment of before this command is taken over: its Workers are known by their objects, its settings stay', async () => {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  await deploy(platform, machine, { env: 'production' });
  for (const worker of platform.workers.values())
    for (const version of worker.versions)
      version.bindings = version.bindings.filter(({ name }) => name !== 'SIGHTLINE_DEPLOYMENT');
  const before = platform.workers.get('sightline-api')?.secretValues['LEDGER_SECRET'];
  platform.changes.length = 0;
  expect(await deploy(platform, createMachine(), { env: 'production', settings: new Map() })).toMatchObject({
    ok: true,
  });
  expect(platform.changes.filter((call) => call.includes('secret bulk'))).toEqual([]);
  expect(platform.changes.filter((call) => call.startsWith('wrangler deploy'))).toHaveLength(5);
  expect(platform.workers.get('sightline-api')?.secretValues['LEDGER_SECRET']).toBe(before);
});

describe('a run that breaks at any call', () => {
  /** Every call of a first run that changes something. */
  async function listCalls(): Promise<readonly string[]> {
    const platform = new FakePlatform();
    await deploy(platform, createMachine());
    return platform.changes;
  }

  test.each<[string, FakeFault]>([
    ['a lost connection', 'lost'],
    ['an answer 500', { status: 500 }],
    ['a refusal', { status: 400, code: 10_021 }],
  ])('%s is said, and the same command goes on', async (_what, fault) => {
    const calls = await listCalls();
    expect(calls.length).toBeGreaterThan(12);
    for (const broken of calls) {
      const [platform, machine] = [new FakePlatform(), createMachine()];
      platform.fault = (call) => (broken.startsWith(call) || call === broken ? fault : undefined);
      const end = await deploy(platform, machine);
      expect([broken, end]).toMatchObject([
        broken,
        {
          ok: false,
          message: expect.stringMatching(/^Could not /),
          next: expect.stringMatching(/\S/),
        },
      ]);
      expect([broken, (end as { isUnreachable?: true }).isUnreachable === true]).toEqual([broken, fault === 'lost']);
      platform.fault = () => undefined;
      expect([broken, await deploy(platform, machine)]).toMatchObject([broken, { ok: true }]);
      platform.changes.length = 0;
      await deploy(platform, machine);
      expect([broken, ...platform.changes]).toEqual([broken]);
    }
  });

  test('a busy moment is waited for', async () => {
    const [platform, machine] = [new FakePlatform(), createMachine()];
    const seen = new Set<string>();
    platform.fault = (call) => {
      if (seen.has(call)) return undefined;
      seen.add(call);
      return { status: 429 };
    };
    expect(await deploy(platform, machine)).toMatchObject({ ok: true });
    expect(machine.waited).toBeGreaterThan(0);
  });

  test('every read that gets no answer stops the run before it changes anything', async () => {
    const whole = new FakePlatform();
    await deploy(whole, createMachine());
    for (const lost of new Set(whole.reads)) {
      const platform = new FakePlatform();
      platform.fault = (call) => (call === lost ? 'lost' : undefined);
      const end = await deploy(platform, createMachine());
      expect([lost, end]).toMatchObject([lost, { ok: false, reason: 'platform_unreachable', isUnreachable: true }]);
      expect([lost, ...platform.changes]).toEqual([lost]);
    }
  });
});

test('a signal ends the run before its next call, and the lock is free again', async () => {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  const end = await deploy(platform, machine, {}, { isStopped: () => platform.changes.length > 3 });
  expect(end).toMatchObject({ ok: false, reason: 'stopped' });
  expect(platform.changes.length).toBe(4);
  const again = createFakePorts(platform, machine, 'run-2');
  expect(await deploy(platform, machine, {}, { lock: again.lock })).toMatchObject({ ok: true });
});

test('a signal that ends a wrangler on its way is said as what it is, and starts none again', async () => {
  const [platform, machine] = [new FakePlatform(), createMachine()];
  let starts = 0;
  const runWrangler = () => {
    starts += 1;
    return Promise.resolve({ code: -1, output: 'socket hang up' });
  };
  const end = await deploy(platform, machine, {}, { runWrangler, isStopped: () => starts > 0 });
  expect([end, starts]).toMatchObject([
    { ok: false, reason: 'stopped', message: expect.stringContaining('Stopped while it was to make the bucket') },
    1,
  ]);
});
