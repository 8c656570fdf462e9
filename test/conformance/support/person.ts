import { createSiweMessage } from 'viem/siwe';
import type { LocalAccount } from 'viem';
import { type Browser, formsOf, type Page, type PageForm } from './browser.ts';

/** The fixed parts of the message, as the sign-in page hands them to the wallet in the browser. */
const TERMS = ['domain', 'uri', 'version', 'chain-id', 'statement', 'csrf'] as const;

/** What a person changes in the message before signing: an attack. */
export type MessageChanges = Partial<Parameters<typeof createSiweMessage>[0]>;

/** Signs in with an Ethereum account as the wallet script of the page does, and gives the last answer. */
export async function signIn(browser: Browser, account: LocalAccount, changes: MessageChanges = {}): Promise<Response> {
  const { csrf, terms } = await signInPage(browser);
  const issued = await postJson(browser, '/signin/siwe/nonce', { address: account.address, csrf });
  if (issued.status !== 200) return issued;
  const { nonce } = (await issued.json()) as { nonce: string };
  const message = createSiweMessage({ ...terms, address: account.address, nonce, issuedAt: new Date(), ...changes });
  return postJson(browser, '/signin/siwe', { message, signature: await account.signMessage({ message }), csrf });
}

/** Signs the operator in by the form of the operators' own page. */
export async function signInOperator(browser: Browser, secret: string): Promise<Page> {
  const page = await browser.open('/console/?return_to=%2Fconsole%2F');
  return browser.submit(page, formOf(page, '/signin/operator'), { secret });
}

/** What the sign-in page tells a wallet. */
export async function signInPage(browser: Browser) {
  const { html } = await browser.open('/signin');
  const read = Object.fromEntries(
    TERMS.map((name) => [name, new RegExp(`data-${name}="([^"]*)"`).exec(html)?.[1] ?? '']),
  );
  const { domain = '', uri = '', statement = '', csrf = '' } = read;
  return { csrf, terms: { domain, uri, version: '1', chainId: Number(read['chain-id']), statement } as const };
}

export const postJson = (browser: Browser, path: string, body: unknown): Promise<Response> =>
  browser.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  });

/** The consent form of a page. @throws when the page has none */
export const consentForm = (page: Page): PageForm => formOf(page, '/authorize');

/** Clicks Allow, or Deny. The page that follows is outside the service when all went well. */
export const decide = (
  browser: Browser,
  page: Page,
  decision: 'allow' | 'deny',
  changes: Record<string, string | undefined> = {},
): Promise<Page> => browser.submit(page, consentForm(page), { ...changes, decision });

function formOf(page: Page, action: string): PageForm {
  const form = formsOf(page.html).find((one) => new URL(one.action, page.url).pathname === action);
  if (form === undefined)
    throw new Error(`no form for ${action} on ${page.url} (${page.status}): ${page.html.slice(0, 600)}`);
  return form;
}
