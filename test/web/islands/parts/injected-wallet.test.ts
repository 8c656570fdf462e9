import { describe, expect, test, vi } from 'vitest';
import {
  connectWallet,
  type WalletProvider,
  signTypedData,
  findWallet,
  type WalletPage,
} from '../../../../src/web/islands/parts/injected-wallet.ts';

const ACCOUNT = `0x${'a1'.repeat(20)}`;
const provider: WalletProvider = { request: async () => undefined };

/** A page whose wallet must not even be looked at. */
function baited(hostname: string, isSecureContext = true): { page: WalletPage; looks: () => number } {
  let looks = 0;
  const page = {
    isSecureContext,
    location: { hostname },
    get ethereum() {
      looks += 1;
      return provider;
    },
  };
  return { page, looks: () => looks };
}

describe('P8: an injected wallet', () => {
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
  ])('is not looked at on %s', (hostname) => {
    const { page, looks } = baited(hostname);
    expect(findWallet(page, 'wallet')).toBeUndefined();
    expect(looks()).toBe(0);
  });

  test.each(['demo', undefined, ''])('is not looked at in mode %j', (mode) => {
    const { page, looks } = baited('sightline.example');
    expect(findWallet(page, mode)).toBeUndefined();
    expect(looks()).toBe(0);
  });

  test('is not looked at where anybody on the way could change what is signed', () => {
    const { page, looks } = baited('sightline.example', false);
    expect(findWallet(page, 'wallet')).toBeUndefined();
    expect(looks()).toBe(0);
  });

  test.each(['sightline.example', '127.example', 'localhost.example'])('is found on %s', (hostname) => {
    expect(findWallet(baited(hostname).page, 'wallet')).toBe(provider);
  });

  test.each([undefined, null, {}, { request: 1 }, 'wallet'])('that is %j is none', (ethereum) => {
    const page = { isSecureContext: true, location: { hostname: 'sightline.example' }, ethereum };
    expect(findWallet(page, 'wallet')).toBeUndefined();
  });
});

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

describe('a wallet that is asked', () => {
  test('on Base gives its account and is not switched', async () => {
    const made = wallet({ eth_requestAccounts: [ACCOUNT], eth_chainId: '0x2105' });
    expect(await connectWallet(made)).toEqual({ ok: true, account: ACCOUNT });
    expect(made.asked).toEqual(['eth_requestAccounts', 'eth_chainId']);
  });

  test('on another chain is asked to switch to Base', async () => {
    const request = vi.fn<WalletProvider['request']>(async ({ method }) =>
      method === 'eth_requestAccounts' ? [ACCOUNT] : '0x1',
    );
    expect(await connectWallet({ request })).toMatchObject({ ok: true });
    expect(request).toHaveBeenLastCalledWith({
      method: 'wallet_switchEthereumChain',
      params: [{ chainId: '0x2105' }],
    });
  });

  test.each([4200, -32_601])('that cannot switch (%s) signs all the same', async (code) => {
    const made = wallet({ eth_requestAccounts: [ACCOUNT], eth_chainId: '0x1', wallet_switchEthereumChain: { code } });
    expect(await connectWallet(made)).toEqual({ ok: true, account: ACCOUNT });
  });

  test.each([
    ['refused', { eth_requestAccounts: { code: 4001 } }, 'You refused'],
    ['no account', { eth_requestAccounts: [] }, 'named no account'],
    ['nonsense', { eth_requestAccounts: [{ to: 'x' }] }, 'named no account'],
    ['asking already', { eth_requestAccounts: { code: -32_002 } }, 'still asking'],
    ['in its own words', { eth_requestAccounts: { code: 1, message: 'locked' } }, 'locked'],
    [
      'refused to switch',
      { eth_requestAccounts: [ACCOUNT], eth_chainId: '0x1', wallet_switchEthereumChain: { code: 4001 } },
      'You refused',
    ],
    [
      'does not know Base',
      { eth_requestAccounts: [ACCOUNT], eth_chainId: '0x1', wallet_switchEthereumChain: { code: 4902 } },
      'does not know Base',
    ],
  ])('%s: says so', async (_what, answers, text) => {
    expect(await connectWallet(wallet(answers))).toEqual({ ok: false, detail: expect.stringContaining(text) });
  });

  const typed = { domain: {}, types: {}, primaryType: 'T', message: { value: '1' } };

  test('signs typed data as JSON text, for the account that pays', async () => {
    const request = vi.fn<WalletProvider['request']>(async () => '0xabcd');
    expect(await signTypedData({ request }, ACCOUNT, typed)).toEqual({ ok: true, signature: '0xabcd' });
    expect(request).toHaveBeenCalledWith({ method: 'eth_signTypedData_v4', params: [ACCOUNT, JSON.stringify(typed)] });
  });

  test.each([
    ['refuses', { eth_signTypedData_v4: { code: 4001 } }, 'You refused'],
    ['gives nothing', { eth_signTypedData_v4: null }, 'no signature'],
    ['gives something else', { eth_signTypedData_v4: '0xzz' }, 'no signature'],
    ['talks for ever', { eth_signTypedData_v4: { code: -1, message: 'x'.repeat(9_000) } }, 'could not do it'],
  ])('%s: nothing was paid, and a short text says so', async (_what, answers, text) => {
    const signed = await signTypedData(wallet(answers), ACCOUNT, typed);
    expect(signed).toEqual({ ok: false, detail: expect.stringContaining(text) });
    expect(signed).toEqual({ ok: false, detail: expect.stringContaining('Nothing was signed') });
    expect(JSON.stringify(signed).length).toBeLessThan(400);
  });
});
