import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createControlApp } from '../../../routes/control/app.ts';
import { hybridSchemas } from '../../../src/management/interfaces/hybrid/answers-data.ts';
import { findHybridRow } from '../../../src/management/interfaces/hybrid/handlers.ts';
import type { OverridesProblem } from '../../../src/hybrid/core/problem.ts';
import { MAX_OVERRIDES_CHARS } from '../../../src/hybrid/core/source.ts';
import { isObject, type Json, type JsonObject } from '../../../src/lib/json.ts';
import { methods } from '../../../src/management/core/table/method-row.ts';
import { createMethodRouter } from '../../../src/management/core/table/router.ts';
import { CONTROL_URL, tokenFor } from '../../support/workers/control-tokens.ts';
import { call, gzipOf, json, objectsOfTenants } from './world.ts';

const CHECK = '/v1/hybrid:check';
const MIGRATE = '/v1/hybrid:migrate';
const PLAN = '/v1/hybrid:plan';
const METHODS = [CHECK, MIGRATE, PLAN];
const MIB = 1_048_576;

/** Lines behind an organization, as many as a file may have. */
const filled = (line: (index: number) => string): string => {
  let text = 'org: o\n';
  for (let index = 0; text.length < MAX_OVERRIDES_CHARS - 40; index += 1) text += line(index);
  return text;
};

const OLD = `# Ours.
gcp:
  region: europe-west1
  projectID: tidewater

k8sCluster:
  name: runtime
  region: europe-west1

org: tidewater

virtualhosts:
  - name: default
    hostAliases: ["api.example.com"]
    sslCertPath: ./certs/fullchain.pem
    sslKeyPath: ./certs/privkey.pem
    routingRules:
      - env: test
        paths:
          - /orders

envs:
  - name: test
    serviceAccountPaths:
      synchronizer: ./sa/synchronizer.json
      udca: ./sa/udca.json

mart:
  hostAlias: "mart.example.com"
  serviceAccountPath: ./sa/tidewater-apigee-mart.json
  sslCertPath: ./certs/fullchain.pem
  sslKeyPath: ./certs/privkey.pem

metrics:
  serviceAccountPath: ./sa/tidewater-apigee-metrics.json
`;

/** What version 1.1 had, at line 4, column 5. */
const TOO_OLD = `org: tidewater
envs:
  - name: test
    hostAlias: "api.example.com"
    sslCertPath: ./tls.crt
    sslKeyPath: ./tls.key
`;

type Violation = { field?: string; description: string; reason?: string };
type Refused = {
  error: {
    code: number;
    message: string;
    status: string;
    details?: { '@type': string; fieldViolations?: Violation[] }[];
  };
};
type Migrated = {
  version: string;
  changed: boolean;
  overrides: string;
  diff: string;
  environmentGroups: { group: string; hostnames: string[]; environments: string[] }[];
};
type Planned = { to: string; dryRun: string; steps: { id: string }[] };

const post = (path: string, body: unknown, sent: { token?: string | null; headers?: Record<string, string> } = {}) =>
  call(path, { method: 'POST', body, ...sent });

/** A body that a method takes, with a file of one's own. */
const bodyOf = (path: string, overrides = OLD, more: object = {}): object => ({
  overrides,
  ...(path === PLAN && { kubectl: '1.18' }),
  ...more,
});

async function refusedOf(answer: Promise<Response>): Promise<[number, string, Violation[]]> {
  const { error } = await json<Refused>(answer);
  return [error.code, error.status, error.details?.flatMap(({ fieldViolations }) => fieldViolations ?? []) ?? []];
}

describe('a file of version 1.2', () => {
  test('has no errors for hybrid:check', async () => {
    const answer = await post(CHECK, bodyOf(CHECK));
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await answer.json()).toMatchObject({ version: '1.2', isFragment: false, ok: true });
  });

  test('becomes one of 1.3 by hybrid:migrate, with its diff and its environment groups', async () => {
    const answer = await post(MIGRATE, bodyOf(MIGRATE, OLD, { fileName: 'ours.yaml' }));
    const { overrides, diff, environmentGroups, ...rest } = await json<Migrated>(answer);
    expect([answer.status, rest]).toMatchObject([
      200,
      { version: '1.2', isFragment: false, changed: true, problems: [] },
    ]);
    expect(overrides).toContain('instanceID: "runtime-europe-west1"');
    expect(overrides).not.toContain('routingRules');
    expect(diff).toMatch(/^--- ours\.yaml\n\+\+\+ ours\.yaml\n@@ -/);
    expect(diff).toContain('\n-    hostAliases: ["api.example.com"]\n');
    expect(environmentGroups).toMatchObject([
      { group: 'default', hostnames: ['api.example.com'], environments: ['test'], basePaths: { test: ['/orders'] } },
    ]);
    const again = await json<Migrated>(post(MIGRATE, { overrides }));
    expect(again).toMatchObject({ version: '1.3', changed: false, overrides, diff: '' });
    expect(await json(post(CHECK, { overrides }))).toMatchObject({ version: '1.3', ok: true });
  });

  test('has the values that the caller gives', async () => {
    const options = { instanceId: 'mine', groups: { default: 'shop' } };
    const { overrides, environmentGroups } = await json<Migrated>(post(MIGRATE, bodyOf(MIGRATE, OLD, { options })));
    expect(overrides).toMatch(/^instanceID: "?mine"?$/m);
    expect(environmentGroups.map(({ group }) => group)).toEqual(['shop']);
  });

  test('has a plan by hybrid:plan, as JSON, text or Markdown', async () => {
    const body = bodyOf(PLAN, OLD, { platform: 'attached', envsOneByOne: true });
    const plan = await json<Planned>(post(PLAN, body));
    expect(plan).toMatchObject({ to: '1.3.6', dryRun: 'client', platform: 'attached' });
    expect(plan.steps.length).toBeGreaterThan(8);
    expect(await json<Planned>(post(PLAN, { ...body, kubectl: '1.17' }))).toMatchObject({ dryRun: 'true' });
    const { text, ...noMore } = await json<{ text: string }>(post(PLAN, { ...body, format: 'text' }));
    expect([text.includes('apigeectl'), noMore]).toEqual([true, {}]);
    const { markdown } = await json<{ markdown: string }>(post(PLAN, { ...body, format: 'markdown' }));
    expect(markdown).toMatch(/^# /);
  });

  test.each([
    ['CRLF', OLD.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${OLD}`],
  ])('keeps its %s', async (_what, file) => {
    const { overrides } = await json<Migrated>(post(MIGRATE, bodyOf(MIGRATE, file)));
    expect(overrides.startsWith('\uFEFF')).toBe(file.startsWith('\uFEFF'));
    expect(overrides.split('\r\n').length > 1).toBe(file.includes('\r\n'));
    expect(overrides.replaceAll('\r\n', '').includes('\n')).toBe(!file.includes('\r\n'));
  });
});

test.each(METHODS)('%s asks no object of a tenant, and needs none of a live tenant either', async (path) => {
  const before = await objectsOfTenants();
  for (const tenant of ['C0hybrid1', 'C0000live'])
    expect((await post(path, bodyOf(path), { token: tokenFor({ tenant }) })).status).toBe(200);
  expect(await objectsOfTenants()).toBe(before);
});

test.each(METHODS)('every member of the answer of %s is one that fields can select', async (path) => {
  const answer = await json<JsonObject>(post(path, bodyOf(path)));
  const wrong: string[] = [];
  const walk = (value: Json, ref: string): void => {
    if (Array.isArray(value)) for (const each of value) walk(each, ref);
    if (!isObject(value)) return;
    for (const [name, member] of Object.entries(value)) {
      const field = hybridSchemas[ref]?.[name];
      if (field === undefined) wrong.push(`${ref}.${name}`);
      const inner = (field?.items ?? field)?.ref;
      if (inner !== undefined) walk(member, inner);
    }
  };
  walk(answer, findHybridRow(path)?.response ?? '');
  expect(wrong).toEqual([]);
});

describe('a refused file', () => {
  test('is an answer for hybrid:check, with line, column, code and fix', async () => {
    const answer = await post(CHECK, { overrides: TOO_OLD });
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      {
        version: '1.1',
        ok: false,
        problems: [4, 5, 6].map((line) => ({ line, column: 5, code: 'version-1-1', severity: 'error' })),
      },
    ]);
  });

  test.each([MIGRATE, PLAN])('is 400 FAILED_PRECONDITION for %s, with each problem at its place', async (path) => {
    const { error } = await json<Refused>(post(path, bodyOf(path, TOO_OLD)));
    expect(error).toMatchObject({ code: 400, status: 'FAILED_PRECONDITION' });
    expect(error.message).toContain('line 4, column 5');
    expect(error.details).toMatchObject([
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [4, 5, 6].map((line) => ({ field: `overrides:${line}:5`, reason: 'VERSION_1_1' })),
      },
    ]);
    expect(error.details?.[0]?.fieldViolations?.[0]?.description).toContain('Upgrade to 1.2 first');
  });

  test.each([
    ['10,000 lists within each other', `org: o\nx: ${'['.repeat(10_000)}`],
    ['10,000 closed lists within each other', `org: o\nx: ${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['100,000 lists in block style', `org: o\nx:\n${'- '.repeat(100_000)}a`],
    ['700 mappings within each other', Array.from({ length: 700 }, (_, at) => `${' '.repeat(at)}a:\n`).join('')],
    ['mappings as keys', `org: o\n${'? '.repeat(20_000)}a`],
    ['an alias bomb', `org: o\n${bomb(30)}`],
    ['a merge of itself', 'org: &o\n  <<: *o\n'],
    ['tags', `org: o\nvirtualhosts: ${'!!map '.repeat(1_000)}{}`],
    ['nothing', ''],
    ['zeros', '\0'.repeat(1_000)],
    ['half of a character', 'org: \ud800'],
    ['no YAML', 'org: "o\n  : : ]'],
    ['one line as long as a file may be', 'x'.repeat(MAX_OVERRIDES_CHARS)],
    ['as many keys as a file may have', filled((index) => `k${index}: 1\n`)],
    ['as many environments', filled((index) => (index === 0 ? 'envs:\n' : `- name: e${index}\n`))],
    ['as many anchors', filled((index) => `k${index}: &a${index} x\n`)],
    ['20,000 bad lines', '\ta: {{ x }}\n'.repeat(20_000)],
  ])('of %s is a refusal soon', async (_what, file) => {
    const checked = await json<{ ok: boolean; problems: unknown[] }>(post(CHECK, { overrides: file }));
    expect(checked.ok).toBe(false);
    for (const path of [MIGRATE, PLAN]) {
      const [code, status, violations] = await refusedOf(post(path, bodyOf(path, file)));
      expect([code, status]).toEqual([400, 'FAILED_PRECONDITION']);
      expect(violations.length).toBeLessThanOrEqual(200);
      expect(violations.every(({ field }) => /^overrides:\d+:\d+$/.test(field ?? ''))).toBe(true);
    }
  });
});

/** Lists of lists by alias: as many items as two to the power of `depth`. */
function bomb(depth: number): string {
  const lists = Array.from({ length: depth }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`);
  return ['a0: &a0 [x, x]', ...lists].join('\n');
}

describe('what to do', () => {
  const disabled = `${OLD}connectAgent:\n  enabled: false\n`;

  test('names options of the body, not flags of the command line', async () => {
    const { problems } = await json<{ problems: OverridesProblem[] }>(post(CHECK, { overrides: disabled }));
    expect(problems.map(({ fix }) => fix)).toContain('Agree with options.enableConnect.');
    for (const path of [MIGRATE, PLAN]) {
      const { error } = await json<Refused>(post(path, bodyOf(path, disabled)));
      expect(error.message).toContain('options.enableConnect');
      expect(JSON.stringify(error)).not.toContain('--');
    }
    const group = OLD.replace('name: default', 'name: Default');
    const [, , [named]] = await refusedOf(post(MIGRATE, { overrides: group }));
    expect(named?.description).toMatch(/ Give another with options\.groups\.$/);
    const options = { region: 'us-east1' };
    const [, , [region]] = await refusedOf(post(MIGRATE, { overrides: OLD, options }));
    expect(region?.description).toMatch(/^options\.region gives another value/);
  });

  test('does it: with the option the file passes', async () => {
    const body = { overrides: disabled, options: { enableConnect: true } };
    expect(await json(post(CHECK, body))).toMatchObject({ ok: true });
  });

  test('leaves what the file says as it is', async () => {
    const named = OLD.replace('name: default', 'name: A--region');
    const [, , [violation]] = await refusedOf(post(MIGRATE, { overrides: named }));
    expect(violation?.description).toContain('A--region');
  });
});

test.each([
  ['a part of a file', OLD.replace('org: tidewater\n', ''), 'FRAGMENT'],
  ['a file of 1.3', '', 'ALREADY_1_3'],
])('there is no plan for %s: 400 FAILED_PRECONDITION with the reason', async (_what, file, reason) => {
  const overrides = file === '' ? (await json<Migrated>(post(MIGRATE, bodyOf(MIGRATE)))).overrides : file;
  const [code, status, violations] = await refusedOf(post(PLAN, bodyOf(PLAN, overrides)));
  expect([code, status, violations]).toMatchObject([400, 'FAILED_PRECONDITION', [{ field: 'overrides', reason }]]);
});

test('of very many problems the first are told, errors before warnings', async () => {
  const file = `org: tidewater\nenvs:\n${'  - name: one\n'.repeat(3_000)}`;
  const { ok, problems } = await json<{ ok: boolean; problems: OverridesProblem[] }>(post(CHECK, { overrides: file }));
  expect([ok, problems.length <= 1_000]).toEqual([false, true]);
  const [, , violations] = await refusedOf(post(MIGRATE, { overrides: file }));
  expect(violations.length).toBeLessThanOrEqual(200);
  const lines = violations.map(({ field }) => Number(field?.split(':')[1]));
  expect(lines).toEqual(lines.toSorted((a, b) => a - b));
});

describe('who may ask', () => {
  test.each(METHODS)('%s is 401 without a token, or with one that is none', async (path) => {
    for (const token of [null, 'nonsense']) {
      const answer = await post(path, bodyOf(path), { token });
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*resource_metadata=/);
      expect([answer.status, await answer.json()]).toMatchObject([401, { error: { status: 'UNAUTHENTICATED' } }]);
    }
  });

  test.each(METHODS)('%s needs the scope cloud-platform, and no other', async (path) => {
    const scopes = ['logging.admin', 'cloud-platform.read-only', 'emulator', 'ai-search'];
    const answer = await post(path, bodyOf(path), { token: tokenFor({ scopes }) });
    expect(answer.headers.get('www-authenticate')).toContain(
      'error="insufficient_scope", scope="https://www.googleapis.com/auth/cloud-platform"',
    );
    expect([answer.status, await answer.json()]).toMatchObject([403, { error: { status: 'PERMISSION_DENIED' } }]);
    const enough = tokenFor({ scopes: ['cloud-platform'] });
    expect((await post(path, bodyOf(path), { token: enough })).status).toBe(200);
  });

  test('a token in the query is 401, and is not told', async () => {
    const answer = await post(`${CHECK}?access_token=S3cretMark`, bodyOf(CHECK), { token: null });
    expect([answer.status, (await answer.text()).includes('S3cretMark')]).toEqual([401, false]);
  });

  test('calls count against the tenant’s limit: 429 with the time to wait', async () => {
    const shut = { ...env, MANAGEMENT_LIMIT: { limit: async () => ({ success: false }) } };
    const token = tokenFor({ tenant: 'C0hybridrate' });
    const answers: Response[] = [];
    for (let turn = 0; turn < 31; turn += 1) answers.push(await ask(shut, CHECK, { overrides: 'org: o\n' }, token));
    const last = answers.at(-1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    expect([last?.status, last?.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await last?.json()).toMatchObject({ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } });
    expect(last?.headers.get('ratelimit-policy')).toContain('management');
  });
});

/** The app itself, with some bindings of its own. */
const ask = async (bindings: object, path: string, body: unknown, token = tokenFor()): Promise<Response> =>
  createControlApp().fetch(
    new Request(`${CONTROL_URL}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    }),
    { ...env, ...bindings },
  );

describe('a body', () => {
  const whole = { overrides: OLD, kubectl: '1.18' };

  test.each<[string, string, object, string]>([
    ['an unknown field', CHECK, { overrides: OLD, colour: 'red' }, 'colour'],
    ['a field of another method', MIGRATE, whole, 'kubectl'],
    ['an unknown option', MIGRATE, { overrides: OLD, options: { instanceID: 'x' } }, 'options.instanceID'],
    ['no file', CHECK, {}, 'overrides'],
    ['a file that is no text', CHECK, { overrides: 7 }, 'overrides'],
    ['a file that is null', MIGRATE, { overrides: null }, 'overrides'],
    ['a file that is too long', CHECK, { overrides: 'x'.repeat(MAX_OVERRIDES_CHARS + 1) }, 'overrides'],
    ['options that are no object', CHECK, { overrides: OLD, options: [] }, 'options'],
    ['a value over two lines', MIGRATE, { overrides: OLD, options: { instanceId: 'a\nb: c' } }, 'options.instanceId'],
    [
      'a group over two lines',
      MIGRATE,
      { overrides: OLD, options: { groups: { default: 'a\nb' } } },
      'options.groups.default',
    ],
    ['an empty name', MIGRATE, { overrides: OLD, fileName: '' }, 'fileName'],
    ['no kubectl', PLAN, { overrides: OLD }, 'kubectl'],
    ['a kubectl that is none', PLAN, { ...whole, kubectl: 'latest; rm -rf /' }, 'kubectl'],
    ['a platform that is none', PLAN, { ...whole, platform: 'moon' }, 'platform'],
    ['another format', PLAN, { ...whole, format: 'pdf' }, 'format'],
    ['a word for a truth', PLAN, { ...whole, envsOneByOne: 'yes' }, 'envsOneByOne'],
  ])('with %s is 400 that names the field', async (_what, path, body, field) => {
    const [code, status, violations] = await refusedOf(post(path, body));
    expect([code, status]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(new Set(violations.map((each) => each.field))).toEqual(new Set([field]));
    expect(violations[0]?.description).not.toContain('tidewater');
  });

  test.each<[string, object, Violation]>([
    [CHECK, { options: { instanceId: '' } }, { field: 'options.instanceId', description: 'is empty' }],
    [MIGRATE, { fileName: '' }, { field: 'fileName', description: 'is empty' }],
    [CHECK, { options: { production: 'yes' } }, { field: 'options.production', description: 'takes true or false' }],
    [PLAN, { platform: 'moon' }, { field: 'platform', description: 'takes managed, multi-cloud, attached' }],
    [PLAN, { kubectl: undefined }, { field: 'kubectl', description: 'is missing' }],
  ])('of %s with %j is told one fault, in a sentence', async (path, more, { field, description }) => {
    const [, , violations] = await refusedOf(post(path, bodyOf(path, OLD, more)));
    expect(violations).toEqual([{ field, description: `Invalid value at '${field}': ${description}` }]);
  });

  test('of the same two names is told by the new one', async () => {
    const [code, status, violations] = await refusedOf(
      post(PLAN, bodyOf(PLAN, OLD, { newFileName: 'overrides.yaml' })),
    );
    expect([code, status, violations.map(({ field }) => field)]).toEqual([400, 'INVALID_ARGUMENT', ['newFileName']]);
  });

  test('with several faults names each field, twenty at most', async () => {
    const some = await refusedOf(post(CHECK, { a: 1, b: 2, options: { c: 3 } }));
    expect(new Set(some[2].map(({ field }) => field))).toEqual(new Set(['a', 'b', 'options.c', 'overrides']));
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, at]));
    expect((await refusedOf(post(CHECK, many)))[2]).toHaveLength(20);
  });

  test.each<[string, string | Uint8Array]>([
    ['broken JSON', '{"overrides":'],
    ['a name twice', '{"overrides":"a","overrides":"b"}'],
    ['__proto__', '{"overrides":"org: o","__proto__":{}}'],
    ['33 levels', `{"overrides":${'['.repeat(33)}${']'.repeat(33)}}`],
    ['a list', '[]'],
    ['a text', '"org: o"'],
    ['broken UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['nothing', ''],
  ])('of %s is 400', async (_what, body) => {
    const answer = await post(CHECK, body, { headers: { 'content-type': 'application/json' } });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { status: 'INVALID_ARGUMENT' } }]);
  });

  test('of another type is 400', async () => {
    const headers = { 'content-type': 'application/yaml' };
    expect((await post(CHECK, JSON.stringify(bodyOf(CHECK)), { headers })).status).toBe(400);
  });

  test('of over 2 MiB is 413, sent or inflated', async () => {
    const long = JSON.stringify({ overrides: 'x'.repeat(2 * MIB) });
    const headers = { 'content-type': 'application/json' };
    expect((await refusedOf(post(CHECK, long, { headers })))[0]).toBe(413);
    const packed = { ...headers, 'content-encoding': 'gzip' };
    expect((await refusedOf(post(CHECK, await gzipOf(long), { headers: packed })))[0]).toBe(413);
  });

  test('may come in gzip, and in no other coding', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const packed = await gzipOf(JSON.stringify(bodyOf(CHECK)));
    expect((await post(CHECK, packed, { headers })).status).toBe(200);
    const other = await post(CHECK, packed, { headers: { ...headers, 'content-encoding': 'br' } });
    expect([other.status, other.headers.get('accept-encoding')]).toEqual([415, 'gzip']);
  });
});

describe('conventions', () => {
  test('fields selects, and what no answer has is 400', async () => {
    expect(await json(post(`${MIGRATE}?fields=changed,environmentGroups(group)`, bodyOf(MIGRATE)))).toEqual({
      changed: true,
      environmentGroups: [{ group: 'default' }],
    });
    const [code, , violations] = await refusedOf(post(`${CHECK}?fields=overrides`, bodyOf(CHECK)));
    expect([code, violations[0]?.field]).toEqual([400, 'fields']);
  });

  test('prettyPrint, alt, key, quotaUser and $.xgafv are taken', async () => {
    const lines = async (query: string): Promise<number> =>
      (await (await post(`${CHECK}?${query}`, bodyOf(CHECK))).text()).split('\n').length;
    expect(await lines('alt=json&key=k&quotaUser=u')).toBeGreaterThan(3);
    expect(await lines('prettyPrint=false')).toBe(1);
    expect(await json(post(`${CHECK}?$.xgafv=1`, {}))).toMatchObject({ error: { errors: [{ reason: 'invalid' }] } });
    for (const query of ['alt=media', 'alt=xml', 'callback=f', 'colour=red', `quotaUser=${'u'.repeat(41)}`])
      expect((await post(`${CHECK}?${query}`, bodyOf(CHECK))).status).toBe(400);
  });

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])('%s is 404, as for any method', async (method) => {
    for (const path of METHODS) expect((await call(path, { method })).status).toBe(404);
  });

  test.each([
    '/v1/hybrid:rollback',
    '/v1/hybrid',
    '/v1/hybrid:',
    '/v1/hybrid:CHECK',
    '/v1/hybrid:check/',
    '/v1/hybrid%3Acheck',
    '/v2/hybrid:check',
  ])('%s is 404', async (path) => {
    const answer = await post(path, bodyOf(CHECK));
    expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 404, status: 'NOT_FOUND' } }]);
  });

  test('an overridden POST is not this method: 404, and 400 for a word that overrides nothing', async () => {
    const statusOf = async (word: string, body: unknown = bodyOf(CHECK)): Promise<number> =>
      (await post(CHECK, body, { headers: { 'x-http-method-override': word } })).status;
    expect([await statusOf('PATCH'), await statusOf('GET', ''), await statusOf('HACK')]).toEqual([404, 404, 400]);
    expect(await statusOf(' ')).toBe(200);
  });

  test('no method of an interface has these paths', () => {
    const match = createMethodRouter(methods);
    for (const path of METHODS) expect(match('POST', path)).toBeUndefined();
  });
});

describe('what is secret in a file', () => {
  const MARK = 'S3cretMark';
  let logs: string[] = [];
  beforeEach(() => {
    logs = [];
    for (const level of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const)
      vi.spyOn(console, level).mockImplementation((...said: unknown[]) => void logs.push(said.map(String).join(' ')));
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const FILES: [string, string][] = [
    ['a good file', `${OLD}kvmEncryptionKey: ${MARK}\naxHashSalt: ${MARK}\n# ${MARK}\n`],
    ['a key in an environment', OLD.replace('  - name: test', `  - name: test\n    kmsEncryptionKey: ${MARK}`)],
    ['a refused file', `${TOO_OLD}kmsEncryptionKey: ${MARK}\n`],
    ['a value of another type', OLD.replace('metrics:', `cassandra: ${MARK}\nmetrics:`)],
    [
      'a password twice',
      `${OLD}cassandra:\n  auth:\n    default: { password: ${MARK} }\n    default: { password: ${MARK} }\n`,
    ],
    ['no YAML', `org: o\nkvmEncryptionKey: "${MARK}\n`],
    ['a tag', `org: o\nkvmEncryptionKey: !${MARK} x\n`],
  ];

  test.each(FILES)('is in no line of the log: %s', async (_what, file) => {
    for (const path of METHODS) await (await ask({}, path, bodyOf(path, file))).text();
    await (await ask({}, CHECK, { overrides: 'org: o', [MARK]: MARK })).text();
    expect(logs.join('\n')).not.toContain(MARK);
  });

  test.each(FILES)('is in no problem that is told, and in no plan: %s', async (_what, file) => {
    expect(await (await ask({}, CHECK, bodyOf(CHECK, file))).text()).not.toContain(MARK);
    expect(await (await ask({}, PLAN, bodyOf(PLAN, file))).text()).not.toContain(MARK);
  });
});

test('what a shell would run in values of a file is inert in the commands of a plan', async () => {
  const hostile = "x'; touch /tmp/pwned; echo '$(id)`id`";
  const file = OLD.replace('./sa/tidewater-apigee-mart.json', () => JSON.stringify(hostile));
  const names = { fileName: "o'$(id).yaml", newFileName: '`id`.yaml' };
  const answer = await post(PLAN, bodyOf(PLAN, file, names));
  expect(answer.status).toBe(200);
  const commands = commandsIn(await json<Json>(answer)).join('\n');
  // As a POSIX shell reads single quotes: nothing in them is special, and `'\\''` is a quote.
  const words = ["'x'\\''; touch /tmp/pwned; echo '\\''$(id)`id`'", "'o'\\''$(id).yaml'", "'`id`.yaml'"];
  for (const word of words) expect(commands).toContain(word);
  const rest = [...words, "'`id`-seed.yaml'"].reduce((text, word) => text.replaceAll(word, ''), commands);
  for (const run of ['$(id)', '`id`', 'touch']) expect(rest).not.toContain(run);
});

/** Every `command` of a plan. */
function commandsIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(commandsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'command' && typeof member === 'string' ? [member] : commandsIn(member),
  );
}
