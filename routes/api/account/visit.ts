import type { AccountKind } from '../../../src/authorization/people/account.ts';
import type { Session } from '../../../src/authorization/people/sessions.ts';
import type { AccountFrame, AccountLink } from '../../../src/web/account/frame.tsx';
import type { AccountCard } from '../../../src/web/account/overview.tsx';
import { ACCOUNT_DONE } from '../../../src/web/account/account-words.ts';
import type { Html } from '../../../src/web/design/shell.tsx';
import type { PageLanguage } from '../../../src/web/language/language.ts';
import { type BrowserSession, readBrowserSession } from '../../shared/cookies.ts';
import { getPeopleStore } from '../bindings/people-store.ts';
import type { AppContext, AppOptions } from '../context.ts';
import type { FormInput } from '../pages/pages.ts';
import type { UploadedForm } from '../pages/upload.ts';

/** A signed-in person who looks at a page of the account, or sends one of its forms. */
export type AccountVisit = {
  c: AppContext;
  options: AppOptions;
  session: Session;
  browser: BrowserSession;
  language: PageLanguage;
};

/**
 * A part of the account. What another feature has for its customers is one more row of `accountSections`: its place in
 * the navigation, its card on the overview, its page and what its forms can have done.
 */
export type AccountSection = {
  path: `/account/${string}`;
  /** Its anchor on the overview. */
  id: string;
  title: (language: PageLanguage) => string;
  /** Whose account has it. */
  kinds: readonly AccountKind[];
  /** What the overview shows of it; none for a section that has no card. */
  card?: (visit: AccountVisit) => Promise<Pick<AccountCard, 'more' | 'body'>>;
  show: (visit: AccountVisit, frame: AccountFrame) => Promise<Html | Response>;
  /**
   * What the account has in it, for the file of everything; undefined when that cannot be read now. Neither keys nor
   * tokens are in it.
   */
  exported?: (visit: AccountVisit) => Promise<unknown>;
  /** What its forms are sent to. The token of the form was judged. */
  actions?: readonly { path: `/account/${string}`; run: AccountTask }[];
  /** The same for forms with files, of at most `maxBytes` in all. Nothing of one is read where no one is signed in. */
  uploads?: readonly { path: `/account/${string}`; maxBytes: number; run: UploadTask }[];
  /** Files that it leads to. */
  downloads?: readonly { path: `/account/${string}`; read: (visit: AccountVisit) => Promise<Response> }[];
};

export type AccountTask = (visit: AccountVisit, posted: FormInput) => Promise<Response>;
export type UploadTask = (visit: AccountVisit, posted: UploadedForm) => Promise<Response>;

/** The person of a request; undefined when no one is signed in. */
export async function openVisit(c: AppContext, options: AppOptions): Promise<AccountVisit | undefined> {
  const browser = await readBrowserSession(c, options);
  const session = await getPeopleStore(c).session(browser.hash);
  return session === undefined ? undefined : { c, options, session, browser, language: c.get('language') };
}

/** The sign-in page, and from there back to this page. */
export const formatSignInPath = (returnTo: string, why: 'account' | 'fresh' = 'account'): string =>
  `/signin?${new URLSearchParams({ return_to: returnTo, why }).toString()}`;

/** The frame of the page that is looked at. */
export function buildFrame({ c, session, browser, language }: AccountVisit, nav: readonly AccountLink[]): AccountFrame {
  const { pathname, search } = new URL(c.req.url);
  const done = ACCOUNT_DONE.find((one) => one === c.req.query('done'));
  return {
    language,
    csrf: browser.csrf,
    address: session.address,
    ...(session.kind === 'payer' && session.address === undefined ? { holder: session.email ?? '' } : {}),
    nav,
    path: `${pathname}${search}`,
    ...(done === undefined ? {} : { done }),
  };
}
