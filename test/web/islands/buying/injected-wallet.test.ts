import { describe, expect, test, vi } from 'vitest';
import { BASE, BASE_SEPOLIA, POLYGON } from '../../../../src/payment/terms/networks-data.ts';
import { findPageNetwork } from '../../../../src/payment/terms/wallet-chain-data.ts';
import {
  connectWallet,
  hasContractCode,
  isSignature,
  signTypedData,
  switchNetwork,
} from '../../../../src/web/islands/buying/injected-wallet.ts';
import type { WalletProvider } from '../../../../src/web/islands/buying/wallet-discovery.ts';

const ACCOUNT = `0x${'a1'.repeat(20)}`;
const SIGNATURE = `0x${'ab'.repeat(65)}`;

/** A wallet that answers by method; an Error-like object is thrown. */
function wallet(answers: Readonly<Record<string, unknown>>): { request: WalletProvider['request']; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    request: async ({ method }) => {
      asked.push(method);
      const answer = answers[method];
      if (typeof answer === 'object' && answer !== null && 'code' in answer) throw answer;
      return answer;
    },
  };
}
const onBase = { eth_requestAccounts: [ACCOUNT], eth_chainId: '0x2105' };

describe('a wallet that is asked for its account', () => {
  test('on Base gives it', async () => {
    const made = wallet(onBase);
    expect(await connectWallet(made)).toEqual({ ok: true, account: ACCOUNT });
    expect(made.asked).toEqual(['eth_requestAccounts', 'eth_chainId']);
  });

  test.each([
    ['0x1', 1],
    ['0x14a34', 84_532],
    [8453.5, 8453.5],
  ])('on the chain %s is not used, and not switched without being asked', async (eth_chainId, chainId) => {
    const made = wallet({ ...onBase, eth_chainId });
    expect(await connectWallet(made)).toEqual({ ok: false, reason: 'wrong_network', chainId });
    expect(made.asked).not.toContain('wallet_switchEthereumChain');
    expect(await connectWallet(made, { anyNetwork: true })).toEqual({ ok: true, account: ACCOUNT });
  });

  test.each([
    ['refused', { eth_requestAccounts: { code: 4001 } }, { reason: 'refused' }],
    ['names none', { eth_requestAccounts: [] }, { reason: 'no_account' }],
    ['names nonsense', { eth_requestAccounts: [{ to: 'x' }] }, { reason: 'no_account' }],
    ['is asking already', { eth_requestAccounts: { code: -32_002 } }, { reason: 'already_asking' }],
    [
      'has its own words',
      { eth_requestAccounts: { code: 1, message: 'locked' } },
      { reason: 'failed', said: 'locked' },
    ],
    ['has no words', { eth_requestAccounts: { code: 1 } }, { reason: 'failed', said: '' }],
    ['names no chain', { eth_requestAccounts: [ACCOUNT] }, { reason: 'wrong_network' }],
  ])('and %s: says so', async (_what, answers, refusal) => {
    expect(await connectWallet(wallet(answers))).toMatchObject({ ok: false, ...refusal });
  });

  test('and throws before it answers, is refused like one that answers so', async () => {
    const request = (): never => {
      throw new Error('at once');
    };
    expect(await connectWallet({ request })).toEqual({ ok: false, reason: 'failed', said: 'at once' });
  });

  test('and hangs for ever, is left when someone stops waiting', async () => {
    const waiting = new AbortController();
    const connecting = connectWallet({ request: () => new Promise(() => undefined) }, { signal: waiting.signal });
    waiting.abort();
    expect(await connecting).toEqual({ ok: false, reason: 'stopped' });
    expect(await connectWallet(wallet(onBase), { signal: waiting.signal })).toEqual({ ok: false, reason: 'stopped' });
  });
});

describe('a wallet that is asked to pay on Polygon', () => {
  const onPolygon = { ...onBase, eth_chainId: '0x89' };

  test('is taken on Polygon, and on Base it is not', async () => {
    expect(await connectWallet(wallet(onPolygon), { network: POLYGON })).toEqual({ ok: true, account: ACCOUNT });
    const elsewhere = { ok: false, reason: 'wrong_network', chainId: BASE.chainId };
    expect(await connectWallet(wallet(onBase), { network: POLYGON })).toEqual(elsewhere);
    expect(await connectWallet(wallet(onPolygon))).toEqual({ ...elsewhere, chainId: POLYGON.chainId });
  });

  test('is given its chain where it does not know it, and is not believed while it is on Base', async () => {
    let chain = '0x2105';
    const request = vi.fn<WalletProvider['request']>(async ({ method }) => {
      if (method === 'wallet_switchEthereumChain') throw Object.assign(new Error('unknown'), { code: 4902 });
      return method === 'eth_chainId' ? chain : null;
    });
    const stayed = await switchNetwork({ request }, POLYGON);
    expect(stayed).toEqual({ ok: false, reason: 'still_elsewhere', chainId: BASE.chainId });
    chain = '0x89';
    expect(await switchNetwork({ request }, POLYGON)).toEqual({ ok: true });
    expect(request.mock.calls.slice(0, 2).map(([call]) => call)).toEqual([
      { method: 'wallet_switchEthereumChain', params: [{ chainId: '0x89' }] },
      {
        method: 'wallet_addEthereumChain',
        params: [
          {
            chainId: '0x89',
            chainName: 'Polygon',
            nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
            rpcUrls: ['https://polygon.drpc.org'],
            blockExplorerUrls: ['https://polygonscan.com'],
          },
        ],
      },
    ]);
  });

  test('P8: and a test network is none that a page pays on', () => {
    expect(findPageNetwork(POLYGON.id)).toBe(POLYGON);
    for (const id of [BASE_SEPOLIA.id, 'eip155:1', 'toString', '', undefined])
      expect(findPageNetwork(id)).toBeUndefined();
  });
});

describe('a switch to Base', () => {
  test('is asked for by its chain id, and believed when the wallet is there', async () => {
    const request = vi.fn<WalletProvider['request']>(async ({ method }) =>
      method === 'eth_chainId' ? '0x2105' : null,
    );
    expect(await switchNetwork({ request }, BASE)).toEqual({ ok: true });
    expect(request.mock.calls[0]?.[0]).toEqual({
      method: 'wallet_switchEthereumChain',
      params: [{ chainId: '0x2105' }],
    });
  });

  test('of a wallet that says it switched and did not, is refused', async () => {
    const made = wallet({ wallet_switchEthereumChain: null, eth_chainId: '0x1' });
    expect(await switchNetwork(made, BASE)).toEqual({ ok: false, reason: 'still_elsewhere', chainId: 1 });
  });

  test.each([4200, -32_601])('of a wallet that cannot (%s) is left: its signature is judged', async (code) => {
    expect(await switchNetwork(wallet({ wallet_switchEthereumChain: { code } }), BASE)).toEqual({ ok: true });
  });

  test.each<[string, object]>([
    ['plainly', { code: 4902 }],
    ['inside of an error of its own', { code: -32_603, data: { originalError: { code: 4902 } } }],
  ])('gives Base to a wallet that says %s that it does not know it', async (_what, unknown) => {
    const request = vi.fn<WalletProvider['request']>(async ({ method }) => {
      if (method === 'wallet_switchEthereumChain') throw unknown;
      return method === 'eth_chainId' ? '0x2105' : null;
    });
    expect(await switchNetwork({ request }, BASE)).toEqual({ ok: true });
    expect(request.mock.calls[1]?.[0]).toEqual({
      method: 'wallet_addEthereumChain',
      params: [
        {
          chainId: '0x2105',
          chainName: 'Base',
          nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
          rpcUrls: ['https://mainnet.base.org'],
          blockExplorerUrls: ['https://basescan.org'],
        },
      ],
    });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['refused', { wallet_switchEthereumChain: { code: 4001 } }, 'refused'],
    ['refused when Base is added', { wallet_addEthereumChain: { code: 4001 } }, 'refused'],
    ['not able to add it', { wallet_addEthereumChain: { code: 4200, message: 'no' } }, 'unknown_network'],
  ])('that is %s says so', async (_what, answers, reason) => {
    const made = wallet({ wallet_switchEthereumChain: { code: 4902 }, eth_chainId: '0x1', ...answers });
    expect(await switchNetwork(made, BASE)).toMatchObject({ ok: false, reason });
  });
});

describe('typed data', () => {
  const typed = { domain: {}, types: {}, primaryType: 'T', message: { value: '1' } };

  test('is signed as JSON text, for the account that pays', async () => {
    const request = vi.fn<WalletProvider['request']>(async () => SIGNATURE);
    expect(await signTypedData({ request }, ACCOUNT, typed)).toEqual({ ok: true, signature: SIGNATURE });
    expect(request).toHaveBeenCalledWith({ method: 'eth_signTypedData_v4', params: [ACCOUNT, JSON.stringify(typed)] });
  });

  test.each([
    ['refuses', { code: 4001 }, 'refused'],
    ['gives nothing', null, 'no_signature'],
    ['gives something else', '0xzz', 'no_signature'],
    ['gives too little', '0xabcd', 'no_signature'],
    ['gives a book', `0x${'ab'.repeat(10_000)}`, 'no_signature'],
    ['gives a list', [SIGNATURE], 'no_signature'],
  ])('%s: there is no signature', async (_what, eth_signTypedData_v4, reason) => {
    expect(await signTypedData(wallet({ eth_signTypedData_v4 }), ACCOUNT, typed)).toMatchObject({ ok: false, reason });
  });

  test('a wallet that talks for ever is quoted in one short line', async () => {
    const talking = wallet({ eth_signTypedData_v4: { code: -1, message: `a\n\u202e${'x'.repeat(9_000)}` } });
    const signed = await signTypedData(talking, ACCOUNT, typed);
    expect(JSON.stringify(signed).length).toBeLessThan(300);
    expect(JSON.stringify(signed)).not.toContain('202e');
  });

  test('a signature is one of a key, or a longer one of a contract', () => {
    expect([SIGNATURE, `0x${'ab'.repeat(700)}`].map(isSignature)).toEqual([true, true]);
    expect(['', '0x', SIGNATURE.slice(2), `${SIGNATURE}a`, 7, undefined].map(isSignature)).toEqual(
      Array.from({ length: 6 }, () => false),
    );
  });
});

test.each([
  ['0x60806040', true],
  ['0x', false],
  ['0xzz', false],
  [null, false],
  [{ code: 4200 }, false],
])('an account whose code is %j is a contract: %s', async (eth_getCode, isContract) => {
  expect(await hasContractCode(wallet({ eth_getCode }), ACCOUNT)).toBe(isContract);
});
