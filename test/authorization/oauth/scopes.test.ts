import { describe, expect, test } from 'vitest';
import type { Account, AccountGrant } from '../../../src/authorization/people/account.ts';
import type { ClientClass } from '../../../src/authorization/clients/clients.ts';
import {
  selectGrantableScopes,
  isControlScope,
  isVendorScope,
  parseScope,
  classifyScope,
  describeScope,
} from '../../../src/authorization/oauth/scopes.ts';

const VENDOR = 'https://www.googleapis.com/auth/admin.directory.user';

test.each([
  ['audit:run', 'payer'],
  ['credits:use', 'payer'],
  ['operator', 'operator'],
  ['channels:read', 'operator'],
  ['channels:write', 'operator'],
  ['ai-search', 'operator'],
  ['emulator', 'operator'],
  [VENDOR, 'operator'],
  ['', undefined],
  ['AUDIT:RUN', undefined],
  ['audit:run ', undefined],
  ['everything', undefined],
  ['toString', undefined],
  ['__proto__', undefined],
  ['https://www.googleapis.com/auth/', undefined],
  ['https://www.googleapis.com/auth/../x', undefined],
  ['https://www.googleapis.com/auth/a b', undefined],
  ['https://www.googleapis.com.evil.example/auth/x', undefined],
  [`https://www.googleapis.com/auth/${'x'.repeat(101)}`, undefined],
])('the class of "%s" is %s', (scope, expected) => {
  expect(classifyScope(scope)).toBe(expected);
});

test.each([
  ['audit:run credits:use', ['audit:run', 'credits:use']],
  ['  audit:run   audit:run ', ['audit:run']],
  ['', []],
  ['audit:run\tcredits:use', ['audit:run\tcredits:use']],
  [`admin.directory.user ${VENDOR}`, [VENDOR]],
  ['admin.directory.unheard drive', ['admin.directory.unheard', 'https://www.googleapis.com/auth/drive']],
])('"%s" is a list of scopes', (text, expected) => {
  expect(parseScope(text)).toEqual(expected);
});

test('a person reads a sentence about every scope', () => {
  expect(describeScope('credits:use')).toContain('prepaid credits');
  expect(describeScope(VENDOR)).toContain(VENDOR);
  expect([isVendorScope(VENDOR), isVendorScope('operator')]).toEqual([true, false]);
});

test('the vendors know scopes for management interfaces only, and so are two of ours', () => {
  const scopes = [VENDOR, 'emulator', 'ai-search', 'audit:run', 'operator', 'channels:read', 'admin.directory.user'];
  expect(scopes.filter(isControlScope)).toEqual([VENDOR, 'emulator', 'ai-search']);
});

describe('A1: a token never exceeds what its subject and its client may have', () => {
  const account = (kind: Account['kind']): Account => ({ id: 'a'.repeat(32), kind, createdAtMs: 0 });
  const all = ['audit:run', 'credits:use', 'operator', 'channels:read', VENDOR, 'everything'];
  const grant = (...scopes: string[]): AccountGrant[] => scopes.map((scope) => ({ scope, tenant: '*' }));
  const rows: readonly [Account['kind'], ClientClass, AccountGrant[], string[]][] = [
    ['payer', 'open', [], ['audit:run', 'credits:use']],
    ['payer', 'operator', [], ['audit:run', 'credits:use']],
    ['payer', 'open', grant('channels:read', 'operator'), ['audit:run', 'credits:use']],
    ['payer', 'operator', grant('channels:read'), ['audit:run', 'credits:use', 'channels:read']],
    ['operator', 'open', [], ['audit:run', 'credits:use']],
    ['operator', 'operator', [], ['audit:run', 'credits:use', 'operator', 'channels:read', VENDOR]],
    ['service', 'open', grant('operator', 'audit:run'), ['audit:run']],
    ['service', 'operator', [], []],
    ['service', 'operator', grant(VENDOR, 'everything'), [VENDOR]],
  ];

  test.each(rows)('a %s by a client of class %s with the grants %j gets %j', (kind, clientClass, grants, expected) => {
    expect(selectGrantableScopes({ account: account(kind), grants }, clientClass, all)).toEqual(expected);
  });

  test('and never what was not asked for', () => {
    expect(selectGrantableScopes({ account: account('operator'), grants: [] }, 'operator', ['audit:run'])).toEqual([
      'audit:run',
    ]);
    expect(selectGrantableScopes({ account: account('operator'), grants: [] }, 'operator', [])).toEqual([]);
  });
});
