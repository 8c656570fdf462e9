import { runInNewContext } from 'node:vm';
import { privateKeyToAccount } from 'viem/accounts';
import { fromHex } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import { checkSignInMessage, signInTerms, verifySignInSignature } from '../../src/authorization/people/siwe.ts';
import { walletScript } from '../../src/web/wallet-script.ts';

const BASE = 'https://sightline.test';
const NONCE = '0123456789abcdef'.repeat(4).slice(0, 58);
const account = privateKeyToAccount(`0x${'a5'.repeat(32)}`);

type Asked = { method: string; params?: [string, string] };
type Posted = { path: string; body: Record<string, string> };

/** The sign-in page as the script sees it, with a wallet and a service. */
function pageWith(options: { wallet?: (asked: Asked) => Promise<unknown>; status?: number }) {
  const { domain, uri, version, chainId, statement } = signInTerms(BASE);
  const dataset = { domain, uri, version, chainId: String(chainId), statement, csrf: 'token', returnTo: '/account' };
  let click: (() => Promise<void>) | undefined;
  const button = {
    dataset,
    disabled: true,
    addEventListener: (_name: string, listener: () => Promise<void>) => {
      click = listener;
    },
  };
  const status = { textContent: 'No wallet was found in this browser.' };
  const posted: Posted[] = [];
  const went: string[] = [];
  const fetch = async (path: string, { body }: { body: string }) => {
    posted.push({ path, body: JSON.parse(body) as Record<string, string> });
    const ok = options.status === undefined;
    const json = ok ? { nonce: NONCE, address: account.address } : { title: 'Too many attempts' };
    return { ok, status: options.status ?? 200, json: async () => json };
  };
  const window = {
    fetch,
    location: { assign: (path: string) => void went.push(path) },
    ...(options.wallet === undefined ? {} : { ethereum: { request: options.wallet } }),
  };
  const elements: Record<string, unknown> = { 'wallet-button': button, 'wallet-status': status };
  const document = { getElementById: (id: string) => elements[id] ?? null };
  runInNewContext(walletScript, { window, document, TextEncoder, Date });
  return { button, status, posted, went, click: () => click?.() };
}

const goodWallet = async ({ method, params }: Asked): Promise<unknown> => {
  if (method === 'eth_requestAccounts') return [account.address.toLowerCase()];
  return account.signMessage({ message: fromHex((params?.[0] ?? '0x') as `0x${string}`, 'string') });
};

describe('the script of the sign-in page', () => {
  test('has the wallet sign a message that the service accepts, and goes where the person wanted to', async () => {
    const page = pageWith({ wallet: goodWallet });
    expect(page.button.disabled).toBe(false);
    await page.click();
    expect(page.posted.map(({ path }) => path)).toEqual(['/signin/siwe/nonce', '/signin/siwe']);
    const { message = '', signature = '', csrf } = page.posted[1]?.body ?? {};
    expect(csrf).toBe('token');
    expect(checkSignInMessage(message, signInTerms(BASE), Date.now())).toEqual({
      ok: true,
      address: account.address,
      nonce: NONCE,
    });
    const verdict = await verifySignInSignature({ message, address: account.address, signature }, async () => ({
      ok: false,
      reason: 'bad_signature',
    }));
    expect(verdict).toEqual({ ok: true });
    expect(page.went).toEqual(['/account']);
  });

  test('leaves the page as it is without a wallet', () => {
    const page = pageWith({});
    expect([page.button.disabled, page.status.textContent]).toEqual([true, 'No wallet was found in this browser.']);
  });

  test.each([
    ['the wallet refuses', { wallet: () => Promise.reject(new Error('User rejected')) }, 'User rejected'],
    ['the wallet has no account', { wallet: async () => [] }, 'The wallet named no account'],
    ['the service refuses', { wallet: goodWallet, status: 429 }, 'Too many attempts'],
  ])('says so when %s, and lets the person try again', async (_name, options, text) => {
    const page = pageWith(options);
    await page.click();
    expect(page.status.textContent).toBe(`That did not work: ${text}`);
    expect(page.button.disabled).toBe(false);
    expect(page.went).toEqual([]);
  });
});
