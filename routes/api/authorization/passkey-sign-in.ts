import type { Hono } from 'hono';
import { isNonceOf, makeNonce, type NoncePurpose } from '../../../src/authorization/oauth/nonce.ts';
import {
  buildRegistrationOptions,
  buildSignInOptions,
  type PasskeyAssertion,
  type PasskeyAttestation,
  type PasskeyRefusal,
  type PasskeyTerms,
  readPasskeyAssertion,
  readPasskeyAttestation,
  readClientData,
  readLabel,
  readPasskeyTerms,
  verifyAssertion,
  verifyAttestation,
} from '../../../src/authorization/people/passkeys.ts';
import type { PasskeyWay } from '../../../src/authorization/people/ways.ts';
import { PRODUCT } from '../../../src/lib/product.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';
import type { BrowserSession } from '../../shared/cookies.ts';
import { getPasskeyJudge } from '../bindings/models.ts';
import { getPeopleStore, getSealingKeys } from '../bindings/people-store.ts';
import type { AppContext, AppEnv, AppOptions } from '../context.ts';
import { type FormInput, refuseRequest } from '../pages/pages.ts';
import { answerSignedIn, UNCACHED, renewBrowser, type SignInTask, withPosted } from './signed-in.ts';

const DETAILS: Readonly<Record<PasskeyRefusal, string>> = {
  malformed_passkey: 'malformed_passkey: what was sent is not what a browser sends of a passkey',
  wrong_challenge: 'wrong_challenge: the challenge was used, has expired or was given to another browser',
  wrong_origin: 'wrong_origin: the passkey was used on another site, or in a frame of one',
  wrong_type: 'wrong_type: a passkey that is made signs no one in, and one that signs in is not made',
  unknown_passkey: 'unknown_passkey: this passkey opens no account here. It may have been removed',
  bad_passkey: 'bad_passkey: another key signed, or the passkey is not for this site',
  passkey_counter:
    'passkey_counter: the passkey counted back, as a copy of it would. Sign in in another way, and remove it',
};

/** What could not be judged may be sent again after this, with another challenge. */
const UNJUDGED_RETRY_S = 5;

/**
 * Sign-in by passkey (WebAuthn). Scripts of our pages ask for `…/options`, have the browser use or make a passkey, and post
 * what it answers as the JSON text `credential`. A challenge is good for five minutes, once, in the browser that got it.
 */
export function registerPasskeySignIn(app: Hono<AppEnv>, options: AppOptions): void {
  app.post('/signin/passkey/options', (c) => withPosted(c, options, answerSignInOptions));
  app.post('/signin/passkey', (c) => withPosted(c, options, signInPasskey));
  app.post('/signin/passkey/new/options', (c) => withPosted(c, options, answerSignUpOptions));
  app.post('/signin/passkey/new', (c) => withPosted(c, options, signUpPasskey));
}

const makeChallenge = async (c: AppContext, browser: BrowserSession, purpose: NoncePurpose): Promise<string> =>
  (await makeNonce(await getSealingKeys(c.env), browser.hash, Date.now(), purpose)).nonce;

const answerSignInOptions: SignInTask = async (c, _options, _posted, browser) => {
  const terms = readPasskeyTerms(c.get('settings').BASE_URL);
  if (terms === undefined) return c.notFound();
  return c.json(buildSignInOptions(terms, await makeChallenge(c, browser, 'passkey sign-in')), 200, UNCACHED);
};

const answerSignUpOptions: SignInTask = (c, _options, _posted, browser) => {
  const name = `${PRODUCT} ${new Date().toISOString().slice(0, 10)}`;
  return answerRegistrationOptions(c, browser, { name, known: [] });
};

/** The options of a new passkey. `name` is what the browser shows of it when it asks which one to use. */
export async function answerRegistrationOptions(
  c: AppContext,
  browser: BrowserSession,
  { name, known }: { name: string; known: readonly PasskeyWay[] },
): Promise<Response> {
  const terms = readPasskeyTerms(c.get('settings').BASE_URL);
  if (terms === undefined) return c.notFound();
  const nonce = await makeChallenge(c, browser, 'passkey registration');
  return c.json(buildRegistrationOptions(terms, { nonce, name, known }), 200, UNCACHED);
}

type Judged<T> = ({ ok: true } & T) | { ok: false; problem: ProblemInput };

const refusePasskey = (reason: PasskeyRefusal | 'unjudged'): { ok: false; problem: ProblemInput } => ({
  ok: false,
  problem:
    reason === 'unjudged'
      ? buildProblem('sign_in_unavailable', { retryAfterS: UNJUDGED_RETRY_S })
      : buildProblem('sign_in_refused', { detail: DETAILS[reason] }),
});

type Given = { browser: BrowserSession; terms: PasskeyTerms };

/** The challenge of what was signed for this browser, here and now. It is used up before a signature is looked at. */
async function takeChallenge(
  c: AppContext,
  given: PasskeyAssertion | PasskeyAttestation,
  { browser, terms }: Given,
  type: 'webauthn.get' | 'webauthn.create',
): Promise<Judged<{ challenge: string }>> {
  const read = readClientData(given, terms, type);
  if (!read.ok) return refusePasskey(read.reason);
  const purpose = type === 'webauthn.get' ? 'passkey sign-in' : 'passkey registration';
  if (!(await isNonceOf(await getSealingKeys(c.env), browser.hash, read.nonce, Date.now(), purpose)))
    return refusePasskey('wrong_challenge');
  const taken = await getPeopleStore(c).takeNonce(read.nonce, getCallerAddress(c.req.raw));
  if (taken.ok) return { ok: true, challenge: read.challenge };
  if (taken.reason === 'used') return refusePasskey('wrong_challenge');
  return { ok: false, problem: buildProblem('too_many_attempts', { retryAfterS: taken.retryAfterS }) };
}

const signInPasskey: SignInTask = async (c, options, posted, browser) => {
  const terms = readPasskeyTerms(c.get('settings').BASE_URL);
  if (terms === undefined) return c.notFound();
  const given = readPasskeyAssertion(posted.get('credential') ?? '');
  if (given === undefined) return refuseRequest(c, refusePasskey('malformed_passkey').problem);
  const taken = await takeChallenge(c, given, { browser, terms }, 'webauthn.get');
  if (!taken.ok) return refuseRequest(c, taken.problem);
  const people = getPeopleStore(c);
  const stored = await people.findPasskey(given.id);
  if (stored === undefined) return refuseRequest(c, refusePasskey('unknown_passkey').problem);
  const judge = getPasskeyJudge(c.env, options);
  const verified = await verifyAssertion(given, stored, { terms, challenge: taken.challenge, judge });
  if (!verified.ok) return refuseRequest(c, refusePasskey(verified.reason).problem);
  const { renewed, renewal } = await renewBrowser(c, browser);
  const { counter, isSynced } = verified;
  const signedIn = await people.signInPasskey(renewal, { id: given.id, counter, isSynced });
  if (signedIn.ok) return answerSignedIn(c, options, { posted, renewed }, signedIn.session);
  const reason = signedIn.reason === 'counter' ? 'passkey_counter' : signedIn.reason;
  return refuseRequest(c, refusePasskey(reason).problem);
};

/** The passkey that was just made, as it is stored. */
export async function readNewPasskey(
  c: AppContext,
  options: AppOptions,
  posted: FormInput,
  browser: BrowserSession,
): Promise<Judged<{ passkey: PasskeyWay }>> {
  const terms = readPasskeyTerms(c.get('settings').BASE_URL);
  const given = readPasskeyAttestation(posted.get('credential') ?? '');
  if (terms === undefined || given === undefined) return refusePasskey('malformed_passkey');
  const taken = await takeChallenge(c, given, { browser, terms }, 'webauthn.create');
  if (!taken.ok) return taken;
  const label = readLabel(posted.get('label'));
  const judge = getPasskeyJudge(c.env, options);
  const { challenge } = taken;
  const verified = await verifyAttestation(given, { terms, challenge, judge, label, nowMs: Date.now() });
  return verified.ok ? verified : refusePasskey(verified.reason);
}

const signUpPasskey: SignInTask = async (c, options, posted, browser) => {
  const made = await readNewPasskey(c, options, posted, browser);
  if (!made.ok) return refuseRequest(c, made.problem);
  const { renewed, renewal } = await renewBrowser(c, browser);
  const signedIn = await getPeopleStore(c).signUpPasskey(renewal, made.passkey);
  return signedIn.ok
    ? answerSignedIn(c, options, { posted, renewed }, signedIn.session)
    : refuseRequest(c, refusePasskey('unknown_passkey').problem);
};
