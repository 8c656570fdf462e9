import { beforeEach, describe, expect, test } from 'vitest';
import { seedAsp, seedEnrolment, seedToken } from '../../../../../src/management/emulator/enrolments.ts';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

const USER = 'ann@example.com';
const path = { userKey: USER };
let tenant: TestTenant;
let id: string;
beforeEach(() => {
  tenant = testTenant();
  id = addUser(USER);
});

function addUser(primaryEmail: string): string {
  const body = { primaryEmail, password: 'correct horse', name: { givenName: 'Ann', familyName: 'Lee' } };
  return tenant.ok('directory.users.insert', { body })['id'] as string;
}

describe('application passwords', () => {
  const asp = { codeId: 7, name: 'Mail', creationTime: '1700000000000' };

  test('that were seeded are listed, shown and deleted', () => {
    seedAsp(tenant.context('directory.asps.list'), USER, asp);
    const shown = {
      kind: 'admin#directory#asp',
      etag: expect.stringMatching(/^".+"$/),
      codeId: 7,
      name: 'Mail',
      creationTime: '1700000000000',
      lastTimeUsed: '0',
      userKey: id,
    };
    expect(tenant.ok('directory.asps.list', { path })).toMatchObject({
      kind: 'admin#directory#aspList',
      items: [shown],
    });
    expect(tenant.ok('directory.asps.get', { path: { ...path, codeId: '7' } })).toEqual(shown);
    expect(tenant.ok('directory.asps.delete', { path: { ...path, codeId: '7' } })).toEqual({});
    expect(tenant.ok('directory.asps.list', { path })).not.toHaveProperty('items');
  });

  test.each([0, -1, 1.5, 2 ** 31])('have ids of 32 bits: not %d', (codeId) => {
    expect(() => seedAsp(tenant.context('directory.asps.list'), USER, { ...asp, codeId })).toThrow(
      'Invalid Input: codeId',
    );
  });

  test('of somebody else are not found', () => {
    addUser('bob@example.com');
    seedAsp(tenant.context('directory.asps.list'), 'bob@example.com', asp);
    for (const verb of ['get', 'delete']) {
      const sent = { path: { ...path, codeId: '7' } };
      expect(tenant.refused(`directory.asps.${verb}`, sent)).toBe('404 notFound: Resource Not Found: codeId');
    }
  });
});

describe('tokens', () => {
  const token = { clientId: 'app.example', displayText: 'App', scopes: ['https://www.googleapis.com/auth/drive'] };

  test('that were seeded are listed, shown and deleted, each once', () => {
    const context = tenant.context('directory.tokens.list');
    seedToken(context, USER, token);
    expect(() => seedToken(context, USER, token)).toThrow('Entity already exists.');
    const shown = {
      kind: 'admin#directory#token',
      etag: expect.stringMatching(/^".+"$/),
      ...token,
      anonymous: false,
      nativeApp: false,
      userKey: id,
    };
    const one = { path: { ...path, clientId: 'app.example' } };
    expect(tenant.ok('directory.tokens.list', { path })).toMatchObject({
      kind: 'admin#directory#tokenList',
      items: [shown],
    });
    expect(tenant.ok('directory.tokens.get', one)).toEqual(shown);
    expect(tenant.ok('directory.tokens.delete', one)).toEqual({});
    expect(tenant.refused('directory.tokens.get', one)).toBe('404 notFound: Resource Not Found: clientId');
    expect(tenant.refused('directory.tokens.delete', one)).toBe('404 notFound: Resource Not Found: clientId');
  });

  test('stay when the user is signed out, and go when the user is deleted', () => {
    seedToken(tenant.context('directory.tokens.list'), USER, token);
    tenant.ok('directory.users.signOut', { path });
    expect(tenant.ok('directory.tokens.list', { path })['items']).toHaveLength(1);
    tenant.ok('directory.users.delete', { path });
    tenant.ok('directory.users.undelete', { path: { userKey: id } });
    expect(tenant.ok('directory.tokens.list', { path })).not.toHaveProperty('items');
  });
});

describe('verification codes', () => {
  const codes = (): string[] => {
    const { items = [] } = tenant.ok('directory.verificationCodes.list', { path });
    return (items as JsonObject[]).map(({ verificationCode }) => verificationCode as string);
  };

  test('K7: ten random codes of eight digits take the place of those before, drawn as secrets', () => {
    expect(codes()).toEqual([]);
    const drawn: number[] = [];
    const { secret } = tenant.engine;
    tenant.engine.secret = (bytes) => {
      drawn.push(bytes);
      return secret(bytes);
    };
    tenant.engine.random = () => {
      throw new Error('Codes must not come from what a seed foretells');
    };
    expect(tenant.ok('directory.verificationCodes.generate', { path })).toEqual({});
    const first = codes();
    expect(first).toHaveLength(10);
    for (const code of first) expect(code).toMatch(/^[0-9]{8}$/);
    expect(drawn).toEqual(Array.from({ length: 10 }, () => 5));
    tenant.ok('directory.verificationCodes.generate', { path });
    expect(codes()).toHaveLength(10);
    expect(codes()).not.toEqual(first);
    expect(JSON.stringify(tenant.changes)).not.toContain(first[0]);
  });

  test('name the user, and are gone when they are invalidated', () => {
    tenant.ok('directory.verificationCodes.generate', { path });
    expect(tenant.ok('directory.verificationCodes.list', { path })).toMatchObject({
      kind: 'admin#directory#verificationCodesList',
      items: expect.arrayContaining([
        expect.objectContaining({ kind: 'admin#directory#verificationCode', userId: id }),
      ]),
    });
    expect(tenant.ok('directory.verificationCodes.invalidate', { path })).toEqual({});
    expect(codes()).toEqual([]);
  });
});

describe('2-step verification', () => {
  test('is turned off for an enrolled user only', () => {
    const refused = () => tenant.refused('directory.twoStepVerification.turnOff', { path });
    const refusal = '400 invalid: Invalid Input: the user is not enrolled in 2-step verification';
    expect(refused()).toBe(refusal);
    seedEnrolment(tenant.context('directory.users.get'), USER);
    expect(tenant.ok('directory.users.get', { path })['isEnrolledIn2Sv']).toBe(true);
    expect(tenant.ok('directory.twoStepVerification.turnOff', { path })).toEqual({});
    expect(tenant.ok('directory.users.get', { path })['isEnrolledIn2Sv']).toBe(false);
    expect(refused()).toBe(refusal);
  });
});

test.each([
  'asps.list',
  'asps.get',
  'asps.delete',
  'tokens.list',
  'tokens.get',
  'tokens.delete',
  'verificationCodes.list',
  'verificationCodes.generate',
  'verificationCodes.invalidate',
  'twoStepVerification.turnOff',
])('%s of nobody answers 404', (method) => {
  const sent = { path: { userKey: 'nobody@example.com', codeId: '1', clientId: 'x' } };
  expect(tenant.refused(`directory.${method}`, sent)).toBe('404 notFound: Resource Not Found: userKey');
});
