import { encodeBase64url } from '../../../lib/base64url.ts';
import { computeHmacSha256, generateRandomHex, isSameText } from '../../../lib/digest.ts';
import { MINUTE_S, formatIsoTimestamp } from '../../../lib/time.ts';
import { MAX_TIMEOUT_S } from '../../terms/constants.ts';
import { encodeJson } from './encoding.ts';

/**
 * The HTTP authentication scheme `Payment`, and the one way to pay by it that is sold: method `evm`, intent `charge`.
 * @see https://datatracker.ietf.org/doc/draft-httpauth-payment/
 */
export const PAYMENT_SCHEME = 'Payment';
export const METHOD = 'evm';
export const INTENT = 'charge';
/** The one proof of payment that is taken: an EIP-3009 authorization, which a facilitator settles as it settles those of x402. */
export const CREDENTIAL_TYPE = 'authorization';
const USDC_DECIMALS = 6;

/** What a challenge asks for. */
export type ChallengeTerms = {
  /** Host name of the deployment, without port. */
  realm: string;
  /** Canonical URL of what is sold: a challenge for one route is none for another. */
  url: string;
  chainId: number;
  /** Addresses in any letter case. */
  currency: string;
  recipient: string;
  amountMicroUsdc: number;
};

/** A challenge as JSON transports carry it; the HTTP header has the same members, with `request` as base64url. */
export type PaymentChallenge = {
  id: string;
  realm: string;
  method: typeof METHOD;
  intent: typeof INTENT;
  request: ReturnType<typeof buildChargeRequest>;
  expires: string;
};

/** The challenges of one answer. */
export type FreshChallenges = {
  /** The value of WWW-Authenticate: one challenge for each network, in our order. */
  header: string;
  list: readonly PaymentChallenge[];
};

/** Challenges of one offer that end at the same time. Each `fresh` costs 16 random bytes. */
export type IssuedChallenges = { fresh: () => FreshChallenges };

/** Issues the challenges of an offer, and knows again those that were issued for it. */
export type Challenges = {
  issue: (nowMs: number) => Promise<IssuedChallenges>;
  /**
   * Whether we issued a challenge for this route, by the secret of today or the one before. It says nothing of when: a
   * challenge is no secret, and proves no payer (rule P1).
   */
  isOurs: (id: string, terms: Omit<ChallengeTerms, 'url'>, expiresS: number) => Promise<boolean>;
};

/** No other text that is signed with this secret begins so. */
const LABEL = 'sightline payment challenge, version 1:';
/** What follows the code in an id. Clients sign a hash of the id as their nonce, so no two answers may have the same. */
const FRESH_BYTES = 16;
/** Of base64url without padding: 32 bytes. */
const CODE_CHARS = 43;
const ID = /^[A-Za-z0-9_-]{43}\.[0-9a-f]{32}$/;

/**
 * The challenges of an offer at `url`. They are laid out once, so that an answer only needs fresh bytes spliced in, and end on
 * full minutes, at least `MAX_TIMEOUT_S` away: their codes are computed once a minute.
 * @param secrets the first signs; all are taken
 * @param accepted what is paid, one for each network
 */
export function createChallenges(
  secrets: readonly [string, ...string[]],
  url: string,
  accepted: readonly Omit<ChallengeTerms, 'url'>[],
): Challenges {
  const laidOut = accepted.map((terms) => ({ terms: { ...terms, url }, request: buildChargeRequest(terms) }));
  const encoded = laidOut.map(({ request }) => encodeJson(request));
  let last: { expiresS: number; issued: IssuedChallenges } | undefined;
  return {
    async issue(nowMs) {
      const expiresS = computeChallengeEnd(nowMs);
      if (last?.expiresS === expiresS) return last.issued;
      const codes = await Promise.all(laidOut.map(({ terms }) => computeCode(secrets[0], terms, expiresS)));
      const expires = formatChallengeEnd(expiresS);
      const issued = spliceChallenges(
        laidOut.map(({ terms: { realm }, request }, at) => ({
          head: `${PAYMENT_SCHEME} id="${codes[at]}.`,
          tail: `", realm="${realm}", method="${METHOD}", intent="${INTENT}", request="${encoded[at]}", expires="${expires}"`,
          challenge: { id: `${codes[at]}.`, realm, method: METHOD, intent: INTENT, request, expires },
        })),
      );
      last = { expiresS, issued };
      return issued;
    },
    async isOurs(id, terms, expiresS) {
      if (!ID.test(id)) return false;
      const code = id.slice(0, CODE_CHARS);
      for (const secret of secrets) {
        if (isSameText(await computeCode(secret, { ...terms, url }, expiresS), code)) return true;
      }
      return false;
    },
  };
}

type LaidOut = { head: string; tail: string; challenge: PaymentChallenge };

const spliceChallenges = (laidOut: readonly LaidOut[]): IssuedChallenges => ({
  fresh() {
    const fresh = generateRandomHex(FRESH_BYTES);
    let header = '';
    for (const { head, tail } of laidOut) header += `${header === '' ? '' : ', '}${head}${fresh}${tail}`;
    return {
      header,
      get list() {
        return laidOut.map(({ challenge }) => ({ ...challenge, id: challenge.id + fresh }));
      },
    };
  },
});

/** The `request` of the method `evm`, whose JSON is canonical (RFC 8785) by sorted keys. */
function buildChargeRequest({ amountMicroUsdc, chainId, currency, recipient }: Omit<ChallengeTerms, 'url'>) {
  return {
    amount: String(amountMicroUsdc),
    currency,
    methodDetails: { chainId, credentialTypes: [CREDENTIAL_TYPE], decimals: USDC_DECIMALS },
    recipient,
  };
}

/** When a challenge that is issued now ends, in Unix seconds: a client's authorization lives as long. */
const computeChallengeEnd = (nowMs: number): number => Math.ceil((nowMs / 1000 + MAX_TIMEOUT_S) / MINUTE_S) * MINUTE_S;

/** RFC 3339 without a fraction of a second. */
const formatChallengeEnd = (expiresS: number): string => `${formatIsoTimestamp(expiresS * 1000).slice(0, 19)}Z`;

/** The end that a challenge names, in Unix seconds; undefined for a text that is not in our spelling. */
export function parseChallengeEnd(text: string): number | undefined {
  const expiresS = Date.parse(text) / 1000;
  return Number.isSafeInteger(expiresS) && formatChallengeEnd(expiresS) === text ? expiresS : undefined;
}

/** Binds a challenge to route, amount, network, payee and end. */
async function computeCode(secret: string, terms: ChallengeTerms, expiresS: number): Promise<string> {
  const { realm, url, chainId, currency, recipient, amountMicroUsdc } = terms;
  const addresses = [currency, recipient].map((address) => address.toLowerCase());
  const text = [LABEL, realm, url, chainId, ...addresses, amountMicroUsdc, expiresS].join('\n');
  return encodeBase64url(await computeHmacSha256(secret, text));
}
