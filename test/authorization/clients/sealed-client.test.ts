import { describe, expect, test } from 'vitest';
import { openClient, sealClient, type SealedMetadata } from '../../../src/authorization/clients/sealed-client.ts';
import { createSealingKeyring } from '../../../src/authorization/oauth/sealing-keys.ts';
import { memoryStore } from '../../support/management/memory-rows.ts';

const HOUR = 3_600_000;
const DESK: SealedMetadata = {
  clientName: 'Desk',
  redirectUris: ['https://app.example/b', 'https://app.example/a'],
  grantTypes: ['authorization_code', 'refresh_token'],
  tokenEndpointAuthMethod: 'none',
  authMethodExplicit: true,
};

function world() {
  const store = memoryStore(Date.UTC(2026, 10, 23, 10, 30));
  const keysOf = createSealingKeyring(store);
  const seal = async (metadata: SealedMetadata = DESK) => {
    const sealed = await sealClient(metadata, keysOf(), store.now());
    if (sealed === undefined) throw new Error('too long');
    return sealed;
  };
  return { ...store, keysOf, seal, open: (id: string) => openClient(id, keysOf(), store.now()) };
}

describe('B6: a client id', () => {
  test('holds the registration that the provider library needs', async () => {
    const { seal, open } = world();
    const { clientId, clientSecret } = await seal();
    expect(clientSecret).toBeUndefined();
    expect(clientId).toMatch(/^v1\.[A-Za-z0-9_-]{100,400}$/);
    expect(await open(clientId)).toEqual({
      clientId,
      clientName: 'Desk',
      redirectUris: ['https://app.example/a', 'https://app.example/b'],
      grantTypes: ['authorization_code', 'refresh_token'],
      responseTypes: ['code'],
      registrationDate: Date.UTC(2026, 10, 23, 10) / 1000,
      tokenEndpointAuthMethod: 'none',
      authMethodExplicit: true,
    });
  });

  test('does not show what it holds', async () => {
    const { clientId } = await world().seal();
    expect(Buffer.from(clientId.slice(3), 'base64url').toString('latin1')).not.toMatch(/Desk|app\.example/);
  });

  test('cannot be changed in any character', async () => {
    const { seal, open } = world();
    const { clientId } = await seal();
    for (let index = 0; index < clientId.length; index += 1) {
      const forged = clientId.slice(0, index) + (clientId[index] === 'A' ? 'B' : 'A') + clientId.slice(index + 1);
      expect(await open(forged)).toBeUndefined();
    }
  });

  test.each([
    '',
    'v1.',
    'v1.A',
    'v1.AAAA',
    'v1.=',
    `v1.${'A'.repeat(300)}`,
    `v1.${'A'.repeat(5_000)}`,
    'abcdefgh12345678',
  ])('that we did not make is none: %s', async (clientId) => {
    expect(await world().open(clientId)).toBeUndefined();
  });

  test('has one spelling: unused bits of its last character count', async () => {
    const { seal, open } = world();
    const texts = await Promise.all(
      ['a', 'ab', 'abc'].map(async (clientName) => (await seal({ ...DESK, clientName })).clientId),
    );
    for (const text of texts) {
      const known = await Promise.all(
        Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', (last) =>
          open(text.slice(0, -1) + last),
        ),
      );
      expect(known.filter((client) => client !== undefined)).toHaveLength(1);
    }
  });

  test('of another deployment is none', async () => {
    expect(await world().open((await world().seal()).clientId)).toBeUndefined();
  });

  test('is worth nothing after 24 hours', async () => {
    const { seal, open, advance } = world();
    const { clientId } = await seal();
    advance(23 * HOUR);
    expect(await open(clientId)).toBeDefined();
    advance(HOUR);
    expect(await open(clientId)).toBeUndefined();
  });

  test('is the same for the same metadata within an hour, and another one for each client with a secret', async () => {
    const { seal, open, advance } = world();
    const first = await seal();
    expect((await seal({ ...DESK, redirectUris: DESK.redirectUris.toReversed() })).clientId).toBe(first.clientId);
    expect((await seal({ ...DESK, clientName: 'desk' })).clientId).not.toBe(first.clientId);
    advance(HOUR);
    expect((await seal()).clientId).not.toBe(first.clientId);
    const secret = { ...DESK, tokenEndpointAuthMethod: 'client_secret_basic' } as const;
    const [one, two] = [await seal(secret), await seal(secret)];
    expect(one.clientId).not.toBe(two.clientId);
    expect(one.clientSecret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(one.clientSecret).not.toBe(two.clientSecret);
    expect((await open(one.clientId))?.clientSecret).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is not longer than 2,048 characters: longer metadata is refused', async () => {
    const { keysOf, now } = world();
    const long = { ...DESK, redirectUris: [`https://app.example/${'x'.repeat(1_500)}`] };
    expect(await sealClient(long, keysOf(), now())).toBeUndefined();
  });
});
