import type { Fetched, FetchTarget, GuardedFetch } from '../../net/fetched.ts';
import { MAX_SELLER_DOCUMENT_BYTES, MAX_ENDPOINT_BYTES } from '../limits.ts';
import { readMppChallenges } from './mpp-challenges.ts';
import { type AnsweredSighting, isAnswered, type SellerReading, type SellerRole, type Sighting } from './sighting.ts';
import { readX402Terms } from './x402-terms.ts';

export type SellerPorts = {
  ask: GuardedFetch;
  /** Sends what a buyer sends, guarded as `ask` is: without the `Via` by which services know audits. Left out: `ask` does. */
  askAsBuyer?: (target: FetchTarget) => Promise<Fetched>;
  /** Unix milliseconds, read after each answer: the clock of the seller is compared with it. */
  clock: () => number;
};

export type SellerOptions = {
  /** Only GET, HEAD and one unpaid request; otherwise also a preflight and a credential that is no payment. */
  isReadOnly: boolean;
  /** A JSON body to ask with where an empty request is not answered with terms. */
  data?: string | undefined;
};

/** The page that a browser's request would come from. Its answer says whether a page may read the terms. */
const BUYER_ORIGIN = 'https://buyer.example';
const JSON_TYPE = 'application/json';
/** A path that no seller has. */
const NO_SUCH_PATH = '/sightline-no-such-path-8f3a';
/** Credentials that are no payment, one for each carrier: no seller may do more than refuse them. */
const GARBAGE: Readonly<Record<string, string>> = {
  'payment-signature': 'bm90IGEgcGF5bWVudA==',
  'x-payment': 'bm90IGEgcGF5bWVudA==',
  authorization: 'Payment bm90LWEtcGF5bWVudA',
};
const ASKED_HEADERS = 'content-type, payment-signature, x-payment, access-control-expose-headers';

/**
 * Asks a seller what a buyer asks before it pays, at the named address and at known places of its origin. Nothing that is
 * sent can pay. The method that answers with terms is the one that is sold.
 */
export async function readSeller(
  address: string,
  { ask, askAsBuyer = ask, clock }: SellerPorts,
  { isReadOnly, data }: SellerOptions,
): Promise<SellerReading> {
  const url = new URL(address);
  url.hash = '';
  const sightings: Partial<Record<SellerRole, Sighting>> = {};
  const look = async (role: SellerRole, at: URL, target: Omit<FetchTarget, 'url'> = {}): Promise<Sighting> => {
    const headers = { accept: JSON_TYPE, ...target.headers };
    const maxBytes = isDocument(role) ? MAX_SELLER_DOCUMENT_BYTES : MAX_ENDPOINT_BYTES;
    const send = role === 'garbage' ? askAsBuyer : ask;
    const answer = await send({ maxBytes, ...target, url: at.href, headers, follow: false });
    const sighting = { role, method: target.method ?? 'GET', url: at.href, answer, atMs: clock() };
    sightings[role] = sighting;
    return sighting;
  };
  const offered = await findOffer(url, look, data);
  await look('head', url, { method: 'HEAD' });
  const sold = offered?.role === 'get' ? 'GET' : 'POST';
  if (!isReadOnly) {
    const asked = { origin: BUYER_ORIGIN, 'access-control-request-method': sold };
    await look('preflight', url, {
      method: 'OPTIONS',
      headers: { ...asked, 'access-control-request-headers': ASKED_HEADERS },
    });
    // What the guarded fetch could not reach gets no credential either.
    if (Object.values(sightings).some(isAnswered)) await look('garbage', url, buildGarbage(sold, data));
  }
  await look('unknown_path', new URL(NO_SUCH_PATH, url.origin));
  await look('well_known_x402', new URL('/.well-known/x402', url.origin));
  await look('well_known_mpp', new URL('/.well-known/mpp', url.origin));
  await look('openapi', new URL('/openapi.json', url.origin));
  const { headers = {}, bytes = new Uint8Array() } = offered?.answer ?? {};
  return {
    url,
    isReadOnly,
    sightings,
    offered,
    x402: offered === undefined ? { state: 'none' } : readX402Terms(headers, bytes),
    mpp: readMppChallenges(headers['www-authenticate']),
  };
}

type Look = (role: SellerRole, at: URL, target?: Omit<FetchTarget, 'url'>) => Promise<Sighting>;

/** The answer that has terms: to GET, else to an empty POST, else to a POST with the body that was given. */
async function findOffer(url: URL, look: Look, data: string | undefined): Promise<AnsweredSighting | undefined> {
  const headers = { origin: BUYER_ORIGIN };
  const tries = [
    () => look('get', url, { headers }),
    () => look('post', url, { method: 'POST', headers }),
    ...(data === undefined ? [] : [() => look('post_data', url, buildDataRequest(data))]),
  ];
  for (const attempt of tries) {
    const sighting = await attempt();
    if (isAnswered(sighting) && sighting.answer.status === 402) return sighting;
  }
  return undefined;
}

const buildDataRequest = (data: string): Omit<FetchTarget, 'url'> => ({
  method: 'POST',
  headers: { origin: BUYER_ORIGIN, 'content-type': JSON_TYPE },
  body: data,
});

function buildGarbage(method: 'GET' | 'POST', data: string | undefined): Omit<FetchTarget, 'url'> {
  if (method === 'GET') return { method, headers: GARBAGE };
  return { method, headers: { 'content-type': JSON_TYPE, ...GARBAGE }, body: data ?? '{}' };
}

const isDocument = (role: SellerRole): boolean =>
  role === 'openapi' || role === 'well_known_x402' || role === 'well_known_mpp';
