import { listDurableObjectIds } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { type MethodRow, methods } from '../../../src/management/core/table/method-row.ts';
import { tokenFor } from '../../support/workers/control-tokens.ts';
import { call, GROUPS, json, objectsOfTenants, USERS } from './world.ts';

const CUSTOMER = /^customer(?:Id|Key)?$/;
const THEIRS = 'C0000foreign';
const NOBODYS = 'C0000nobody';

/** What stands in the slots of a path for a sample: ids that nothing has, and one name. */
type Sample = { customer: string; container: string; key: string };

/** The path of a row with every slot filled. */
function pathOf(row: MethodRow, { customer, container, key }: Sample): string {
  const path = row.path.replaceAll(/\{\+?([\w.]+)(?:=([^}]+))?\}/g, (_, name: string, pattern?: string) => {
    if (pattern !== undefined) return named(pattern, container);
    if (CUSTOMER.test(name) && row.interface === 'directory') return customer;
    if (name === 'account_id') return container;
    if (row.interface === 'aisearch') return key; // Its names stand below the account.
    return ['parent', 'name'].includes(name) ? `accounts/${container}` : key;
  });
  return `${path}${queryOf(row, customer)}`;
}

/** `projects/*\/sinks/*` with the name in the place of the container's id. */
function named(pattern: string, container: string): string {
  const segments = pattern.split('/').map((segment) => (segment.startsWith('*') ? undefined : segment));
  const filled = segments.map((segment, at) => segment ?? (at === 0 ? 'projects' : at === 1 ? container : 'x'));
  return filled.join('/');
}

function queryOf(row: MethodRow, customer: string): string {
  const pairs = Object.entries(row.parameters).flatMap(([name, parameter]): [string, string][] => {
    if (parameter.in !== 'query') return [];
    if (CUSTOMER.test(name) && row.interface === 'directory') return [[name, customer]];
    if (parameter.required !== true) return [];
    return [[name, parameter.enum?.[0] ?? (parameter.type === 'boolean' ? 'true' : '1')]];
  });
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

async function outcome(row: MethodRow, sample: Sample): Promise<{ status: number; body: string }> {
  const sent = row.request === undefined ? {} : { body: {} };
  const answer = await call(pathOf(row, sample), { method: row.httpMethod, ...sent });
  return { status: answer.status, body: await answer.text() };
}

/** The slots of a row that hold a directory customer. */
const customerSlots = (row: MethodRow): readonly string[] =>
  row.interface === 'directory' ? Object.keys(row.parameters).filter((name) => CUSTOMER.test(name)) : [];

/** A list or a new thing of the caller's own. */
const namesNothing = (row: MethodRow): boolean => !row.path.includes('{') && customerSlots(row).length === 0;

const rows = methods.filter(({ id }) => id !== 'conventions.batch');
const interfaces = [...new Set(rows.map((row) => `${row.interface} ${row.version}`))];
const rowsOf = (name: string): readonly MethodRow[] => rows.filter((row) => `${row.interface} ${row.version}` === name);
const foreigner = tokenFor({ tenant: THEIRS });

test('all rows of the table but that of the batch are tried here', () => {
  expect(interfaces.flatMap(rowsOf)).toHaveLength(methods.length - 1);
});

/** Whether a path names a container: the first that uses its name owns it, so that nobody's name becomes the caller's own. */
const hasContainer = (row: MethodRow): boolean =>
  !['directory', 'reseller', 'drive'].includes(row.interface) &&
  (/\/(?:projects|folders|organizations|billingAccounts|accounts)\/name(?:[/:?]|$)/.test(
    pathOf(row, { customer: '', container: 'name', key: 'x' }),
  ) ||
    row.path.includes('{account_id}') ||
    row.path.includes('{projectId}'));

/** In all collections of containers: theirs is another tenant's, and the other can be nobody's. */
const [THEIR_NAME, NO_NAME] = ['theirs', 'no!name'];

test.each(interfaces)(
  'K1: every row of %s answers alike for names of another tenant and of nobody, and makes no object',
  async (name) => {
    await startWithForeigners();
    const before = await objects();
    const unlike: string[] = [];
    for (const row of rowsOf(name)) {
      const nobody = hasContainer(row) ? NO_NAME : 'nobodys';
      const theirs = await outcome(row, { customer: THEIRS, container: THEIR_NAME, key: THEIR_NAME });
      const nobodys = await outcome(row, { customer: NOBODYS, container: nobody, key: nobody });
      const refused = row.interface === 'mediation' ? [400] : [403]; // A publisher's name is judged before whose it is.
      const expected = hasContainer(row) ? refused : namesNothing(row) ? [200, 400] : [400, 403, 404];
      const isAlike = theirs.status === nobodys.status && (toldBy(theirs) === toldBy(nobodys) || namesNothing(row));
      const isRight = theirs.status !== 403 || !hasContainer(row) || theirs.body.includes(DENIED);
      if (!isAlike || !isRight || !expected.includes(theirs.status))
        unlike.push(`${row.id} ${theirs.status} ${theirs.body}`);
    }
    expect(unlike).toEqual([]);
    expect(await objects()).toEqual(before);
  },
);

test("K1: every row of mediation refuses another tenant's publisher, of whom nothing is read first", async () => {
  await startWithForeigners();
  const registry = env.TENANT_REGISTRY.getByName('tenants');
  expect(await registry.claim(THEIRS, 'accounts/pub-404')).toBe('own');
  const before = await objects();
  const publisherRows = rowsOf('mediation v1beta').filter(hasContainer);
  const answers = new Set<string>();
  for (const row of publisherRows) {
    const { status, body } = await outcome(row, { customer: '', container: 'pub-404', key: '1' });
    answers.add(`${status} ${body.includes(DENIED)}`);
  }
  expect(publisherRows).toHaveLength(15);
  expect([...answers]).toEqual(['403 true']);
  expect(await objects()).toEqual(before);
});

test('K1: a body of mediation makes no name the caller’s, whatever kind it is of', async () => {
  await startWithForeigners();
  const registry = env.TENANT_REGISTRY.getByName('tenants');
  const [unit, own] = ['accounts/pub-505/adUnits/1111111111', 'accounts/pub-506'];
  await call(`/v1beta/${own}/apps`); // It is ours from now on.
  const mapping = { adapterId: '101', name: 'projects/victim' };
  const tries: [string, object, number][] = [
    [`${unit}/adUnitMappings`, mapping, 200],
    ['accounts/pub-505/adUnitMappings:batchCreate', { requests: [{ parent: 'folders/7/x', adUnitMapping: {} }] }, 403],
    ['accounts/pub-505/adUnitMappings:batchCreate', { requests: [{ parent: 'accounts/pub-507/adUnits/1' }] }, 403],
    ['accounts/pub-505/adUnitMappings:batchCreate', { requests: [{ parent: `accounts/${THEIR_NAME}/x` }] }, 403],
    ['accounts/pub-505/adUnitMappings:batchCreate', { requests: [{ parent: `${own}/adUnits/1111111111` }] }, 400],
  ];
  const statuses: number[] = [];
  for (const [path, body] of tries) {
    const answer = await call(`/v1beta/${path}`, { method: 'POST', body });
    statuses.push(answer.status);
    await answer.text();
  }
  expect(statuses).toEqual(tries.map(([, , status]) => status));
  for (const name of ['projects/victim', 'folders/7', 'accounts/pub-507'])
    expect(await registry.claim(THEIRS, name)).toBe('own');
});

const DENIED = '"The caller does not have permission"';
/** What an answer says, whatever name it repeats. */
const toldBy = ({ body }: { body: string }): string => body.replaceAll(/theirs|nobodys|no!name/g, 'x');

/** Our own object is there, and that of the foreigner, who owns a container of every kind. */
async function startWithForeigners(): Promise<void> {
  const registry = env.TENANT_REGISTRY.getByName('tenants');
  for (const tenant of ['C00000001', THEIRS]) await registry.tenant(tenant, 'sandbox'); // The Worker knows them already.
  await call(`${USERS}?customer=my_customer`);
  await call(`${USERS}?customer=my_customer`, { token: foreigner });
  await call('/storage/v1/b/none/o'); // And the store of its entries and files.
  for (const collection of ['projects', 'folders', 'organizations', 'billingAccounts', 'accounts'])
    expect(await registry.claim(THEIRS, `${collection}/${THEIR_NAME}`)).toBe('own');
}

const objects = async (): Promise<number[]> => [
  await objectsOfTenants(),
  (await listDurableObjectIds(env.ENTRY_STORE)).length,
  (await listDurableObjectIds(env.SEARCH_INSTANCE)).length,
];

test("K1: every row refuses a customer that is not the caller's as forbidden, and not its own", async () => {
  const own: Sample = { customer: 'my_customer', container: 'mine', key: '1' };
  const wrong: string[] = [];
  for (const row of rows.filter((each) => customerSlots(each).length > 0)) {
    const theirs = await outcome(row, { ...own, customer: THEIRS });
    if (theirs.status !== 403 || JSON.stringify(JSON.parse(theirs.body)) !== FORBIDDEN) wrong.push(`theirs ${row.id}`);
    for (const customer of ['my_customer', 'C00000001']) {
      const ours = await outcome(row, { ...own, customer });
      if (ours.status === 403) wrong.push(`${customer} ${row.id}`);
    }
  }
  expect(wrong).toEqual([]);
});

const message = 'Not Authorized to access this resource/api';
const FORBIDDEN = JSON.stringify({
  error: { code: 403, message, errors: [{ message, domain: 'global', reason: 'forbidden' }] },
});

test("K1: every row of the directory answers alike for a key of another tenant's user and for that of nobody", async () => {
  const domain = `${THEIRS.toLowerCase()}.example.com`;
  const body = {
    primaryEmail: `ada@${domain}`,
    name: { givenName: 'Ada', familyName: 'L' },
    password: 'correct horse',
  };
  expect((await call(USERS, { method: 'POST', token: foreigner, body })).status).toBe(200);
  const unlike: string[] = [];
  for (const row of rowsOf('directory v1').filter(({ path }) => /\{(?:user|group|member)Key\}/.test(path))) {
    const [theirs, nobodys] = [
      await outcome(row, { customer: 'my_customer', container: '', key: `ada@${domain}` }),
      await outcome(row, { customer: 'my_customer', container: '', key: `nob@${domain}` }),
    ];
    const said = theirs.body.replaceAll('ada@', 'nob@');
    if (theirs.status !== nobodys.status || said !== nobodys.body || theirs.status < 400)
      unlike.push(`${row.id} ${theirs.status} ${theirs.body}`);
  }
  expect(unlike).toEqual([]);
});

test('K1: what one tenant has is not there for another, by any key', async () => {
  const primaryEmail = `ada@${THEIRS.toLowerCase()}.example.com`;
  const name = { givenName: 'Ada', familyName: 'L' };
  const made = await json<{ id: string }>(
    call(USERS, { method: 'POST', token: foreigner, body: { primaryEmail, name, password: 'correct horse' } }),
  );
  const group = await json<{ id: string }>(
    call(GROUPS, { method: 'POST', token: foreigner, body: { email: primaryEmail.replace('ada', 'all') } }),
  );
  expect([typeof made.id, typeof group.id]).toEqual(['string', 'string']);
  for (const [base, keys] of [
    [USERS, [primaryEmail, made.id]],
    [GROUPS, [primaryEmail.replace('ada', 'all'), group.id]],
  ] as const) {
    const unknown = await call(`${base}/nobody@example.com`);
    for (const key of keys) {
      const answer = await call(`${base}/${key}`);
      expect([answer.status, await answer.json()]).toEqual([unknown.status, await unknown.clone().json()]);
      expect((await call(`${base}/${key}`, { token: foreigner })).status).toBe(200);
    }
  }
});

test('B11.7: look-alikes of a project are refused as names of another tenant are, and no one gets them', async () => {
  const registry = env.TENANT_REGISTRY.getByName('tenants');
  for (const id of ['LOCAL', 'local.', 'Local', 'local-', 'lo_cal']) {
    const answer = await call(`/v2/projects/${id}/sinks`);
    expect([answer.status, (await answer.text()).includes(DENIED)]).toEqual([403, true]);
    for (const tenant of ['C00000001', THEIRS]) expect(await registry.owns(tenant, `projects/${id}`)).toBe(false);
  }
});
