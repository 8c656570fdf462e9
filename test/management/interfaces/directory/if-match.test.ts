import { beforeEach, expect, test } from 'vitest';
import { seedChromeDevice, seedMobileDevice, seedEnrolment } from '../../../../src/management/emulator/enrolments.ts';
import type { Call } from '../../../../src/management/core/engine/operation.ts';
import { testTenant, type TestTenant } from '../../../support/management/management.ts';

type Sent = Partial<Pick<Call, 'path' | 'query' | 'body'>>;
/** A call that changes one resource, and the call that reads it with its entity tag. */
type Action = Sent & { method: string; read: Sent & { method: string; at?: string } };

const textIn = (value: unknown): string => String(value);
const USER = 'ada@example.com';
const CUSTOMER = { customer: 'my_customer' };
const DEVICE = { customerId: 'my_customer', resourceId: 'd1' };

let tenant: TestTenant;
let userId: string;
beforeEach(() => {
  tenant = testTenant();
  const body = { primaryEmail: USER, name: { givenName: 'Ada', familyName: 'Abe' }, password: 'long enough' };
  userId = textIn(tenant.ok('directory.users.insert', { body })['id']);
  const context = tenant.context('directory.users.insert');
  seedEnrolment(context, USER);
  seedChromeDevice(context, { deviceId: 'd1' });
  seedMobileDevice(context, { resourceId: 'd1' });
  tenant.ok('directory.resources.features.insert', { path: CUSTOMER, body: { name: 'Screen' } });
  tenant.ok('directory.users.insert', { body: { ...body, primaryEmail: 'gone@example.com' } });
});

const user = { method: 'directory.users.get', path: { userKey: USER } };

/** `<status> <reason>` of a call with an entity tag of its own, or 204. */
function answerOf({ method, path = {}, body = {} }: Action, ifMatch: string): string {
  const answer = tenant.call(method, { path, body, ifMatch });
  return answer.ok ? String(answer.status) : `${answer.refusal.status} ${answer.refusal.reason}`;
}

test.each<[string, Action]>([
  ['makeAdmin', { method: 'directory.users.makeAdmin', path: { userKey: USER }, body: { status: true }, read: user }],
  ['turnOff', { method: 'directory.twoStepVerification.turnOff', path: { userKey: USER }, read: user }],
  [
    'the action of a Chrome device',
    {
      method: 'directory.chromeosdevices.action',
      path: DEVICE,
      body: { action: 'disable' },
      read: { method: 'directory.chromeosdevices.get', path: { customerId: 'my_customer', deviceId: 'd1' } },
    },
  ],
  [
    'the action of a mobile device',
    {
      method: 'directory.mobiledevices.action',
      path: DEVICE,
      body: { action: 'block' },
      read: { method: 'directory.mobiledevices.get', path: DEVICE },
    },
  ],
  [
    'the new name of a feature',
    {
      method: 'directory.resources.features.rename',
      path: { ...CUSTOMER, oldName: 'Screen' },
      body: { newName: 'Board' },
      read: { method: 'directory.resources.features.get', path: { ...CUSTOMER, featureKey: 'Screen' } },
    },
  ],
])('%s is done for who saw the present version only', (_what, action) => {
  const before = tenant.ok(action.read.method, action.read);
  expect(answerOf(action, '"x"')).toBe('412 conditionNotMet');
  expect(tenant.ok(action.read.method, action.read)).toEqual(before);
  expect(answerOf(action, textIn(before['etag'] ?? before['etags']))).toBe('204');
});

test('undelete is done for who saw the deleted user as it is only', () => {
  tenant.ok('directory.users.delete', { path: { userKey: USER } });
  const query = { ...CUSTOMER, showDeleted: true };
  const { users } = tenant.ok('directory.users.list', { query }) as { users?: { id: string; etag: string }[] };
  const etag = users?.find(({ id }) => id === userId)?.etag ?? 'none';
  const action = { method: 'directory.users.undelete', path: { userKey: userId }, read: user };
  expect(answerOf(action, '"x"')).toBe('412 conditionNotMet');
  expect(answerOf(action, etag)).toBe('204');
});
