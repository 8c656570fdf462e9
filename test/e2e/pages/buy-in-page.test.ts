import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../local/chain/chain.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { findCapability } from '../../../src/capabilities/catalog.ts';
import { NETWORK, USDC } from '../../../src/payment/terms/constants.ts';
import { encodeJsonBase64 } from '../../../src/web/islands/buying/payment-signing.ts';
import {
  complaints,
  judgePage,
  layoutShift,
  loadedScripts,
  LOOKS,
  noOverflow,
  type Opened,
  openBrowser,
} from '../../support/stack/browser.ts';
import { credentialOf } from '../../support/stack/presenting.ts';
import {
  ANNOUNCED_WALLET,
  type InjectedWallet,
  injectWallet,
  startWalletStack,
  typedData,
  type WalletStack,
} from '../../support/stack/wallet-stack.ts';

const PRICE = BigInt(findCapability('full_audit')?.priceMicroUsdc ?? 0);
const REPORT = /\/reports\/[0-9a-f]{32}$/;
const PAID_WITHIN_MS = 60_000;
const MONEY = 10_000_000n;

const auditOf = (origin: string, site: string): string => `${origin}/audit?url=${encodeURIComponent(site)}`;
/** An audit is offered beside its result only: one press makes the free one. */
async function openOffer(page: Page, origin: string, site: string): Promise<void> {
  await page.goto(auditOf(origin, site));
  await runAudit(page);
}
async function runAudit(page: Page): Promise<void> {
  await page.locator('#audit-run').click(); // Its words are in the language of the page.
  await page.locator('#audit-result-title').waitFor({ timeout: SAID_WITHIN_MS });
  await page.locator('[data-buy="panel"]').waitFor({ timeout: SAID_WITHIN_MS });
}
/** Audits the same site as one of another kind. */
async function chooseKind(page: Page, index: number): Promise<void> {
  await page.getByRole('link', { name: 'Audit another site' }).click();
  await page.evaluate(`document.querySelector('#audit-form details').open = true`);
  await page.getByLabel('Kind of site').selectOption({ index });
  await runAudit(page);
}
const status = (page: Page) => page.locator('[data-buy="status"]');
const SAID_WITHIN_MS = 20_000;
async function said(page: Page, text: string): Promise<void> {
  await expect.poll(() => status(page).textContent(), { timeout: SAID_WITHIN_MS }).toContain(text);
}
/**
 * The service sells to the next paid request, and the page does not get the answer. What is returned waits for that: the work
 * takes as long as any purchase, and only then does the page know that it has to say something.
 */
async function loseNextAnswer(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(`(() => {
    const real = globalThis.fetch;
    globalThis.isAnswerLost = false;
    globalThis.fetch = async (path, init) => {
      const answer = await real(path, init);
      if (init?.headers?.['payment-signature'] === undefined) return answer;
      // One that sells nothing is asked for again: of a busy service, before the transfer has its confirmations, or a stream
      // that was begun with 200 and ends in a problem.
      const text = await answer.clone().text();
      if (!text.includes('event: result\\n')) return answer;
      globalThis.fetch = real;
      globalThis.isAnswerLost = true;
      throw new TypeError('lost');
    };
  })()`);
  return async () => {
    await expect.poll(() => page.evaluate('globalThis.isAnswerLost'), { timeout: PAID_WITHIN_MS }).toBe(true);
  };
}
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const WALLET = /with your wallet/;
const TRANSFER = 'Pay by a transfer of your own';
const PAID_PATH = '**/api/agent/full_audit';
const isPaid = (route: Route): boolean => route.request().headers()['payment-signature'] !== undefined;

/** Both pages of a purchase must be usable by everybody. */
async function expectUsable(page: Page): Promise<void> {
  expect(await judgePage(page)).toEqual([]);
  expect(await noOverflow(page)).toEqual([]);
  const { shift, shifted } = await layoutShift(page);
  expect(shift < 0.1 ? [] : [shift, ...shifted]).toEqual([]);
}

describe('on the local stack', () => {
  let stack: Stack;
  let browser: Opened;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await stack.stop();
  });

  test('P8: one click buys an audit with the demo buyer, and a wallet of the browser is not even looked at', async () => {
    const page = await browser.page();
    await page.addInitScript(`
      globalThis.looks = 0;
      Object.defineProperty(globalThis, 'ethereum', { get() { globalThis.looks += 1; return undefined; } });
    `);
    const before = await stack.chain.balance(stack.buyer.address);
    await openOffer(page, stack.api.url, stack.sites.good);
    await button(page, 'Buy with the demo buyer').waitFor();
    expect(await button(page, WALLET).count()).toBe(0);
    await button(page, 'Buy with the demo buyer').click();
    await page.locator('[data-buy="progress"]:not([hidden])').waitFor();
    expect(await page.evaluate('globalThis.looks')).toBe(0);
    await page.waitForURL(REPORT, { timeout: PAID_WITHIN_MS });
    expect(await stack.chain.balance(stack.buyer.address)).toBe(before - PRICE);
    const report = await fetch(page.url(), { headers: { accept: 'application/json' } });
    expect(await report.json()).toMatchObject({ capability: 'full_audit', scores: { aeo: {}, geo: {} } });
    const token = await page.evaluate<string | null>(
      "sessionStorage.getItem('sightline-publish-' + location.pathname.split('/').pop())",
    );
    expect(token).toMatch(/^\S{16,}$/);
  });

  test('a person without a terminal measures a brand: the page asks for what is missing, then one click buys', async () => {
    const page = await browser.page({ width: 360 });
    await page.goto(`${stack.api.url}/visibility`);
    await button(page, 'Buy with the demo buyer').click();
    await said(page, 'Correct the marked fields above');
    await page.getByText('Fill in “Your brand”').waitFor();
    await page.getByLabel('Your brand').fill('Example Desk');
    await page.getByLabel('What buyers ask for').fill('help desk software');
    await expectUsable(page);
    await button(page, 'Buy with the demo buyer').click();
    await page.waitForURL(REPORT, { timeout: PAID_WITHIN_MS });
    expect(await page.locator('main').textContent()).toContain('real brands are unknown to it');
  });

  test('a person without a wallet signs in as the demo buyer, and sees the account of its credits', async () => {
    const page = await browser.page({ width: 360 });
    await page.goto(`${stack.api.url}/account`);
    expect(await page.getByLabel('Operator secret').count()).toBe(0);
    await expectUsable(page);
    await button(page, 'Sign in as the demo buyer').click();
    await page.waitForURL(/\/account$/);
    const text = await page.locator('main').textContent();
    expect(text).toContain(stack.buyer.address.toLowerCase());
    await page.goto(`${stack.api.url}/console/`);
    expect(await page.locator('main').textContent()).toContain('operator.secret in .local/stack.json');
  });

  /** Signs the message that the page shows, as a tool elsewhere would. */
  async function signShownMessage(page: Page, payer: Account): Promise<void> {
    await button(page, 'Show the message to sign').click();
    const shown = page.locator('[data-buy="message-box"] code');
    await expect.poll(() => shown.textContent(), { timeout: SAID_WITHIN_MS }).toContain('"Proof"');
    const { types, ...typed } = typedData.parse(JSON.parse((await shown.textContent()) ?? ''));
    const { EIP712Domain: _own, ...signed } = types;
    await page
      .getByLabel('Signature', { exact: true })
      .fill(await payer.account.signTypedData({ ...typed, types: signed }));
  }

  test('P9: a transfer is paid for step by step: its hash from an explorer, and a proof that was signed elsewhere', async () => {
    const payer = await stack.chain.freshAccount(MONEY);
    const hash = await stack.chain.transfer(payer, stack.seller.address, PRICE);
    const page = await browser.page({ width: 360 });
    await openOffer(page, stack.api.url, stack.sites.good);
    await page.getByText(TRANSFER).click();
    await page.getByText('confirmation').waitFor();
    expect(await page.locator('.buy dl').textContent()).toContain(stack.seller.address.toLowerCase());
    expect(await page.locator('.buy dl').textContent()).toContain(`/transfer?address=`);
    await page.getByLabel('Paste a signature').check();
    await button(page, 'Present this transfer').click();
    const fault = page.locator('[data-buy="hash-fault"]');
    await expect.poll(() => fault.textContent()).toContain('Paste the hash');
    await page.getByLabel('Transaction hash').fill('0x12');
    expect(await fault.textContent()).toContain('2 hexadecimal digits');
    await page.getByLabel('Transaction hash').fill(`https://etherscan.io/tx/${hash}`);
    expect(await fault.textContent()).toContain('another network');
    await page.getByLabel('Transaction hash').fill(` https://basescan.org/tx/${hash} `);
    expect(await fault.textContent()).toContain('is a transaction hash');
    await signShownMessage(page, payer);
    await expect
      .poll(() => page.locator('[data-buy="signature-fault"]').textContent(), { timeout: SAID_WITHIN_MS })
      .toContain(payer.address.toLowerCase());
    await expectUsable(page);
    await button(page, 'Present this transfer').click();
    await page.waitForURL(REPORT, { timeout: PAID_WITHIN_MS });
  });

  test('a proven transfer whose answer was lost gets its result by the same proof, and a purchase can be given up', async () => {
    const hash = await stack.chain.transfer(stack.buyer, stack.seller.address, PRICE);
    const page = await browser.page({ width: 360 });
    await openOffer(page, stack.api.url, stack.sites.good);
    await page.getByText(TRANSFER).click();
    await page.getByText('confirmation').waitFor();
    await page.getByLabel('Transaction hash').fill(hash);
    await page.getByLabel('Have the demo buyer sign').check();
    await page.route(PAID_PATH, (route) => (isPaid(route) ? route.abort() : route.continue()));
    await button(page, 'Present this transfer').click();
    await page.getByText(/connection to the service was lost/).waitFor();
    await page.unroute(PAID_PATH);
    await page.reload();
    await said(page, 'has not ended');
    expect(await page.locator('[data-step="checking"]').getAttribute('aria-current')).toBe('step');
    expect(await button(page, 'Buy with the demo buyer').isEnabled()).toBe(false);
    expect(await page.locator('[data-buy="kept-note"]').textContent()).toContain(`--hash ${hash} --proof`);
    await expectUsable(page);
    const other = await page.context().newPage();
    await openOffer(other, stack.api.url, stack.sites.good);
    await said(other, 'has not ended');
    await button(page, 'I give this one up').click();
    await said(page, hash);
    expect(await button(page, 'Buy with the demo buyer').isEnabled()).toBe(true);
    expect(await button(page, 'I give this one up').count()).toBe(0);
    await expect.poll(() => button(other, 'Buy with the demo buyer').isEnabled()).toBe(true);
    await page.getByText(TRANSFER).click();
    await page.getByText('confirmation').waitFor();
    await page.getByLabel('Transaction hash').fill(hash);
    await page.getByLabel('Have the demo buyer sign').check();
    const answerLost = await loseNextAnswer(page);
    await button(page, 'Present this transfer').click();
    await answerLost();
    await page.waitForURL(REPORT, { timeout: PAID_WITHIN_MS });
  });

  test('two tabs that buy the same: the second sees the first, signs nothing, and gets its report', async () => {
    const page = await browser.page();
    const before = await stack.chain.balance(stack.buyer.address);
    await openOffer(page, stack.api.url, stack.sites.good);
    const held = Promise.withResolvers<void>();
    await page.route(PAID_PATH, async (route) => {
      if (isPaid(route)) await held.promise;
      await route.continue();
    });
    await button(page, 'Buy with the demo buyer').click();
    await said(page, 'The payment was sent');
    const other = await page.context().newPage();
    await openOffer(other, stack.api.url, stack.sites.good);
    await button(other, 'Buy with the demo buyer').click();
    await said(other, 'Another tab of this browser is buying exactly this');
    expect(await button(other, 'Pay a second time').isVisible()).toBe(true);
    await expectUsable(other);
    held.resolve();
    await page.waitForURL(REPORT, { timeout: PAID_WITHIN_MS });
    await said(other, 'The other tab has bought it');
    const link = other.getByRole('link', { name: 'Open the report' });
    expect(new URL(page.url()).pathname).toBe(await link.getAttribute('href'));
    expect(await stack.chain.balance(stack.buyer.address)).toBe(before - PRICE);
  });

  test('a browser that keeps nothing buys all the same, and says that the page must stay open', async () => {
    const page = await browser.page();
    await page.addInitScript(
      "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };",
    );
    await openOffer(page, stack.api.url, stack.sites.good);
    const held = Promise.withResolvers<void>();
    await page.route(PAID_PATH, async (route) => {
      if (isPaid(route)) await held.promise;
      await route.continue();
    });
    await button(page, 'Buy with the demo buyer').click();
    await page.getByText('This browser keeps nothing').waitFor();
    held.resolve();
    await page.waitForURL(REPORT, { timeout: PAID_WITHIN_MS });
  });

  test('P6: who is signed in pays from credits, and in German', async () => {
    const page = await browser.page({ width: 360 });
    const pack = (headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${stack.api.url}/api/credits/5`, { method: 'POST', headers });
    const credential = await credentialOf(await pack(), stack.buyer.account);
    expect((await pack({ 'payment-signature': credential })).status).toBe(200);
    await page.goto(`${stack.api.url}/account`);
    await button(page, 'Sign in as the demo buyer').click();
    await page.waitForURL(/\/account$/);
    await page.context().addCookies([{ name: 'sightline-language', value: 'de', url: stack.api.url }]);
    await openOffer(page, stack.api.url, stack.sites.good);
    await expect
      .poll(() => page.locator('[data-buy="credits-note"]').textContent(), { timeout: SAID_WITHIN_MS })
      .toContain('5,00');
    await expectUsable(page);
    const before = await stack.chain.balance(stack.buyer.address);
    await button(page, 'mit Guthaben bezahlen').click();
    await page.waitForURL(REPORT, { timeout: PAID_WITHIN_MS });
    expect(await stack.chain.balance(stack.buyer.address)).toBe(before);
    await page.goBack();
    await runAudit(page);
    const left = (5_000_000 - Number(PRICE)) / 1_000_000;
    await expect
      .poll(() => page.locator('[data-buy="credits-note"]').textContent(), { timeout: SAID_WITHIN_MS })
      .toContain(left.toFixed(2).replace('.', ','));
  });

  test('a chosen kind of site says beside the button that its report cannot be published', async () => {
    const page = await browser.page({ width: 360 });
    await openOffer(page, stack.api.url, stack.sites.good);
    const note = page.locator('[data-buy="order-note"]');
    expect(await note.isVisible()).toBe(false);
    await chooseKind(page, 1);
    expect(await note.textContent()).toContain('never be published');
    expect(await note.isVisible()).toBe(true);
    await expectUsable(page);
    await chooseKind(page, 0);
    expect(await note.isVisible()).toBe(false);
  });

  test('F3: another page cannot have the demo buyer pay: its token is of this start, and asked of this origin', async () => {
    const page = await browser.page();
    await page.goto(stack.sites.good);
    const tried = await page.evaluate<string>(`fetch('${stack.api.url}/local/demo-buyer', {
      method: 'POST', headers: { 'content-type': 'application/json', 'x-demo-token': 'x' }, body: '{}',
    }).then((answer) => 'answered ' + answer.status, (error) => error.name)`);
    expect(tried).toBe('TypeError'); // The browser may not even send it.
    const read = await page.evaluate<string>(
      `fetch('${stack.api.url}/audit').then((answer) => answer.text(), (error) => error.name)`,
    );
    expect(read).toBe('TypeError'); // Nor read the page that carries the token.
    const simple = await fetch(`${stack.api.url}/local/demo-buyer`, { method: 'POST', body: '{}' });
    expect(simple.status).toBe(403);
  });

  test.each(LOOKS)('the panel is usable at $width px, $scheme', async (look) => {
    const page = await browser.page(look);
    await openOffer(page, stack.api.url, stack.sites.good);
    await page.getByText(TRANSFER).click();
    await page.getByText('confirmation').waitFor();
    await expectUsable(page);
    expect(await complaints(page, (text) => text.includes('402'))).toEqual([]);
  });

  test('without scripts the panel says how to buy by command line, and shows nothing that cannot work', async () => {
    const page = await browser.page({ scripts: false });
    await openOffer(page, stack.api.url, stack.sites.good);
    await page.waitForLoadState('load'); // Before its style sheet is there, nothing of a page is hidden.
    expect(await page.getByText('npm run buy -- full_audit').isVisible()).toBe(true);
    expect(await page.locator('.buy button:visible').count()).toBe(0);
    expect(await page.locator('.buy input:visible').count()).toBe(0);
  });
});

describe('with a wallet in the browser', () => {
  let stack: WalletStack;
  let browser: Opened;
  beforeAll(async () => {
    stack = await startWalletStack();
    browser = await openBrowser(stack.flags);
  });
  afterAll(async () => {
    await browser.close();
    await stack.stop();
  });

  type Wallet = InjectedWallet & { page: Page };
  type Made = { money?: bigint; chain?: string; injected?: string };

  /** A page with a wallet whose key is in this process. It is on another chain at first. */
  async function withWallet({ money = MONEY, chain = '0x1', injected }: Made = {}): Promise<Wallet> {
    const account = await stack.chain.freshAccount(money);
    const page = await browser.page();
    const wallet = await injectWallet(page, account, { chain, ...(injected === undefined ? {} : { injected }) });
    await openOffer(page, stack.origin, stack.sites.good);
    return { ...wallet, page };
  }

  /** Waits for the conditions of transfers, and for the page to choose its own wallet for the proof. */
  async function readConditions(page: Page): Promise<void> {
    await page.getByText('confirmation').waitFor();
    await expect.poll(() => page.getByLabel('Sign with a wallet').isChecked(), { timeout: SAID_WITHIN_MS }).toBe(true);
  }

  const signatures = ({ asked }: Wallet): number => asked.filter((method) => method === 'eth_signTypedData_v4').length;

  test('one signature buys an audit; a wallet on another network is asked to switch to Base by a button', async () => {
    const wallet = await withWallet();
    const { page } = wallet;
    expect(await button(page, 'demo buyer').count()).toBe(0);
    await expect.poll(() => page.locator('[data-buy="wallet-note"]').textContent()).toContain('Desk Wallet');
    await expectUsable(page);
    await button(page, WALLET).click();
    await said(page, 'Your wallet is on Ethereum');
    expect(wallet.asked).toEqual(['eth_requestAccounts', 'eth_chainId']);
    await expectUsable(page);
    // All that this page has of scripts by now is what `pages.test.ts` adds up.
    expect(loadedScripts(page)).toEqual(['/web/audit.js', '/web/buying-en.js', '/web/signing.js']);
    await button(page, 'Switch to Base').click();
    await page.waitForURL(REPORT, { timeout: PAID_WITHIN_MS });
    expect(wallet.asked.slice(2)).toEqual([
      'wallet_switchEthereumChain',
      'eth_chainId',
      'eth_requestAccounts',
      'eth_chainId',
      'eth_signTypedData_v4',
    ]);
    expect(await stack.chain.balance(wallet.account.address)).toBe(MONEY - PRICE);
  });

  test.each(['eth_requestAccounts', 'wallet_switchEthereumChain', 'eth_signTypedData_v4'])(
    'a refused %s leaves the page usable, and a second try works',
    async (method) => {
      const isSwitch = method === 'wallet_switchEthereumChain';
      const wallet = await withWallet({ chain: isSwitch ? '0x1' : '0x2105' });
      const name = isSwitch ? 'Switch to Base' : WALLET;
      if (isSwitch) await button(wallet.page, WALLET).click();
      wallet.refuseNext(method);
      await button(wallet.page, name).click();
      await said(wallet.page, 'You refused in your wallet');
      expect(await button(wallet.page, WALLET).isEnabled()).toBe(true);
      expect(await stack.chain.balance(wallet.account.address)).toBe(MONEY);
      await button(wallet.page, name).click();
      await wallet.page.waitForURL(REPORT, { timeout: PAID_WITHIN_MS });
      expect(await stack.chain.balance(wallet.account.address)).toBe(MONEY - PRICE);
    },
  );

  test('a wallet that says Base and signs for another network, or by another account, is found out: nothing is sent', async () => {
    const wallet = await withWallet({ chain: '0x2105' });
    const lies = [{ chainId: 1 }, { account: await stack.chain.freshAccount(MONEY) }];
    for (const [index, lie] of lies.entries()) {
      Object.assign(wallet.lie, lie);
      await button(wallet.page, WALLET).click();
      await expect.poll(() => signatures(wallet), { timeout: SAID_WITHIN_MS }).toBe(index + 1);
      await wallet.page.locator('[data-buy="wallet"]:enabled').waitFor();
      await said(wallet.page, 'is not this payment on Base by this account');
      expect(wallet.sent).toEqual([]);
      delete wallet.lie.chainId;
      delete wallet.lie.account;
    }
    expect(await complaints(wallet.page, (text) => text.includes('402'))).toEqual([]);
    await button(wallet.page, WALLET).click();
    await wallet.page.waitForURL(REPORT, { timeout: PAID_WITHIN_MS });
    expect(wallet.sent).toHaveLength(1);
  });

  test('several wallets are chosen from by name; a thousand, and hostile names, leave the page usable', async () => {
    const crowd = `${ANNOUNCED_WALLET}
      const silent = { request: () => new Promise(() => undefined) };
      addEventListener('eip6963:requestProvider', () => {
        globalThis.announceWallet('silent', '<img src=x onerror="globalThis.hacked = 1">' + 'x'.repeat(4000), silent);
        for (let index = 0; index < 1000; index += 1) globalThis.announceWallet('id-' + index, 'Wallet ' + index, silent);
      });`;
    const wallet = await withWallet({ chain: '0x2105', injected: crowd });
    const { page } = wallet;
    await page.getByRole('radio', { name: /Desk Wallet/ }).waitFor();
    expect(await page.locator('[data-buy="wallet-list"] input').count()).toBe(8);
    await expectUsable(page);
    await page.getByRole('radio', { name: /onerror/ }).check();
    await button(page, WALLET).click();
    await button(page, 'Stop waiting for the wallet').click();
    await said(page, 'You stopped waiting');
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    await page.getByRole('radio', { name: /Desk Wallet/ }).check();
    await button(page, WALLET).click();
    await page.waitForURL(REPORT, { timeout: PAID_WITHIN_MS });
    expect(await stack.chain.balance(wallet.account.address)).toBe(MONEY - PRICE);
  });

  test('a clock that is two hours off does not spoil a payment, and is said', async () => {
    const wallet = await withWallet({ chain: '0x2105' });
    const { page } = wallet;
    await page.clock.setSystemTime(Date.now() - 7_200_000);
    // The local stack sends no `Date`; every deployment on Cloudflare does.
    await page.evaluate(`(() => {
      const real = globalThis.fetch;
      globalThis.fetch = async (path, init) => {
        const answer = await real(path, init);
        if (answer.status !== 402) return answer;
        return new Response(answer.body, {
          status: 402,
          headers: [...answer.headers, ['date', ${JSON.stringify(new Date().toUTCString())}]],
        });
      };
    })()`);
    await button(page, WALLET).click();
    await expect
      .poll(() => page.locator('[data-buy="clock"]').textContent(), { timeout: SAID_WITHIN_MS })
      .toContain('120 minutes behind');
    await page.waitForURL(REPORT, { timeout: PAID_WITHIN_MS });
    expect(await stack.chain.balance(wallet.account.address)).toBe(MONEY - PRICE);
  });

  test('a wallet without money is told so, and the page stays usable', async () => {
    const { page } = await withWallet({ money: 0n, chain: '0x2105' });
    await button(page, WALLET).click();
    await said(page, 'insufficient_funds');
    expect(await button(page, WALLET).isEnabled()).toBe(true);
  });

  test('a transfer with a proof of its payer buys an audit', async () => {
    const wallet = await withWallet({ chain: '0x2105' });
    const hash = await stack.chain.transfer(wallet.account, stack.seller.address, PRICE);
    await wallet.page.getByText(TRANSFER).click();
    await readConditions(wallet.page);
    await wallet.page.getByLabel('Transaction hash').fill(hash);
    await button(wallet.page, 'Present this transfer').click();
    await wallet.page.waitForURL(REPORT, { timeout: PAID_WITHIN_MS });
    expect(signatures(wallet)).toBe(1);
    expect(await stack.chain.balance(wallet.account.address)).toBe(MONEY - PRICE);
  });

  test('P1: a hash that an earlier version of the page presented alone gets its result by a proof of its payer', async () => {
    const wallet = await withWallet({ chain: '0x2105' });
    const { page } = wallet;
    const hash = await stack.chain.transfer(wallet.account, stack.seller.address, PRICE);
    const bodyText = JSON.stringify({ url: stack.sites.good });
    const presented = { headers: { 'content-type': 'application/json', 'payment-signature': hash }, body: bodyText };
    const bought = `fetch('/api/agent/full_audit', ${JSON.stringify({ method: 'POST', ...presented })})`;
    await expect
      .poll(() => page.evaluate(`${bought}.then(({ status }) => status)`), { timeout: PAID_WITHIN_MS })
      .not.toBe(503);
    const kept = JSON.stringify({ capability: 'full_audit', bodyText, credential: hash });
    await page.evaluate(`sessionStorage.setItem('sightline-purchase-full_audit', ${JSON.stringify(kept)})`);
    await page.reload();
    await said(page, 'has not ended');
    await button(page, 'Ask again').click();
    await said(page, 'probably by this very order');
    expect(await button(page, WALLET).isEnabled()).toBe(false);
    expect(signatures(wallet)).toBe(0);
    await button(page, 'Prove that the transfer is mine').click();
    await page.waitForURL(REPORT, { timeout: PAID_WITHIN_MS });
    expect(signatures(wallet)).toBe(1);
    expect(await stack.chain.balance(wallet.account.address)).toBe(MONEY - PRICE);
    expect(await page.evaluate("sessionStorage.getItem('sightline-purchase-full_audit')")).toBeNull();
  });

  test('a settlement in doubt is asked for again with the same payment, and nothing is signed anew', async () => {
    const wallet = await withWallet({ chain: '0x2105' });
    const sent: string[] = [];
    await wallet.page.route(PAID_PATH, async (route) => {
      if (!isPaid(route)) return route.continue();
      sent.push(route.request().headers()['payment-signature'] ?? '');
      return sent.length > 1
        ? route.continue()
        : route.fulfill({
            status: 503,
            headers: { 'content-type': 'application/problem+json', 'retry-after': '2' },
            body: JSON.stringify({ status: 503, code: 'settlement_unknown', title: 'Not known yet' }),
          });
    });
    await button(wallet.page, WALLET).click();
    await wallet.page.getByText(/Asking again with the same payment \(1 of 12\) in \d s/).waitFor();
    expect(await button(wallet.page, WALLET).isEnabled()).toBe(false);
    await wallet.page.waitForURL(REPORT, { timeout: PAID_WITHIN_MS });
    expect(sent).toHaveLength(2);
    expect(sent[1]).toBe(sent[0]);
    expect(signatures(wallet)).toBe(1);
  });

  test('a purchase outlives its page and its tab: another tab goes on with the same payment', async () => {
    const wallet = await withWallet({ chain: '0x2105' });
    const { page } = wallet;
    await page.route(PAID_PATH, (route) => (isPaid(route) ? route.abort() : route.continue()));
    await button(page, WALLET).click();
    await page.getByText(/connection to the service was lost/).waitFor();
    const other = await page.context().newPage();
    await page.close();
    await openOffer(other, stack.origin, stack.sites.good);
    await said(other, 'has not ended');
    expect(await button(other, WALLET).isEnabled()).toBe(false);
    await button(other, 'Ask again with the same payment').click();
    await other.waitForURL(REPORT, { timeout: PAID_WITHIN_MS });
    expect(signatures(wallet)).toBe(1);
    expect(await stack.chain.balance(wallet.account.address)).toBe(MONEY - PRICE);
    await other.goBack();
    await runAudit(other);
    await other.locator('[data-buy="hash-button"]:enabled').waitFor({ state: 'attached' });
    expect(await other.evaluate('localStorage.length')).toBe(0);
  });

  test.each<[string, { amount?: string; payTo?: string }]>([
    ['a higher price', { amount: '9000000' }],
    ['another payee', { payTo: `0x${'9'.repeat(40)}` }],
  ])('%s than the page shows is refused before the wallet is asked', async (_what, changes) => {
    const wallet = await withWallet();
    const terms = { scheme: 'exact', network: NETWORK, amount: String(PRICE), asset: USDC, maxTimeoutSeconds: 300 };
    const accepts = [{ ...terms, payTo: stack.seller.address, extra: {}, ...changes }];
    const required = { x402Version: 2, resource: { url: stack.origin }, accepts };
    await wallet.page.route(PAID_PATH, (route) =>
      route.fulfill({ status: 402, headers: { 'payment-required': encodeJsonBase64(required) }, body: '{}' }),
    );
    await button(wallet.page, WALLET).click();
    await said(wallet.page, 'something else than this page shows');
    expect(wallet.asked).toEqual([]);
  });
});
