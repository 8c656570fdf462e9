import { describe, expect, test } from 'vitest';
import { makeCalls } from '../../../src/management/emulator/seed-calls.ts';
import { createSnapshots } from '../../../src/management/emulator/snapshots.ts';
import { interfaces } from '../../../src/management/core/interfaces.ts';
import { text as textIn } from '../../support/management/directory.ts';
import { opened, refusalOf, USER, valueOf } from './opened.ts';

const ada = { path: { userKey: 'ada@example.com' } };

function withData() {
  const tenant = opened();
  tenant.ok('directory.users.insert', { body: USER });
  tenant.ok('directory.users.aliases.insert', { ...ada, body: { alias: 'lovelace@example.com' } });
  tenant.ok('directory.groups.insert', { body: { email: 'g@example.com', name: 'G' } });
  tenant.ok('directory.members.insert', { path: { groupKey: 'g@example.com' }, body: { email: 'ada@example.com' } });
  tenant.ok('directory.verificationCodes.generate', ada);
  return tenant;
}

/** All that a snapshot of the tenant holds, as text. */
const textOf = ({ sql }: ReturnType<typeof opened>): string =>
  sql
    .exec('SELECT text FROM snapshot_chunk ORDER BY name, n')
    .toArray()
    .map(({ text }) => String(text))
    .join('');

describe('a snapshot', () => {
  test('brings back what was there: rows, names, counters', () => {
    const tenant = withData();
    valueOf(tenant.controls.snapshot('before'));
    const before = tenant.ok('directory.users.get', ada);
    tenant.ok('directory.users.delete', ada);
    tenant.ok('directory.groups.insert', { body: { email: 'h@example.com' } });
    const status = valueOf(tenant.controls.restore('before'));
    expect(status.rows).toMatchObject({ 'directory.users': 1, 'directory.groups': 1, 'directory.members': 1 });
    const after = tenant.ok('directory.users.get', { path: { userKey: 'lovelace@example.com' } });
    expect({ ...after, etag: 0 }).toEqual({ ...before, etag: 0 });
    expect(after['etag']).not.toBe(before['etag']);
    expect(tenant.answer('directory.groups.get', { path: { groupKey: 'h@example.com' } })).toMatchObject({ ok: false });
    expect(tenant.ok('directory.groups.get', { path: { groupKey: 'g@example.com' } })['directMembersCount']).toBe('1');
  });

  test('K3: holds no credentials and no channels, and a restore leaves none behind', () => {
    const tenant = withData();
    const codes = tenant.ok('directory.verificationCodes.list', ada)['items'] as { verificationCode: string }[];
    expect(codes.length).toBeGreaterThan(0);
    tenant.ok('directory.users.watch', {
      query: { customer: 'my_customer' },
      body: { id: 'channel-1', type: 'web_hook', address: 'https://watcher.example/in', token: 'channel-secret' },
    });
    valueOf(tenant.controls.snapshot('s'));
    const text = textOf(tenant);
    expect(text).toContain('ada@example.com');
    for (const secret of ['a-pass-word', 'channel-1', 'channel-secret', 'verificationcodes', tenant.engine.salt]) {
      expect(text).not.toContain(secret);
    }
    for (const { verificationCode } of codes) expect(text).not.toContain(verificationCode);
    valueOf(tenant.controls.restore('s'));
    expect(tenant.ok('directory.verificationCodes.list', ada)['items'] ?? []).toEqual([]);
  });

  test('is neither taken nor put back while data is being made up', () => {
    const tenant = withData();
    valueOf(tenant.controls.snapshot('s'));
    valueOf(tenant.controls.reset({}));
    valueOf(tenant.controls.seed({ generate: { users: 3_000, groups: 0, membersPerGroup: 0, orgUnits: 0 } }));
    const busy = '409 conflict: Data is being made up: wait until it is done';
    expect(refusalOf(tenant.controls.snapshot('t'))).toBe(busy);
    expect(refusalOf(tenant.controls.restore('s'))).toBe(busy);
    while (tenant.controls.isMaking()) tenant.controls.goOn();
    expect(valueOf(tenant.controls.restore('s')).rows).toMatchObject({ 'directory.users': 1 });
  });

  test('K3: there are ten at most; one of the same name takes the place of the old one', () => {
    const tenant = withData();
    for (let n = 0; n < 10; n += 1) valueOf(tenant.controls.snapshot(`s${n}`));
    expect(refusalOf(tenant.controls.snapshot('s10'))).toBe('403 limitExceeded: A tenant has at most 10 snapshots');
    valueOf(tenant.controls.snapshot('s9'));
    expect(valueOf(tenant.controls.snapshots()).map(({ name }) => name)).toHaveLength(10);
    valueOf(tenant.controls.deleteSnapshot('s3'));
    valueOf(tenant.controls.snapshot('s10'));
    expect(refusalOf(tenant.controls.restore('s3'))).toBe('404 notFound: Resource Not Found: name');
    expect(refusalOf(tenant.controls.deleteSnapshot('s3'))).toBe('404 notFound: Resource Not Found: name');
  });

  test('K3: one that grows over its limit is refused, and the old one of its name stays', () => {
    const tenant = withData();
    const small = createSnapshots(tenant.sql, interfaces, 50_000);
    const { transaction, engine } = { transaction: tenant.engine.transaction, engine: tenant.engine };
    const { rows } = transaction(() => small.take('s', engine.tenant, 0));
    for (let n = 0; n < 60; n += 1) {
      tenant.ok('directory.groups.insert', { body: { email: `g${n}@example.com`, description: 'x'.repeat(1_000) } });
    }
    expect(() => transaction(() => small.take('s', engine.tenant, 0))).toThrow('A snapshot has at most 50000 bytes');
    expect(small.all()).toMatchObject([{ name: 's', rows }]);
  });

  test('stays when the tenant is reset', () => {
    const tenant = withData();
    valueOf(tenant.controls.snapshot('s'));
    expect(valueOf(tenant.controls.reset({}))).toMatchObject({ snapshots: 1 });
    expect(valueOf(tenant.controls.restore('s')).rows).toMatchObject({ 'directory.users': 1 });
  });
});

test('a snapshot brings back devices in every order, subscriptions, and files with their comments', () => {
  const tenant = withAll();
  valueOf(tenant.controls.snapshot('s'));
  const before = shownOf(tenant);
  expect(before).toMatchObject([{ chromeosdevices: [{}] }, { mobiledevices: [{}] }, { subscriptions: [{}] }, {}, {}]);
  valueOf(tenant.controls.reset({}));
  valueOf(tenant.controls.restore('s'));
  expect(shownOf(tenant)).toEqual(before);
  const path = { customerId: 'my_customer', deviceId: 'd1' };
  expect(tenant.ok('directory.chromeosdevices.patch', { path, body: { notes: 'new' } })['notes']).toBe('new');
});

const customerId = 'my_customer';
const SOLD = { skuId: 'Google-Vault', plan: { planName: 'ANNUAL_YEARLY_PAY' }, seats: { numberOfSeats: 3 } };

/** A tenant with devices, a customer that has one subscription and had another, and a file that was spoken of. */
function withAll() {
  const tenant = opened();
  const { engine } = tenant;
  makeCalls(
    [
      { method: 'emulator.chromeosdevices.enroll', params: {}, body: { deviceId: 'd1', notes: 'old' } },
      { method: 'emulator.mobiledevices.enroll', params: {}, body: { resourceId: 'm1', type: 'ANDROID' } },
    ],
    engine,
  );
  const { customerId: sold } = tenant.ok('reseller.customers.insert', {
    body: {
      customerDomain: 'acme.test',
      alternateEmail: 'a@b.test',
      postalAddress: { contactName: 'Ann', organizationName: 'Acme', countryCode: 'US', postalCode: '94043' },
    },
  });
  const path = { customerId: textIn(sold) };
  const trial = { skuId: 'Google-Apps-For-Business', plan: { planName: 'TRIAL' }, seats: { maximumNumberOfSeats: 9 } };
  const { subscriptionId } = tenant.ok('reseller.subscriptions.insert', { path, body: trial });
  tenant.ok('reseller.subscriptions.insert', { path, body: { ...SOLD, purchaseOrderId: 'PO' } });
  const gone = { path: { ...path, subscriptionId: textIn(subscriptionId) } };
  tenant.ok('reseller.subscriptions.delete', { ...gone, query: { deletionType: 'transfer_to_direct' } });
  tenant.ok('drive.files.create', { body: { id: 'abcdefghij', name: 'Plan' } });
  const { id } = tenant.ok('drive.comments.create', { path: { fileId: 'abcdefghij' }, body: { content: 'Why?' } });
  const commentId = textIn(id);
  tenant.ok('drive.replies.create', { path: { fileId: 'abcdefghij', commentId }, body: { content: 'So.' } });
  return tenant;
}

/** What callers see of it, without entity tags. */
function shownOf(tenant: ReturnType<typeof opened>): unknown {
  const token = { customerId: 'acme.test', customerAuthToken: 'abc' };
  const answers = [
    tenant.ok('directory.chromeosdevices.list', { path: { customerId }, query: { orderBy: 'notes' } }),
    tenant.ok('directory.mobiledevices.list', { path: { customerId }, query: { orderBy: 'type' } }),
    tenant.ok('reseller.subscriptions.list'),
    tenant.ok('reseller.subscriptions.list', { query: token }),
    tenant.ok('drive.comments.list', { path: { fileId: 'abcdefghij' } }),
  ];
  return JSON.parse(JSON.stringify(answers, (name, value: unknown) => (name === 'etag' ? undefined : value)));
}

describe('K3: a snapshot that was tampered with is refused and nothing is restored', () => {
  const replace = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to);
  const append = (line: unknown) => (text: string) => `${text}${JSON.stringify(line)}\n`;

  test.each([
    ['of another tenant', replace('["tenant","C00000001"]', '["tenant","C00000002"]')],
    ['without a tenant', replace('["tenant","C00000001"]\n', '')],
    ['with a collection of credentials', append(['row', 'directory.asps', 'u', '1', null, null, null, null, '{}'])],
    ['with a collection that nothing has', append(['row', 'directory.castles', '', '1', null, null, null, null, '{}'])],
    ['with a collection of no interface', append(['row', 'channel', '', '1', null, null, null, null, '{}'])],
    [
      'with a body of the wrong types',
      append(['row', 'directory.users', '', '1', null, null, null, null, '{"suspended":"x"}']),
    ],
    [
      'with a customer of the wrong types',
      append(['row', 'reseller.customers', '', 'C1', null, null, null, null, '{"customerDomain":7}']),
    ],
    [
      'with a subscription in no state',
      append(['row', 'reseller.subscriptions', '', 'C1/1', null, null, null, null, '{"customerId":"C1","state":{}}']),
    ],
    ['with a file of the wrong types', append(['row', 'drive.files', '', '1', null, null, null, null, '{"name":[]}'])],
    ['with a collection that drive has not', append(['row', 'drive.moons', '', '1', null, null, null, null, '{}'])],
    ['with a body that is no object', append(['row', 'directory.users', '', '1', null, null, null, null, '[]'])],
    [
      'with an id that is too long',
      append(['row', 'directory.users', '', 'x'.repeat(1_025), null, null, null, null, '{}']),
    ],
    ['with a row twice', (text: string) => `${text}${text.split('\n')[1] ?? ''}\n`],
    [
      'with the name of a row that is not there',
      append(['name', 'email', 'x@example.com', 'directory.users', '', '9', 1]),
    ],
    ['with a line that is no JSON', (text: string) => `${text}{\n`],
    ['with a line of another form', append(['drop', 'resource'])],
    ['cut in the middle', (text: string) => text.slice(0, text.length / 2)],
    ['empty', () => ''],
  ])('%s', (_, change) => {
    const tenant = withData();
    valueOf(tenant.controls.snapshot('s'));
    tenant.sql.exec('UPDATE snapshot_chunk SET text = ?', change(textOf(tenant)));
    const before = tenant.ok('directory.users.get', ada);
    expect(refusalOf(tenant.controls.restore('s'))).toBe(
      '400 failedPrecondition: The snapshot does not fit this tenant: nothing was restored',
    );
    expect(tenant.ok('directory.users.get', ada)).toEqual(before);
    expect(tenant.ok('directory.verificationCodes.list', ada)['items']).not.toEqual([]);
  });
});
