import { verdict } from '../../audit/core/check.ts';
import { isObject } from '../../lib/json.ts';
import type { MppChallenge } from '../reading/mpp-challenges.ts';
import { buildHeaderSighting, type SellerReading } from '../reading/sighting.ts';
import { getAskedAmount } from '../reading/x402-terms.ts';
import { defineMppCheck, PAYMENT_AUTH } from '../seller-check.ts';

const buildOfferEvidence = ({ offered }: SellerReading) =>
  offered === undefined ? [] : [buildHeaderSighting(offered, 'www-authenticate')];

/** Judges each challenge: what is wrong with it, or nothing. */
function judgeChallenges(
  challenges: readonly MppChallenge[],
  reading: SellerReading,
  findFault: (challenge: MppChallenge) => string | undefined,
  good: string,
) {
  const faults = challenges.map(findFault).filter((fault) => fault !== undefined);
  if (faults.length === 0) return verdict.pass(good, buildOfferEvidence(reading));
  const note = [...new Set(faults)].join('; ').slice(0, 300);
  return faults.length < challenges.length
    ? verdict.partial(0.5, note, buildOfferEvidence(reading))
    : verdict.fail(note, buildOfferEvidence(reading));
}

const REQUIRED = ['id', 'realm', 'method', 'intent', 'request'];

const challenge = defineMppCheck({
  id: 'seller.mpp.challenge',
  title: 'Each challenge has id, realm, method, intent and request',
  failureTitle: 'Send challenges with id, realm, method, intent and request',
  weight: 5,
  grade: 'A',
  why: 'The credential answers a challenge by these. A client cannot answer one that lacks any.',
  source: PAYMENT_AUTH,
  fix: 'Send WWW-Authenticate: Payment with all five parameters, quoted.',
  judge: (challenges, reading) =>
    judgeChallenges(
      challenges,
      reading,
      ({ params }) => {
        const missing = REQUIRED.filter((name) => (params.get(name) ?? '') === '');
        return missing.length === 0 ? undefined : `Missing: ${missing.join(', ')}`;
      },
      'All are there',
    ),
});

const request = defineMppCheck({
  id: 'seller.mpp.request',
  title: 'The request is base64url of JSON with amount, currency and recipient',
  failureTitle: 'Encode the request as base64url of JSON, with amount, currency and recipient',
  weight: 4,
  grade: 'A',
  why: 'It is what the buyer pays: whom, how much, in what.',
  source: PAYMENT_AUTH,
  fix: 'Encode canonical JSON as base64url without padding. Amounts are texts of digits, in the smallest unit.',
  judge: (challenges, reading) =>
    judgeChallenges(
      challenges,
      reading,
      ({ params, request: found }) => {
        if (found === undefined) return 'The request is no base64url of a JSON object';
        if (params.get('intent') !== 'charge') return undefined;
        const { amount, currency } = found;
        if (typeof amount !== 'string' || !/^(?:0|[1-9]\d{0,38})$/.test(amount))
          return `The amount is ${JSON.stringify(amount ?? null)}`;
        return typeof currency === 'string' && currency !== '' ? undefined : 'No currency is named';
      },
      'It can be read',
    ),
});

/** How long a challenge may be good, in seconds: the price may change meanwhile. */
const MOST_LIFE_S = 86_400;

const expires = defineMppCheck({
  id: 'seller.mpp.expires',
  title: 'Each challenge ends, in the future and within a day',
  failureTitle: 'Let challenges end, some minutes ahead',
  weight: 2,
  grade: 'B',
  why: 'One that has ended is refused when it is paid; one without an end is good for ever, at an old price.',
  source: PAYMENT_AUTH,
  fix: 'Send expires as RFC 3339, a few minutes ahead, and bind it into the id.',
  judge: (challenges, reading) =>
    judgeChallenges(
      challenges,
      reading,
      ({ params }) => {
        const text = params.get('expires');
        if (text === undefined) return 'A challenge has no end';
        const leftS = (Date.parse(text) - (reading.offered?.atMs ?? 0)) / 1000;
        if (Number.isNaN(leftS)) return 'expires is no time';
        if (leftS <= 0) return 'A challenge has ended already';
        return leftS > MOST_LIFE_S ? 'A challenge ends in more than a day' : undefined;
      },
      'Each ends, in time',
    ),
});

const realm = defineMppCheck({
  id: 'seller.mpp.realm',
  title: 'The realm is the host name',
  failureTitle: 'Set the realm to the host name',
  weight: 2,
  grade: 'B',
  why: 'Clients compare it with the host they asked, against challenges that were passed on from another service.',
  source: PAYMENT_AUTH,
  fix: 'Set realm to the public host name of the service, without port.',
  judge: (challenges, reading) =>
    judgeChallenges(
      challenges,
      reading,
      ({ params }) => {
        const said = params.get('realm') ?? '';
        return said === reading.url.hostname || said === reading.url.host
          ? undefined
          : `The realm is ${JSON.stringify(said.slice(0, 60))}`;
      },
      'It is',
    ),
});

const sameTerms = defineMppCheck({
  id: 'seller.mpp.same-price',
  title: 'MPP and x402 ask the same amount of the same token for the same payee',
  failureTitle: 'Ask the same by MPP and by x402',
  weight: 3,
  grade: 'C',
  why: 'A buyer may take either. Two prices for one thing are a mistake, or a trap.',
  source: PAYMENT_AUTH,
  fix: 'Derive both from one table.',
  judge(challenges, reading) {
    if (reading.x402.state !== 'read') return verdict.notApplicable('The seller is paid by MPP alone');
    const ways = reading.x402.terms.accepts;
    return judgeChallenges(
      challenges,
      reading,
      ({ params, request: found }) => {
        const details = isObject(found?.['methodDetails']) ? found['methodDetails'] : {};
        if (params.get('method') !== 'evm' || found === undefined) return undefined;
        const way = ways.find(({ network }) => network === formatNetwork(details['chainId']));
        if (way === undefined) return undefined;
        const pairs = [
          ['amount', found['amount'], getAskedAmount(way)],
          ['token', toLower(found['currency']), toLower(way['asset'])],
          ['payee', toLower(found['recipient']), toLower(way['payTo'])],
        ] as const;
        const different = pairs.filter(([, left, right]) => left !== right).map(([name]) => name);
        return different.length === 0 ? undefined : `They differ in ${different.join(', ')}`;
      },
      'They do',
    );
  },
});

const formatNetwork = (chainId: unknown): string => (typeof chainId === 'number' ? `eip155:${chainId}` : '');
const toLower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

export const mppChecks = [challenge, request, expires, realm, sameTerms];
