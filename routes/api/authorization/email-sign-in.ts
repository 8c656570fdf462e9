import type { Hono } from 'hono';
import {
  EMAIL_TOKEN_BYTES,
  hashEmail,
  hashEmailToken,
  isEmailToken,
  normaliseEmail,
} from '../../../src/authorization/people/email-links.ts';
import type { LinkUsed } from '../../../src/authorization/people/way-desk.ts';
import { generateRandomHex } from '../../../src/lib/digest.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';
import { renderLinkPage, renderMailSentPage } from '../../../src/web/email-link-page.tsx';
import { buildLinkMail } from '../../../src/web/sign-in-mail.ts';
import { type BrowserSession, findBrowserSession, readBrowserSession } from '../../shared/cookies.ts';
import { logLine } from '../../shared/telemetry.ts';
import { openSignInMail } from '../bindings/monitor-mail.ts';
import { getPeopleStore, resolveSignInReturn } from '../bindings/people-store.ts';
import type { AppContext, AppEnv, AppOptions } from '../context.ts';
import { type FormInput, refuseRequest, showPage } from '../pages/pages.ts';
import { answerSignedIn, buildWayProblem, UNCACHED, renewBrowser, type SignInTask, withPosted } from './signed-in.ts';

const LINK_PATH = '/signin/email';
const WAYS_PATH = '/account/ways';

/**
 * Sign-in by a link in a mail: `POST /signin/email` has it sent, `GET /signin/email?token=` shows a button and changes
 * nothing, and `POST /signin/email/confirm` uses it, in the browser that asked for it and in no other.
 */
export function registerEmailSignIn(app: Hono<AppEnv>, options: AppOptions): void {
  app.post(LINK_PATH, (c) => withPosted(c, options, askLink));
  app.get(LINK_PATH, (c) => showLink(c, options));
  app.post(`${LINK_PATH}/confirm`, (c) => withPosted(c, options, acceptLink));
}

const askLink: SignInTask = (c, options, posted, browser) => sendLink({ c, options, browser }, posted, false);

/** Who asks for a link. */
type Asking = { c: AppContext; options: AppOptions; browser: BrowserSession };

/**
 * Sends a link to the address that was posted. Who asks gets the same answer at the same time whether the address has an
 * account, is new, or had its links of this hour: no account is looked up, and the mail is sent after the answer.
 * @param isForAccount the link adds the address to the account that is signed in
 */
export async function sendLink(
  { c, options, browser }: Asking,
  posted: FormInput,
  isForAccount: boolean,
): Promise<Response> {
  const { BASE_URL } = c.get('settings');
  const mail = openSignInMail(c.env, c.get('settings'));
  if (mail === undefined) return c.notFound();
  const email = normaliseEmail(posted.get('email') ?? '');
  if (email === undefined) return refuseRequest(c, NOT_AN_EMAIL);
  const token = generateRandomHex(EMAIL_TOKEN_BYTES);
  const [tokenHash, emailHash] = await Promise.all([hashEmailToken(token), hashEmail(email)]);
  const returnTo = isForAccount ? WAYS_PATH : resolveSignInReturn(posted.get('return_to'), BASE_URL);
  const asked = await getPeopleStore(c).askEmailLink(
    { session: browser.hash, caller: getCallerAddress(c.req.raw) },
    tokenHash,
    { email, emailHash, returnTo, isForAccount },
  );
  if (!asked.ok) return refuseRequest(c, buildWayProblem(asked));
  const language = c.get('language');
  const use = isForAccount ? 'add' : 'sign_in';
  const url = `${new URL(BASE_URL).origin}${LINK_PATH}?token=${token}`;
  if (asked.isSent) c.executionCtx.waitUntil(send(mail, buildLinkMail(email, { url, use, language }), c));
  if (!posted.form) return c.json({ ok: true }, 202, UNCACHED);
  const backTo = isForAccount ? WAYS_PATH : '/signin';
  return showPage(c, renderMailSentPage({ language, email, mailsPage: options.mailsPage, backTo }));
}

type SignInMail = NonNullable<ReturnType<typeof openSignInMail>>;

/** A mail that was not sent is in the log: the person asks for another one. */
async function send(mail: SignInMail, message: ReturnType<typeof buildLinkMail>, c: AppContext): Promise<void> {
  const sent = await mail.send(message);
  if (sent.is !== 'sent') logLine({ event: 'sign_in_mail_failed', request_id: c.get('requestId'), code: sent.code });
}

const NOT_AN_EMAIL = buildProblem('invalid_body', { detail: 'email: not an e-mail address that mail can be sent to' });

/** The button, or what to do in a browser that did not ask. Nothing is used up. */
async function showLink(c: AppContext, options: AppOptions): Promise<Response> {
  const token = c.req.query('token') ?? '';
  const language = c.get('language');
  // A browser without a session asked for no link: it gets none from here either.
  const hasSession = findBrowserSession(c, options) !== undefined;
  const browser = await readBrowserSession(c, options);
  const seen = isEmailToken(token)
    ? await getPeopleStore(c).lookAtEmailLink(await hashEmailToken(token), browser.hash)
    : ({ is: 'gone' } as const);
  const page = { language, csrf: browser.csrf, token };
  if (seen.is !== 'good') {
    const is = seen.is === 'elsewhere' || !hasSession ? 'elsewhere' : 'gone';
    return showPage(c, renderLinkPage({ ...page, seen: { is } }), {}, is === 'gone' ? GONE : FORBIDDEN);
  }
  const { email, accountId } = seen.link;
  return showPage(c, renderLinkPage({ ...page, seen: { is: 'good', email, isForAccount: accountId !== undefined } }));
}

const GONE = 410;
const FORBIDDEN = 403;

const acceptLink: SignInTask = async (c, options, posted, browser) => {
  const token = posted.get('token') ?? '';
  if (!isEmailToken(token)) return refuseRequest(c, buildLinkProblem('link_gone'));
  const { renewed, renewal } = await renewBrowser(c, browser);
  const used = await getPeopleStore(c).useEmailLink(renewal, await hashEmailToken(token));
  if (!used.ok) return refuseRequest(c, buildUsedProblem(used));
  if (used.did === 'signed_in')
    return answerSignedIn(c, options, { posted, renewed, returnTo: used.returnTo }, used.session);
  return posted.form ? c.redirect(`${used.returnTo}?done=way_added`, 303) : c.json({ ok: true }, 200, UNCACHED);
};

function buildUsedProblem(used: Extract<LinkUsed, { ok: false }>): ProblemInput {
  if (used.reason === 'link_gone' || used.reason === 'link_elsewhere') return buildLinkProblem(used.reason);
  return buildWayProblem({ ok: false, reason: used.reason });
}

const LINK_DETAILS = {
  link_gone: 'link_gone: the link was used, or its ten minutes are over: ask for another one',
  link_elsewhere: 'link_elsewhere: another browser asked for this link: open it there. Nothing was used up',
} as const;

const buildLinkProblem = (reason: keyof typeof LINK_DETAILS): ProblemInput =>
  buildProblem('sign_in_refused', { detail: LINK_DETAILS[reason] });
