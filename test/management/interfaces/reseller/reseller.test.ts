import { expect, test } from 'vitest';
import { suspendFor } from '../../../../src/management/interfaces/reseller/handlers.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { CALLER, testTenant, type TestTenant } from '../../../support/management/management.ts';

/** A text of an answer. */
function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error('Not a text');
  return value;
}

const DAY = 86_400_000;
const BASIC = 'Google-Apps-For-Business';
const CUSTOMER = {
  customerDomain: 'acme.test',
  alternateEmail: 'admin@elsewhere.test',
  postalAddress: { contactName: 'Ann', organizationName: 'Acme', countryCode: 'US', postalCode: '94043' },
};
const FLEXIBLE = { skuId: BASIC, plan: { planName: 'FLEXIBLE' }, seats: { maximumNumberOfSeats: 10 } };
const ANNUAL = { skuId: BASIC, plan: { planName: 'ANNUAL_MONTHLY_PAY' }, seats: { numberOfSeats: 10 } };
const TRIAL = { skuId: BASIC, plan: { planName: 'TRIAL' }, seats: { maximumNumberOfSeats: 10 } };

const customer = (tenant: TestTenant, body: object = {}): string =>
  text(tenant.ok('reseller.customers.insert', { body: { ...CUSTOMER, ...body } })['customerId']);

/** A customer with one subscription, and its path. */
function sold(tenant: TestTenant, body: object, domain = 'acme.test') {
  const customerId = customer(tenant, { customerDomain: domain });
  const made = tenant.ok('reseller.subscriptions.insert', { path: { customerId }, body: body as JsonObject });
  return { customerId, subscriptionId: text(made['subscriptionId']) };
}

const read = (tenant: TestTenant, path: Record<string, string>) => tenant.ok('reseller.subscriptions.get', { path });
const listedIds = (answer: JsonObject): unknown[] => {
  const { subscriptions } = answer;
  return Array.isArray(subscriptions) ? subscriptions.map((each) => (each as JsonObject)['customerDomain']) : [];
};

test('a customer is ordered and read by id or domain', () => {
  const tenant = testTenant();
  const customerId = customer(tenant, {
    phoneNumber: '+1 650 555 0100',
    customerId: 'mine',
    customerDomainVerified: true,
  });
  expect(customerId).toMatch(/^C[0-9a-z]{8}$/);
  const byDomain = tenant.ok('reseller.customers.get', { path: { customerId: 'ACME.test' } });
  expect(byDomain).toMatchObject({
    kind: 'reseller#customer',
    customerId,
    customerDomain: 'acme.test',
    customerType: 'domain',
    customerDomainVerified: false,
    phoneNumber: '+1 650 555 0100',
    postalAddress: { kind: 'customers#address', countryCode: 'US' },
  });
  expect(tenant.ok('reseller.customers.get', { path: { customerId } })).toEqual(byDomain);
});

test.each([
  ['the same domain', {}, '409 duplicate: Entity already exists.'],
  ['no domain', { customerDomain: '' }, '400 required: Missing required field: customerDomain'],
  ['www before its domain', { customerDomain: 'www.b.test' }, '400 invalid: Invalid Input: customerDomain'],
  ['a domain that is none', { customerDomain: 'b' }, '400 invalid: Invalid Input: customerDomain'],
  [
    'no other address',
    { customerDomain: 'b.test', alternateEmail: '' },
    '400 required: Missing required field: alternateEmail',
  ],
  [
    'its other address on its domain',
    { customerDomain: 'b.test', alternateEmail: 'x@B.test' },
    '400 invalid: Invalid Input: alternateEmail',
  ],
  [
    'no address',
    { customerDomain: 'b.test', postalAddress: null },
    '400 required: Missing required field: postalAddress',
  ],
  [
    'no post code',
    { customerDomain: 'b.test', postalAddress: { ...CUSTOMER.postalAddress, postalCode: '' } },
    '400 required: Missing required field: postalAddress.postalCode',
  ],
  [
    'a line of 256 characters',
    { customerDomain: 'b.test', postalAddress: { ...CUSTOMER.postalAddress, addressLine1: 'x'.repeat(256) } },
    '400 invalid: Invalid Input: postalAddress.addressLine1',
  ],
  [
    'a country that is none',
    { customerDomain: 'b.test', postalAddress: { ...CUSTOMER.postalAddress, countryCode: 'Mars' } },
    '400 invalid: Invalid Input: postalAddress.countryCode',
  ],
  [
    'no administrator of a team',
    { customerDomain: 'b.test', customerType: 'team' },
    '400 required: Missing required field: primaryAdmin.primaryEmail',
  ],
])('a customer with %s is refused', (_what, body, refusal) => {
  const tenant = testTenant();
  customer(tenant);
  expect(tenant.refused('reseller.customers.insert', { body: { ...CUSTOMER, ...body } })).toBe(refusal);
});

test('a team needs no alternate address; a phone number that is none is ignored', () => {
  const tenant = testTenant();
  const { alternateEmail: _none, ...body } = CUSTOMER;
  const made = tenant.ok('reseller.customers.insert', {
    body: { ...body, customerType: 'team', primaryAdmin: { primaryEmail: 'a@acme.test' }, phoneNumber: '123' },
  });
  expect(made).toMatchObject({ customerType: 'team', primaryAdmin: { primaryEmail: 'a@acme.test' } });
  expect(made).not.toHaveProperty('phoneNumber');
});

test('a changed domain is the only key beside the id; the type cannot be changed', () => {
  const tenant = testTenant();
  const { customerId, subscriptionId } = sold(tenant, FLEXIBLE);
  tenant.ok('reseller.customers.patch', { path: { customerId: 'acme.test' }, body: { customerDomain: 'new.test' } });
  expect(tenant.refused('reseller.customers.get', { path: { customerId: 'acme.test' } })).toBe(
    '404 notFound: Resource Not Found: customerId',
  );
  expect(read(tenant, { customerId: 'new.test', subscriptionId })).toMatchObject({
    customerId,
    customerDomain: 'new.test',
  });
  expect(listedIds(tenant.ok('reseller.subscriptions.list', { query: { customerNamePrefix: 'new' } }))).toEqual([
    'new.test',
  ]);
  expect(tenant.refused('reseller.customers.patch', { path: { customerId }, body: { customerType: 'team' } })).toBe(
    '400 invalid: Invalid Input: customerType',
  );
  customer(tenant);
  expect(
    tenant.refused('reseller.customers.patch', { path: { customerId }, body: { customerDomain: 'acme.test' } }),
  ).toBe('409 duplicate: Entity already exists.');
});

test('PUT of a customer clears what is not sent and fails without what is required', () => {
  const tenant = testTenant();
  const customerId = customer(tenant, { phoneNumber: '+16505550100' });
  const path = { customerId };
  expect(tenant.refused('reseller.customers.update', { path, body: { customerDomain: 'acme.test' } })).toBe(
    '400 required: Missing required field: alternateEmail',
  );
  expect(tenant.ok('reseller.customers.get', { path })['phoneNumber']).toBe('+16505550100');
  expect(tenant.ok('reseller.customers.update', { path, body: CUSTOMER })).not.toHaveProperty('phoneNumber');
});

test('a subscription is shown as the vendor shows it', () => {
  const tenant = testTenant();
  const path = sold(tenant, { ...ANNUAL, purchaseOrderId: 'PO-1', dealCode: 'D-1' });
  expect(read(tenant, path)).toEqual({
    kind: 'reseller#subscription',
    ...path,
    customerDomain: 'acme.test',
    skuId: BASIC,
    skuName: 'G Suite Basic',
    billingMethod: 'ONLINE',
    creationTime: '1795219200000',
    plan: {
      planName: 'ANNUAL',
      isCommitmentPlan: true,
      commitmentInterval: { startTime: '1795219200000', endTime: '1826755200000' },
    },
    seats: { kind: 'subscriptions#seats', licensedNumberOfSeats: 0, numberOfSeats: 10 },
    trialSettings: { isInTrial: false },
    renewalSettings: { kind: 'subscriptions#renewalSettings', renewalType: 'AUTO_RENEW_MONTHLY_PAY' },
    status: 'ACTIVE',
    purchaseOrderId: 'PO-1',
    dealCode: 'D-1',
    resourceUiUrl: 'https://www.google.com/a/cpanel/acme.test/Subscriptions',
  });
});

test.each([
  ['an unknown SKU', { skuId: 'Google-Everything' }, '400 invalid: Invalid Input: skuId'],
  ['no SKU', { skuId: '' }, '400 required: Missing required field: skuId'],
  ['no plan', { plan: {} }, '400 required: Missing required field: plan.planName'],
  ['an unknown plan', { plan: { planName: 'FOREVER' } }, '400 invalid: Invalid Input: plan.planName'],
  ['the free plan of a paid SKU', { plan: { planName: 'FREE' } }, '400 invalid: Invalid Input: plan.planName'],
  ['a paid plan of the free SKU', { skuId: '1010010001' }, '400 invalid: Invalid Input: plan.planName'],
  [
    'the seats of another plan',
    { seats: { numberOfSeats: 3 } },
    '400 required: Missing required field: seats.maximumNumberOfSeats',
  ],
  ['no seats', { seats: { maximumNumberOfSeats: 0 } }, '400 invalid: Invalid Input: seats.maximumNumberOfSeats'],
  ['an order of 81 characters', { purchaseOrderId: 'x'.repeat(81) }, '400 invalid: Invalid Input: purchaseOrderId'],
  ['a deal of 101 characters', { dealCode: 'x'.repeat(101) }, '400 invalid: Invalid Input: dealCode'],
  ['another customer', { customerId: 'C000' }, '400 invalid: Invalid Input: customerId'],
  ['the SKU that it has', { skuId: 'Google-Vault' }, '409 duplicate: Entity already exists.'],
])('a subscription with %s is refused', (_what, body, refusal) => {
  const tenant = testTenant();
  const { customerId } = sold(tenant, { ...FLEXIBLE, skuId: 'Google-Vault' });
  const sent = { path: { customerId }, body: { ...FLEXIBLE, ...body } as JsonObject };
  expect(tenant.refused('reseller.subscriptions.insert', sent)).toBe(refusal);
});

test('action=switch puts a SKU in the place of another of its product', () => {
  const tenant = testTenant();
  const path = sold(tenant, FLEXIBLE);
  const body = { ...FLEXIBLE, skuId: '1010020020' };
  const insert = (query: Record<string, string>, sent: object = body) =>
    ({ path: { customerId: path.customerId }, query, body: sent as JsonObject }) as const;
  const method = 'reseller.subscriptions.insert';
  expect(tenant.refused(method, insert({ action: 'switch' }))).toBe(
    '400 required: Missing required field: sourceSkuId',
  );
  expect(tenant.refused(method, insert({ action: 'switch', sourceSkuId: 'Google-Vault' }))).toBe(
    '400 invalid: Invalid Input: sourceSkuId',
  );
  expect(
    tenant.refused(method, insert({ action: 'switch', sourceSkuId: BASIC }, { ...FLEXIBLE, skuId: 'Google-Vault' })),
  ).toBe('400 invalid: Invalid Input: sourceSkuId');
  tenant.ok(method, insert({ action: 'switch', sourceSkuId: BASIC }));
  expect(tenant.refused('reseller.subscriptions.get', { path })).toBe(
    '404 notFound: Resource Not Found: subscriptionId',
  );
  const { subscriptions } = tenant.ok('reseller.subscriptions.list', { query: { customerId: 'acme.test' } });
  expect(subscriptions).toMatchObject([{ skuId: '1010020020' }]);
});

test('a switch is no way around commitment, seats and suspension', () => {
  const tenant = testTenant();
  const path = sold(tenant, ANNUAL);
  tenant.ok('reseller.subscriptions.suspend', { path });
  const before = read(tenant, path);
  const switched = (body: object) => ({
    path: { customerId: path.customerId },
    query: { action: 'switch', sourceSkuId: BASIC },
    body: { ...body, skuId: '1010020020' } as JsonObject,
  });
  const method = 'reseller.subscriptions.insert';
  expect(tenant.refused(method, switched(TRIAL))).toBe(
    '412 conditionNotMet: The plan cannot be changed before its renewal.',
  );
  expect(tenant.refused(method, switched({ ...ANNUAL, seats: { numberOfSeats: 9 } }))).toBe(
    '412 conditionNotMet: Seats of an annual plan cannot be reduced before its renewal.',
  );
  expect(read(tenant, path)).toEqual(before);
  tenant.later(DAY);
  const after = tenant.ok(method, switched({ ...ANNUAL, seats: { numberOfSeats: 11 } }));
  expect(after).toMatchObject({
    plan: before['plan'] ?? {},
    status: 'SUSPENDED',
    suspensionReasons: ['RESELLER_INITIATED'],
    seats: { numberOfSeats: 11 },
  });
});

test('a change of a customer that saw another one is refused', () => {
  const tenant = testTenant();
  const path = { customerId: customer(tenant) };
  const { etag } = tenant.ok('reseller.customers.get', { path });
  tenant.ok('reseller.customers.patch', { path, body: { phoneNumber: '+16505550100' }, ifMatch: text(etag) });
  for (const sent of [{ ifMatch: text(etag) }, { body: { ...CUSTOMER, etag: text(etag) } }]) {
    for (const verb of ['patch', 'update']) {
      expect(tenant.refused(`reseller.customers.${verb}`, { path, body: CUSTOMER, ...sent })).toBe(
        '412 conditionNotMet: Precondition Failed: the resource was changed meanwhile',
      );
    }
  }
  expect(tenant.ok('reseller.customers.get', { path })['phoneNumber']).toBe('+16505550100');
});

test('what a customer has with the vendor is listed under its present domain', () => {
  const tenant = testTenant();
  const path = sold(tenant, FLEXIBLE);
  const body = { ...FLEXIBLE, skuId: 'Google-Vault' };
  tenant.ok('reseller.subscriptions.insert', { path: { customerId: path.customerId }, body });
  tenant.ok('reseller.subscriptions.delete', { path, query: { deletionType: 'transfer_to_direct' } });
  tenant.ok('reseller.customers.patch', { path: { customerId: 'acme.test' }, body: { customerDomain: 'new.test' } });
  const query = { customerId: path.customerId, customerAuthToken: 'abc123' };
  expect(listedIds(tenant.ok('reseller.subscriptions.list', { query }))).toEqual(['new.test']);
});

test('a trial gets a plan, under a new id, and is paid for at once when that is asked', () => {
  const tenant = testTenant();
  const path = sold(tenant, TRIAL);
  expect(read(tenant, path)['trialSettings']).toEqual({
    isInTrial: true,
    trialEndTime: String(Date.UTC(2026, 11, 21)),
  });
  expect(tenant.refused('reseller.subscriptions.startPaidService', { path })).toBe(
    '412 conditionNotMet: The trial has no payment plan.',
  );
  const changed = tenant.ok('reseller.subscriptions.changePlan', {
    path,
    body: { planName: 'ANNUAL_YEARLY_PAY', seats: { numberOfSeats: 5 }, purchaseOrderId: 'PO-2' },
  });
  expect(changed).toMatchObject({
    plan: { planName: 'ANNUAL_YEARLY_PAY' },
    trialSettings: { isInTrial: true },
    purchaseOrderId: 'PO-2',
  });
  expect(changed['subscriptionId']).not.toBe(path.subscriptionId);
  expect(tenant.refused('reseller.subscriptions.get', { path })).toBe(
    '404 notFound: Resource Not Found: subscriptionId',
  );
  const now = { ...path, subscriptionId: text(changed['subscriptionId']) };
  expect(tenant.ok('reseller.subscriptions.startPaidService', { path: now })).toMatchObject({
    plan: { isCommitmentPlan: true },
    trialSettings: { isInTrial: false },
  });
});

test('time ends a trial; a plan wakes it again', () => {
  const tenant = testTenant();
  const path = sold(tenant, TRIAL);
  tenant.later(30 * DAY);
  expect(read(tenant, path)).toMatchObject({ status: 'SUSPENDED', suspensionReasons: ['TRIAL_ENDED'] });
  const body = { planName: 'FLEXIBLE', seats: { maximumNumberOfSeats: 3 } };
  expect(tenant.ok('reseller.subscriptions.changePlan', { path, body })['status']).toBe('ACTIVE');
});

test('suspend and activate; reasons that are not the reseller’s remain', () => {
  const tenant = testTenant();
  const path = sold(tenant, FLEXIBLE);
  expect(tenant.ok('reseller.subscriptions.suspend', { path })).toMatchObject({
    status: 'SUSPENDED',
    suspensionReasons: ['RESELLER_INITIATED'],
  });
  expect(tenant.refused('reseller.subscriptions.suspend', { path })).toBe(
    '412 conditionNotMet: The subscription is not active.',
  );
  const call = { method: 'reseller.subscriptions.get', path, query: {}, body: {}, caller: CALLER };
  suspendFor('PENDING_TOS_ACCEPTANCE', call, tenant.context(call.method));
  expect(tenant.ok('reseller.subscriptions.activate', { path })).toMatchObject({
    status: 'SUSPENDED',
    suspensionReasons: ['PENDING_TOS_ACCEPTANCE'],
  });
  expect(tenant.refused('reseller.subscriptions.activate', { path })).toBe(
    '412 conditionNotMet: The subscription is not suspended by the reseller.',
  );
});

test('seats of an annual plan grow; renewal settings are its own', () => {
  const tenant = testTenant();
  const path = sold(tenant, ANNUAL);
  const seats = (numberOfSeats: number) => ({ path, body: { numberOfSeats } });
  expect(tenant.ok('reseller.subscriptions.changeSeats', seats(12))).toMatchObject({ seats: { numberOfSeats: 12 } });
  expect(tenant.refused('reseller.subscriptions.changeSeats', seats(11))).toBe(
    '412 conditionNotMet: Seats of an annual plan cannot be reduced before its renewal.',
  );
  expect(tenant.refused('reseller.subscriptions.changeSeats', { path, body: { maximumNumberOfSeats: 20 } })).toBe(
    '400 required: Missing required field: seats.numberOfSeats',
  );
  const renewal = (renewalType: string) => ({ path, body: { renewalType } });
  expect(tenant.ok('reseller.subscriptions.changeRenewalSettings', renewal('CANCEL'))).toMatchObject({
    renewalSettings: { renewalType: 'CANCEL' },
  });
  expect(tenant.refused('reseller.subscriptions.changeRenewalSettings', renewal('NEVER'))).toBe(
    '400 invalid: Invalid Input: renewalSettings.renewalType',
  );
  expect(tenant.refused('reseller.subscriptions.changeRenewalSettings', { path })).toBe(
    '400 required: Missing required field: renewalType',
  );
  const other = sold(tenant, FLEXIBLE, 'b.test');
  expect(
    tenant.refused('reseller.subscriptions.changeRenewalSettings', { path: other, body: { renewalType: 'CANCEL' } }),
  ).toBe('412 conditionNotMet: Renewal settings are for annual plans.');
});

test.each([
  [{}, '400 required: Missing required field: deletionType'],
  [{ deletionType: 'deletion_type_undefined' }, '400 required: Missing required field: deletionType'],
  [{ deletionType: 'downgrade' }, '400 invalid: Invalid Input: deletionType'],
])('delete with %j is refused', (query, refusal) => {
  const tenant = testTenant();
  const path = sold(tenant, FLEXIBLE);
  expect(tenant.refused('reseller.subscriptions.delete', { path, query })).toBe(refusal);
  expect(read(tenant, path)['status']).toBe('ACTIVE');
});

test('delete cancels, or suspends', () => {
  const tenant = testTenant();
  const path = sold(tenant, FLEXIBLE);
  expect(tenant.ok('reseller.subscriptions.delete', { path, query: { deletionType: 'suspend' } })).toEqual({});
  expect(read(tenant, path)['status']).toBe('SUSPENDED');
  expect(tenant.ok('reseller.subscriptions.delete', { path, query: { deletionType: 'cancel' } })).toEqual({});
  expect(tenant.refused('reseller.subscriptions.get', { path })).toBe(
    '404 notFound: Resource Not Found: subscriptionId',
  );
});

test('a customer that is handed over is known by little, and comes back with its token', () => {
  const tenant = testTenant();
  const path = sold(tenant, FLEXIBLE);
  const { customerId } = path;
  tenant.ok('reseller.subscriptions.delete', { path, query: { deletionType: 'transfer_to_direct' } });
  const { etag: _etag, ...known } = tenant.ok('reseller.customers.get', { path: { customerId } });
  expect(known).toEqual({ kind: 'reseller#customer', customerId, customerDomain: 'acme.test', customerType: 'domain' });
  expect(tenant.refused('reseller.customers.patch', { path: { customerId }, body: { phoneNumber: '' } })).toBe(
    '403 forbidden: Not Authorized to access this resource/api',
  );
  const query = { customerId, customerAuthToken: 'abc123' };
  expect(tenant.ok('reseller.subscriptions.list', { query })['subscriptions']).toMatchObject([
    { skuId: BASIC, transferInfo: { minimumTransferableSeats: 10 } },
  ]);
  const insert = (sent: object, given: Record<string, string>) =>
    ({ path: { customerId }, query: given, body: { ...FLEXIBLE, ...sent } as JsonObject }) as const;
  const method = 'reseller.subscriptions.insert';
  expect(tenant.refused(method, insert({}, {}))).toBe('400 required: Missing required field: customerAuthToken');
  expect(tenant.refused(method, insert({}, { customerAuthToken: 'xyz' }))).toBe(
    '400 invalid: Invalid Input: customerAuthToken',
  );
  expect(tenant.refused(method, insert({ seats: { maximumNumberOfSeats: 9 } }, { customerAuthToken: 'abc123' }))).toBe(
    '400 invalid: Invalid Input: seats',
  );
  tenant.ok(method, insert({}, { customerAuthToken: 'abc123' }));
  expect(tenant.ok('reseller.customers.get', { path: { customerId } })).toHaveProperty('postalAddress');
  expect(tenant.ok('reseller.subscriptions.list', { query })).toEqual({ kind: 'reseller#subscriptions' });
});

test('subscriptions are listed by customer, by prefix, and page by page', () => {
  const tenant = testTenant();
  for (const domain of ['exam.com', 'example20.com', 'example.com', 'other.com']) sold(tenant, FLEXIBLE, domain);
  const domains = (query: Record<string, string | number>) =>
    listedIds(tenant.ok('reseller.subscriptions.list', { query }));
  expect(domains({})).toEqual(['exam.com', 'example.com', 'example20.com', 'other.com']);
  expect(domains({ customerNamePrefix: 'exa' })).toHaveLength(3);
  expect(domains({ customerNamePrefix: 'Example' })).toEqual(['example.com', 'example20.com']);
  expect(domains({ customerId: 'other.com' })).toEqual(['other.com']);
  expect(domains({ customerId: 'other.com', customerNamePrefix: 'exa' })).toEqual([]);
  const { nextPageToken } = tenant.ok('reseller.subscriptions.list', { query: { maxResults: 3 } });
  expect(domains({ maxResults: 3, pageToken: text(nextPageToken) })).toEqual(['other.com']);
  expect(tenant.refused('reseller.subscriptions.list', { query: { customerId: 'none.com' } })).toBe(
    '404 notFound: Resource Not Found: customerId',
  );
});

test('of 21 subscriptions a page shows 20', () => {
  const tenant = testTenant();
  for (let n = 0; n < 21; n += 1) sold(tenant, FLEXIBLE, `d${n}.test`);
  expect(listedIds(tenant.ok('reseller.subscriptions.list'))).toHaveLength(20);
  expect(listedIds(tenant.ok('reseller.subscriptions.list', { query: { maxResults: 100 } }))).toHaveLength(21);
});

test('service accounts are registered for notifications, and taken off again', () => {
  const tenant = testTenant();
  const query = { serviceAccountEmailAddress: 'bot@project.iam.gserviceaccount.com' };
  expect(tenant.ok('reseller.resellernotify.getwatchdetails')).toEqual({});
  const topic = { topicName: 'projects/partner-watch/topics/C00000001' };
  expect(tenant.ok('reseller.resellernotify.register', { query })).toEqual(topic);
  tenant.ok('reseller.resellernotify.register', { query });
  expect(tenant.ok('reseller.resellernotify.getwatchdetails')).toEqual({
    serviceAccountEmailAddresses: ['bot@project.iam.gserviceaccount.com'],
    ...topic,
  });
  expect(tenant.ok('reseller.resellernotify.unregister', { query })).toEqual(topic);
  expect(tenant.refused('reseller.resellernotify.unregister', { query })).toBe(
    '404 notFound: Resource Not Found: serviceAccountEmailAddress',
  );
  expect(tenant.refused('reseller.resellernotify.register')).toBe(
    '400 required: Missing required field: serviceAccountEmailAddress',
  );
  expect(tenant.refused('reseller.resellernotify.register', { query: { serviceAccountEmailAddress: 'bot' } })).toBe(
    '400 invalid: Invalid Input: serviceAccountEmailAddress',
  );
});

test('of 100 service accounts each can be registered again, and no other', () => {
  const tenant = testTenant();
  const register = (n: number) => ({ query: { serviceAccountEmailAddress: `bot${n}@example.test` } });
  for (let n = 0; n < 100; n += 1) tenant.ok('reseller.resellernotify.register', register(n));
  expect(tenant.ok('reseller.resellernotify.register', register(7))).toHaveProperty('topicName');
  expect(tenant.refused('reseller.resellernotify.register', register(100))).toBe(
    '403 limitExceeded: Too many registrations',
  );
});
