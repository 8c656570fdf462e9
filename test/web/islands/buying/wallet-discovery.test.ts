import { describe, expect, test } from 'vitest';
import {
  discoverWallets,
  type FoundWallet,
  MAX_WALLETS,
  type WalletPage,
  type WalletProvider,
} from '../../../../src/web/islands/buying/wallet-discovery.ts';

const provider: WalletProvider = { request: async () => undefined };

type Bait = { isSecureContext?: boolean; ethereum?: unknown; announced?: readonly unknown[] };
type Baited = { page: WalletPage; looks: () => number; announce: (detail: unknown) => void };

/** A page that counts each look at its wallets: at the injected one, and by the event that asks the others. */
function baited(hostname: string, { isSecureContext = true, ethereum = provider, announced = [] }: Bait = {}): Baited {
  let looks = 0;
  let listen: (event: object) => void = () => undefined;
  const announce = (detail: unknown): void => listen({ detail });
  const page: WalletPage = {
    isSecureContext,
    location: { hostname },
    get ethereum() {
      looks += 1;
      return ethereum;
    },
    addEventListener: (_type, heard) => {
      listen = heard;
    },
    dispatchEvent: () => {
      looks += 1;
      announced.forEach(announce);
    },
  };
  return { page, looks: () => looks, announce };
}

/** What the page lists in the end. */
function found(page: WalletPage, mode: string | undefined = 'wallet'): readonly FoundWallet[] {
  let listed: readonly FoundWallet[] = [];
  discoverWallets(page, mode, (wallets) => {
    listed = wallets;
  });
  return listed;
}

const announcement = (uuid: unknown, name: unknown, more: object = {}): object => ({
  info: { uuid, name, rdns: 'com.example.wallet', icon: 'data:image/svg+xml,<svg onload=alert(1)>' },
  provider,
  ...more,
});

describe('P8: a wallet of the browser', () => {
  test.each([
    '127.0.0.1',
    '127.9.8.7',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'sightline.localhost',
    '[::1]',
    '[::]',
    '[::ffff:7f00:1]',
    '0.0.0.0',
  ])('is not looked for on %s', (hostname) => {
    const { page, looks } = baited(hostname);
    expect(found(page)).toEqual([]);
    expect(looks()).toBe(0);
  });

  test.each(['demo', undefined, ''])('is not looked for in mode %j', (mode) => {
    const { page, looks } = baited('sightline.example');
    discoverWallets(page, mode, () => expect.unreachable());
    expect(looks()).toBe(0);
  });

  test('is not looked for where anybody on the way could change what is signed', () => {
    const { page, looks } = baited('sightline.example', { isSecureContext: false });
    expect(found(page)).toEqual([]);
    expect(looks()).toBe(0);
  });

  test.each(['sightline.example', '127.example', 'localhost.example'])('is found on %s', (hostname) => {
    expect(found(baited(hostname).page)).toEqual([{ id: '', name: '', maker: '', provider }]);
  });

  test.each([undefined, null, {}, { request: 1 }, 'wallet'])('that is %j is none', (ethereum) => {
    expect(found(baited('sightline.example', { ethereum: ethereum ?? null }).page)).toEqual([]);
  });
});

describe('EIP-6963', () => {
  test('lists each wallet by its own name and maker, and the injected one only where no other is', () => {
    const { page } = baited('sightline.example', { announced: [announcement('a', 'One'), announcement('b', 'Two')] });
    expect(found(page)).toEqual([
      { id: 'a', name: 'One', maker: 'com.example.wallet', provider },
      { id: 'b', name: 'Two', maker: 'com.example.wallet', provider },
    ]);
  });

  test('a wallet that comes later is listed too, and takes the place of the injected one', () => {
    const { page, announce } = baited('sightline.example');
    let listed: readonly FoundWallet[] = [];
    discoverWallets(page, 'wallet', (wallets) => {
      listed = wallets;
    });
    expect(listed.map(({ id }) => id)).toEqual(['']);
    announce(announcement('late', 'Late'));
    expect(listed.map(({ id }) => id)).toEqual(['late']);
  });

  test('no wallet takes the place of another by its id, and a thousand are listed as a few', () => {
    const other: WalletProvider = { request: async () => 'other' };
    const announced = Array.from({ length: 1_000 }, (_, index) => announcement(`id-${index}`, `Wallet ${index}`));
    const { page } = baited('sightline.example', {
      announced: [announcement('id-0', 'First'), announcement('id-0', 'Thief', { provider: other }), ...announced],
    });
    const listed = found(page);
    expect(listed).toHaveLength(MAX_WALLETS);
    expect(listed[0]).toMatchObject({ id: 'id-0', name: 'First', provider });
  });

  test('names are one short line without hidden characters; pictures are not taken over at all', () => {
    const hostile = `<img src=x onerror=alert(1)>\u202e\u0000\n${'x'.repeat(500)}`;
    const [wallet] = found(baited('sightline.example', { announced: [announcement('a', hostile)] }).page);
    expect(wallet?.name.length).toBeLessThanOrEqual(40);
    expect(wallet?.name).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(JSON.stringify(wallet)).not.toContain('svg');
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['no information', { provider }],
    ['no provider', { info: { uuid: 'a', name: 'A', rdns: 'a' } }],
    ['a provider that cannot be asked', announcement('a', 'A', { provider: { request: 1 } })],
    ['an id that is no text', announcement(7, 'A')],
    ['an empty id', announcement('', 'A')],
    ['an endless id', announcement('a'.repeat(10_000), 'A')],
    [
      'members that throw',
      {
        get info(): never {
          throw new Error('hostile');
        },
        provider,
      },
    ],
  ])('an announcement with %s is none', (_what, detail) => {
    expect(found(baited('sightline.example', { ethereum: null, announced: [detail] }).page)).toEqual([]);
  });

  test('a name that is no text is left out, not the wallet', () => {
    const [wallet] = found(baited('sightline.example', { announced: [announcement('a', { evil: 1 })] }).page);
    expect(wallet).toMatchObject({ id: 'a', name: '' });
  });
});
