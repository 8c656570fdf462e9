import { readPasskeyTerms } from '../../../src/authorization/people/passkeys.ts';
import { isFresh } from '../../../src/authorization/people/sessions.ts';
import { isSameWay, type PasskeyWay, type SignInWay, type WayKind } from '../../../src/authorization/people/ways.ts';
import { PRODUCT } from '../../../src/lib/product.ts';
import { renderWaysPage, type ShownWay, WaysCount } from '../../../src/web/account/ways.tsx';
import { waysWords } from '../../../src/web/account/ways-words.ts';
import { dropSession } from '../../shared/cookies.ts';
import { sendLink } from '../authorization/email-sign-in.ts';
import { answerRegistrationOptions, readNewPasskey } from '../authorization/passkey-sign-in.ts';
import { buildWayProblem, UNCACHED } from '../authorization/signed-in.ts';
import { getSignInTerms, proveAddress } from '../authorization/wallet-proof.ts';
import { openSignInMail } from '../bindings/monitor-mail.ts';
import { getPeopleStore } from '../bindings/people-store.ts';
import { refuseRequest } from '../pages/pages.ts';
import { type AccountSection, type AccountTask, type AccountVisit, formatSignInPath } from './visit.ts';

const PATH = '/account/ways';
const KINDS: readonly WayKind[] = ['wallet', 'email', 'passkey'];

/** The ways to sign in to the account: each is added by its proof, and each but the last can be removed. */
export const waysSection: AccountSection = {
  path: PATH,
  id: 'ways',
  title: (language) => waysWords[language].title,
  kinds: ['payer'],
  card: async (visit) => ({
    more: waysWords[visit.language].more,
    body: WaysCount({ ways: await listShownWays(visit), language: visit.language }),
  }),
  show: async (visit, frame) => {
    const { c, options, session } = visit;
    const settings = c.get('settings');
    const demo = options.demoBuyer?.(c.env);
    return renderWaysPage({
      frame,
      ways: (await listShownWays(visit)).map((way) => ({
        ...way,
        isCurrent: session.way !== undefined && isSameWay(way, session.way),
      })),
      isFresh: isFresh(session, Date.now()),
      signInPath: formatSignInPath(PATH, 'fresh'),
      hasEmail: openSignInMail(c.env, settings) !== undefined,
      hasPasskeys: readPasskeyTerms(settings.BASE_URL) !== undefined,
      terms: getSignInTerms(c),
      demo: demo && { token: demo.token },
    });
  },
  exported: (visit) => listShownWays(visit),
  actions: [
    { path: `${PATH}/email`, run: addEmail },
    { path: `${PATH}/passkey/options`, run: sendPasskeyOptions },
    { path: `${PATH}/passkey`, run: addPasskey },
    { path: `${PATH}/wallet`, run: addWallet },
    { path: `${PATH}/remove`, run: removeWay },
  ],
};

const listWays = ({ c, browser }: AccountVisit): Promise<readonly SignInWay[]> =>
  getPeopleStore(c).listWays(browser.hash);

/** The ways without their keys. */
export const listShownWays = async (visit: AccountVisit): Promise<readonly ShownWay[]> =>
  (await listWays(visit)).map((way) => ({
    kind: way.kind,
    id: way.id,
    name: formatName(way),
    addedAtMs: way.addedAtMs,
    ...(way.kind === 'passkey' ? { usedAtMs: way.usedAtMs, isSynced: way.isSynced } : {}),
  }));

function formatName(way: SignInWay): string {
  if (way.kind === 'wallet') return way.id;
  return way.kind === 'email' ? way.email : way.label;
}

type Posted = Parameters<AccountTask>[1];

/** Where a new sign-in is needed, a form leads to it, and a program gets the problem. */
async function refuseStale(visit: AccountVisit, posted: Posted): Promise<Response | undefined> {
  const may = await getPeopleStore(visit.c).mayChangeWays(visit.browser.hash);
  if (may.ok) return undefined;
  if (posted.form && may.reason === 'sign_in_too_old') return visit.c.redirect(formatSignInPath(PATH, 'fresh'), 303);
  return refuseRequest(visit.c, buildWayProblem(may));
}

async function addEmail(visit: AccountVisit, posted: Posted): Promise<Response> {
  return (await refuseStale(visit, posted)) ?? sendLink(visit, posted, true);
}

async function sendPasskeyOptions(visit: AccountVisit, posted: Posted): Promise<Response> {
  const stale = await refuseStale(visit, posted);
  if (stale !== undefined) return stale;
  const { c, browser, session } = visit;
  const known = (await listWays(visit)).filter((way): way is PasskeyWay => way.kind === 'passkey');
  return answerRegistrationOptions(c, browser, { name: session.email ?? session.address ?? PRODUCT, known });
}

async function addPasskey(visit: AccountVisit, posted: Posted): Promise<Response> {
  const stale = await refuseStale(visit, posted);
  if (stale !== undefined) return stale;
  const made = await readNewPasskey(visit.c, visit.options, posted, visit.browser);
  return made.ok ? addProven(visit, posted, made.passkey) : refuseRequest(visit.c, made.problem);
}

async function addWallet(visit: AccountVisit, posted: Posted): Promise<Response> {
  const stale = await refuseStale(visit, posted);
  if (stale !== undefined) return stale;
  const { c, browser } = visit;
  const message = posted.get('message')?.replaceAll('\r\n', '\n') ?? ''; // Forms send every line end as CRLF.
  const proven = await proveAddress(c, { message, signature: posted.get('signature')?.trim() ?? '', browser });
  if (!proven.ok) return refuseRequest(c, proven.problem);
  return addProven(visit, posted, { kind: 'wallet', id: proven.address.toLowerCase(), addedAtMs: Date.now() });
}

async function addProven({ c, browser }: AccountVisit, posted: Posted, way: SignInWay): Promise<Response> {
  const added = await getPeopleStore(c).addWay(browser.hash, way);
  if (!added.ok) return refuseRequest(c, buildWayProblem(added));
  return posted.form ? c.redirect(`${PATH}?done=way_added`, 303) : c.json({ ok: true }, 200, UNCACHED);
}

async function removeWay(visit: AccountVisit, posted: Posted): Promise<Response> {
  const stale = await refuseStale(visit, posted);
  if (stale !== undefined) return stale;
  const { c, options, browser } = visit;
  const kind = KINDS.find((one) => one === posted.get('kind'));
  const id = posted.get('id') ?? '';
  const removed =
    kind === undefined
      ? ({ ok: false, reason: 'way_not_found' } as const)
      : await getPeopleStore(c).removeWay(browser.hash, { kind, id });
  if (!removed.ok) return refuseRequest(c, buildWayProblem(removed));
  const { isSignedOut } = removed;
  if (isSignedOut) dropSession(c, options);
  if (!posted.form) return c.json({ ok: true, signed_out: isSignedOut }, 200, UNCACHED);
  return c.redirect(isSignedOut ? '/signin?why=way_removed' : `${PATH}?done=way_removed`, 303);
}
