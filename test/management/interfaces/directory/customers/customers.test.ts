import { expect, test } from 'vitest';
import { testTenant } from '../../../../support/management/management.ts';

const ME = { customerKey: 'my_customer' };

test.each(['my_customer', 'C00000001', 'example.com', 'EXAMPLE.com'])('the customer is found by %s', (customerKey) => {
  expect(testTenant().ok('directory.customers.get', { path: { customerKey } })).toMatchObject({
    kind: 'admin#directory#customer',
    id: 'C00000001',
    customerDomain: 'example.com',
    customerCreationTime: '2026-11-21T00:00:00.000Z',
    language: 'en',
  });
});

test.each(['get', 'patch', 'update'])('K1: customers.%s: a foreign customer looks like an unknown one', (verb) => {
  for (const customerKey of ['C00000002', 'C0nobody', 'example.org', '', "' OR 1=1 --"])
    expect(testTenant().refused(`directory.customers.${verb}`, { path: { customerKey } })).toBe(
      '403 forbidden: Not Authorized to access this resource/api',
    );
});

test('PATCH merges the address, PUT keeps it', () => {
  const tenant = testTenant();
  const postalAddress = { countryCode: 'NL', locality: 'Delft', contactName: 'Ann' };
  tenant.ok('directory.customers.patch', { path: ME, body: { postalAddress, phoneNumber: '+31 15 555 0100' } });
  const patched = tenant.ok('directory.customers.patch', {
    path: ME,
    body: { postalAddress: { locality: 'Leiden' }, id: 'C0other', alternateEmail: 'ann@elsewhere.org' },
  });
  expect(patched).toMatchObject({
    id: 'C00000001',
    alternateEmail: 'ann@elsewhere.org',
    phoneNumber: '+31 15 555 0100',
    postalAddress: { countryCode: 'NL', locality: 'Leiden', contactName: 'Ann' },
  });
  const { etag: _, ...before } = patched;
  const put = tenant.ok('directory.customers.update', { path: ME, body: { language: 'nl' } });
  expect(put).toMatchObject({ ...before, language: 'nl' });
});

test('another domain becomes the primary one here', () => {
  const tenant = testTenant();
  tenant.ok('directory.domains.insert', { path: { customer: 'my_customer' }, body: { domainName: 'example.org' } });
  tenant.ok('directory.customers.update', { path: ME, body: { customerDomain: 'Example.org' } });
  const isPrimary = (domainName: string) =>
    tenant.ok('directory.domains.get', { path: { customer: 'my_customer', domainName } })['isPrimary'];
  expect([isPrimary('example.com'), isPrimary('example.org')]).toEqual([false, true]);
  expect(tenant.ok('directory.customers.get', { path: { customerKey: 'example.org' } })['id']).toBe('C00000001');
  tenant.ok('directory.domains.delete', { path: { customer: 'my_customer', domainName: 'example.com' } });
});

test.each([
  [{ customerDomain: 'example.org' }, '404 notFound: Domain not found'],
  [{ alternateEmail: 'ann' }, '400 invalid: Invalid Input: alternateEmail'],
  [{ alternateEmail: 'ann@example.com' }, '400 invalid: Invalid Input: alternateEmail'],
  [{ language: 'not a language' }, '400 invalid: Invalid Input: language'],
  [{ phoneNumber: 'call me' }, '400 invalid: Invalid Input: phoneNumber'],
  [{ postalAddress: { locality: 'Delft' } }, '400 required: Missing required field: postalAddress.countryCode'],
  [{ postalAddress: { countryCode: 'Holland' } }, '400 invalid: Invalid Input: countryCode'],
  [{ postalAddress: { countryCode: 'NL', locality: 'x'.repeat(256) } }, '400 invalid: Invalid Input: locality'],
])('customers.patch refuses %j and changes nothing', (body, refusal) => {
  const tenant = testTenant();
  const before = tenant.ok('directory.customers.get', { path: ME });
  expect(tenant.refused('directory.customers.patch', { path: ME, body })).toBe(refusal);
  expect(tenant.ok('directory.customers.get', { path: ME })).toEqual(before);
});
