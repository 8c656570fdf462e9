import { computeSha256Hex } from '../../lib/digest.ts';
import { isMachineRequest } from '../oauth/protocol.ts';
import { JWT_BEARER, MACHINE_GRANTS } from '../oauth/resources.ts';
import {
  type AuthorizationStoreObject,
  buildOAuthError,
  readTokenForm,
  type TokenOutcome,
  type TokenRequest,
  type WireAnswer,
} from '../oauth/store-protocol.ts';
import { limitWaits } from '../oauth/store-wait.ts';
import type { TokenJudge } from '../oauth/tokens.ts';
import { readAssertion } from '../service-accounts/assertion.ts';
import { chooseShard, hasSeal, type OpenedToken, ROOT_PLACE } from './sealed-token.ts';
import type { RootObject } from './root.ts';
import type { ShardObject } from './shard.ts';

/** The objects that the Worker asks. Names of shards come from seals and digests of our own only. */
export type RouterParts = {
  root: Pick<AuthorizationStoreObject, 'token' | 'validate'> &
    Pick<RootObject, 'readFacts' | 'forgetGrant' | 'confirmOperator' | 'noteMachineUse' | 'renewClient'>;
  shardOf: (shard: number) => Pick<ShardObject, 'shardToken' | 'shardAuthenticate' | 'shardValidate'>;
  /** What the seal of a token says. */
  open: (token: string) => Promise<OpenedToken> | OpenedToken;
  seal: (text: string, shard: number) => Promise<string>;
  /** This many random bytes as hex. */
  random: (bytes: number) => string;
  /** Whether an access token without a seal can be good: no Worker of this version hands one out. */
  mayBeOld: () => Promise<boolean> | boolean;
  /** Whether the root has to hear that this credential got a token; it hears of each where this is absent. */
  isNewUse?: (credential: string) => boolean;
};

export type TokenRouter = TokenJudge & Pick<AuthorizationStoreObject, 'token'>;

/** Where a token request is carried out: in a shard, in the root as before there were shards, or nowhere. `form` has no seals. */
type Place =
  | { kind: 'shard'; shard: number; form: URLSearchParams }
  | { kind: 'root'; form: URLSearchParams }
  | { kind: 'forged' };

/**
 * Finds the object for each token: the one that its seal names, or the root for tokens of before. A seal that is not
 * ours is answered here, without any object, and so is an access token without one, when none can be good any more. Each
 * wait for an object has an end, and an answer that did not come is none: both functions then throw.
 */
export function createTokenRouter(objects: RouterParts): TokenRouter {
  const root = limitWaits(objects.root);
  const shardOf: RouterParts['shardOf'] = (shard) => limitWaits(objects.shardOf(shard));
  const parts = { ...objects, root, shardOf };
  const { open, mayBeOld } = parts;
  return {
    validate: async (token, resource) => {
      const opened = await open(token);
      if (opened.kind === 'forged') return null;
      if (opened.kind === 'old') return (await mayBeOld()) ? root.validate(token, resource) : null;
      if (opened.shard === ROOT_PLACE) return root.validate(opened.text, resource);
      const valid = await shardOf(opened.shard).shardValidate(opened.text, resource);
      if (valid?.props.kind !== 'operator') return valid;
      const [, grantId = ''] = opened.text.split(':');
      return (await root.confirmOperator(valid.userId, grantId)) ? valid : null;
    },
    token: async (request) => {
      const read = readTokenForm(request);
      if (!read.ok) return { kind: 'answer', ...read.answer };
      const place = await findPlace(read.form, parts);
      if (place.kind === 'forged') return { kind: 'answer', ...answerForged(read.form) };
      const named = place.form === read.form ? request : { ...request, body: place.form.toString() };
      const proven = await verifyAssertionOnce(named, read.form, parts);
      if ('kind' in proven) return proven;
      if (place.kind === 'root') return sealAnswer(await root.token(proven), ROOT_PLACE, parts);
      const facts = await root.readFacts(proven);
      if (facts === null) return { kind: 'answer', ...answerForged(read.form) };
      const { outcome, endedGrant, usedClient, usedMachine } = await shardOf(place.shard).shardToken(proven, facts);
      if (outcome.kind !== 'answer') return outcome;
      const { ended: _ofShard, ...answer } = outcome;
      // Its next token renews the client, where this one did not: what the shard made must reach its holder.
      if (usedClient !== undefined) await root.renewClient(usedClient).catch(() => undefined);
      if (usedMachine !== undefined && parts.isNewUse?.(usedMachine) !== false)
        await root.noteMachineUse(usedMachine).catch(() => undefined);
      const ended = endedGrant && (await root.forgetGrant(endedGrant.accountId, endedGrant.grantId, place.shard));
      return sealAnswer({ ...answer, ...(ended === undefined ? {} : { ended }) }, place.shard, parts);
    },
  };
}

async function findPlace(form: URLSearchParams, { open, random }: RouterParts): Promise<Place> {
  if (MACHINE_GRANTS.includes(form.get('grant_type') ?? '')) {
    const shard = (await findAssertionShard(form)) ?? chooseShard(random(4));
    return { kind: 'shard', shard, form };
  }
  const name = findTokenName(form);
  const token = name === undefined ? null : form.get(name);
  if (name === undefined || token === null) return { kind: 'root', form };
  const opened = await open(token);
  if (opened.kind === 'forged') return opened;
  if (opened.kind === 'old') return { kind: 'root', form };
  const plain = new URLSearchParams(form);
  for (const other of TOKEN_NAMES) if (other !== name) plain.delete(other);
  plain.set(name, opened.text);
  const { shard } = opened;
  return shard === ROOT_PLACE ? { kind: 'root', form: plain } : { kind: 'shard', shard, form: plain };
}

const TOKEN_NAMES = ['code', 'refresh_token', 'token'] as const;

/** The parameter that names the grant or token which a request is about. */
function findTokenName(form: URLSearchParams): (typeof TOKEN_NAMES)[number] | undefined {
  const grant = form.get('grant_type');
  if (grant === null) return 'token';
  if (grant === 'authorization_code') return 'code';
  return grant === 'refresh_token' ? 'refresh_token' : undefined;
}

/** Whether a token request is about something that a shard holds. */
export function isAboutSealedToken(request: TokenRequest): boolean {
  const read = readTokenForm(request);
  const name = read.ok ? findTokenName(read.form) : undefined;
  return read.ok && name !== undefined && hasSeal(read.form.get(name) ?? '');
}

/** Where all assertions of one issuer and id are: there each is used once. Undefined for one without an id. */
async function findAssertionShard(form: URLSearchParams): Promise<number | undefined> {
  const name = form.get('grant_type') === JWT_BEARER ? 'assertion' : 'client_assertion'; // The one that is used up.
  const hint = readAssertion(form.get(name) ?? '');
  return hint.ok && hint.id !== undefined
    ? chooseShard(await computeSha256Hex(JSON.stringify([hint.issuer, hint.id])))
    : undefined;
}

/**
 * Has the assertion of a client looked at and used up in the shard of its id, so that one assertion is good for one
 * request, wherever that is carried out. Machine grants are carried out there as a whole.
 * @returns the request, with its client where one was proven; or what to answer
 */
async function verifyAssertionOnce(
  request: TokenRequest,
  form: URLSearchParams,
  { root, shardOf }: RouterParts,
): Promise<TokenRequest | TokenOutcome> {
  if (form.has('grant_type') && isMachineRequest(form)) return request;
  const shard = form.has('client_assertion') ? await findAssertionShard(form) : undefined;
  if (shard === undefined) return request;
  const facts = await root.readFacts(request);
  if (facts === null) return { kind: 'answer', ...answerForged(form) };
  const found = await shardOf(shard).shardAuthenticate(request, facts);
  if (found === null) return request;
  return found.kind === 'authenticated' ? { ...request, authenticatedAs: found.clientId } : found;
}

/** The answer to a code or token that no object of ours has: RFC 6749, section 5.2; RFC 7009, section 2.2. */
function answerForged(form: URLSearchParams): WireAnswer {
  if (form.has('grant_type')) return buildOAuthError(400, 'invalid_grant', 'The code or token is not valid');
  return { status: 200, headers: { 'cache-control': 'no-store' }, body: '' };
}

/** An answer with the tokens in it sealed. */
async function sealAnswer(outcome: TokenOutcome, shard: number, { seal }: RouterParts): Promise<TokenOutcome> {
  if (outcome.kind !== 'answer' || outcome.status !== 200 || outcome.body === '') return outcome;
  const answer = JSON.parse(outcome.body) as Record<string, unknown>; // Written by a store of ours.
  for (const name of ['access_token', 'refresh_token']) {
    const token = answer[name];
    if (typeof token === 'string') answer[name] = await seal(token, shard);
  }
  return { ...outcome, body: JSON.stringify(answer) };
}
