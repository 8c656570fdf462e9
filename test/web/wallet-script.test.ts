import { runInNewContext } from 'node:vm';
import { privateKeyToAccount } from 'viem/accounts';
import { fromHex } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import { checkSignInMessage, signInTerms, verifySignInSignature } from '../../src/authorization/people/siwe.ts';
import { signInWords } from '../../src/web/sign-in-words.ts';
import { walletScript } from '../../src/web/wallet-script.ts';

const BASE = 'https://sightline.test';
const NONCE = '0123456789abcdef'.repeat(4).slice(0, 58);
const account = privateKeyToAccount(`0x${'a5'.repeat(32)}`);
const { script: words } = signInWords.en;

type Asked = { method: string; params?: [string, string] };
type Posted = { path: string; body: Record<string, string> };
type Wallet = (asked: Asked) => Promise<unknown>;
type Announced = { detail: { info: { name: string }; provider: { request: Wallet } } };
type FakeButton = {
  dataset: Record<string, string>;
  disabled: boolean;
  textContent: string;
  addEventListener: (name: string, listener: () => Promise<void>) => void;
  removeAttribute: () => void;
  cloneNode: () => FakeButton;
  parentNode: { append: (one: FakeButton) => void };
  click: () => Promise<void> | undefined;
};

function fakeButton(dataset: Record<string, string>, siblings: FakeButton[]): FakeButton {
  let click: (() => Promise<void>) | undefined;
  return {
    dataset,
    disabled: true,
    textContent: 'the words of the page',
    addEventListener: (_name: string, listener: () => Promise<void>) => {
      click = listener;
    },
    removeAttribute: () => undefined,
    cloneNode: (): FakeButton => fakeButton(dataset, siblings),
    parentNode: { append: (one: FakeButton) => void siblings.push(one) },
    click: () => click?.(),
  };
}

type Options = {
  wallet?: Wallet;
  announced?: readonly { name: string; wallet: Wallet }[];
  status?: number;
  offline?: true;
};

/** The sign-in page as the script sees it, with wallets and a service. */
function pageWith(options: Options) {
  const { domain, uri, version, chainId, statement } = signInTerms(BASE);
  const terms = { domain, uri, version, chainId: String(chainId), statement, csrf: 'token', returnTo: '/account' };
  const others: FakeButton[] = [];
  const button = fakeButton({ ...terms, words: JSON.stringify(words) }, others);
  const status = { textContent: words.none };
  const posted: Posted[] = [];
  const went: string[] = [];
  const fetch = async (path: string, { body }: { body: string }) => {
    if (options.offline) throw new TypeError('failed to fetch');
    posted.push({ path, body: JSON.parse(body) as Record<string, string> });
    const ok = options.status === undefined;
    const json = ok
      ? { nonce: NONCE, address: account.address }
      : { title: 'Too many attempts', next: 'Wait as long as Retry-After says, then try again.' };
    return { ok, status: options.status ?? 200, json: async () => json };
  };
  let heard: ((event: Announced) => void) | undefined;
  const announce = (name: string, request: Wallet, provider = { request }): void =>
    heard?.({ detail: { info: { name }, provider } });
  const window = {
    fetch,
    Event: function FakeEvent() {},
    location: { assign: (path: string) => void went.push(path) },
    addEventListener: (_name: string, listener: (event: Announced) => void) => {
      heard = listener;
    },
    dispatchEvent: () => {
      for (const { name, wallet } of options.announced ?? []) announce(name, wallet);
    },
    ...(options.wallet === undefined ? {} : { ethereum: { request: options.wallet } }),
  };
  const elements: Record<string, unknown> = { 'wallet-button': button, 'wallet-status': status };
  const document = { getElementById: (id: string) => elements[id] ?? null };
  runInNewContext(walletScript, { window, document, TextEncoder, Date });
  return { button, others, status, posted, went, announce, click: () => button.click() };
}

const goodWallet: Wallet = async ({ method, params }) => {
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
    expect([page.button.disabled, page.status.textContent]).toEqual([true, words.none]);
  });

  test('has a button for each wallet that announces itself (EIP-6963), and asks the one that is pressed', async () => {
    const asked: string[] = [];
    const named =
      (name: string): Wallet =>
      async (question) => {
        asked.push(name);
        return goodWallet(question);
      };
    const announced = ['One', 'Two'].map((name) => ({ name, wallet: named(name) }));
    const page = pageWith({ announced, wallet: named('the injected one') });
    expect([page.button, ...page.others].map(({ textContent }) => textContent)).toEqual([
      'Sign in with One',
      'Sign in with Two',
    ]);
    await page.others[0]?.click();
    expect(new Set(asked)).toEqual(new Set(['Two']));
    expect(page.went).toEqual(['/account']);
  });

  test('takes no wallet twice, and no more than twelve', () => {
    const page = pageWith({});
    const provider = { request: goodWallet };
    page.announce('Same', goodWallet, provider);
    page.announce('Same again', goodWallet, provider);
    expect(page.others).toEqual([]);
    for (let count = 0; count < 40; count += 1) page.announce(`Wallet ${count}`, goodWallet);
    expect(page.others).toHaveLength(11);
  });

  test('shows the name of a wallet as one short line without hidden characters', () => {
    const page = pageWith({ announced: [{ name: `\u202e<b>Evil</b>\n\u0007${'x'.repeat(90)}`, wallet: goodWallet }] });
    expect(page.button.textContent).toBe(`Sign in with ${`<b>Evil</b>${'x'.repeat(90)}`.slice(0, 40)}`);
  });

  const refusal = (code: number): Promise<never> => Promise.reject(Object.assign(new Error('User rejected'), { code }));
  test.each<[string, Options, string]>([
    ['the person declines in the wallet', { wallet: () => refusal(4001) }, words.refused],
    ['the wallet fails', { wallet: () => refusal(-32_000) }, `${words.failed} User rejected. ${words.retry}`],
    ['the wallet has no account', { wallet: async () => [] }, words.noAccount],
    ['the service is out of reach', { wallet: goodWallet, offline: true }, words.unreachable],
    [
      'the service refuses',
      { wallet: goodWallet, status: 429 },
      `${words.failed} Too many attempts. Wait as long as Retry-After says, then try again.`,
    ],
  ])('says what to do when %s, and lets the person try again', async (_name, options, text) => {
    const page = pageWith(options);
    await page.click();
    expect(page.status.textContent).toBe(text);
    expect(page.button.disabled).toBe(false);
    expect(page.went).toEqual([]);
  });
});
