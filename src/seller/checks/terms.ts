import { verdict } from '../../audit/core/check.ts';
import { isObject, type JsonObject, formatCanonicalJson } from '../../lib/json.ts';
import { isWellKnownTestAccount, MICRO_USDC_PER_USD, ZERO_ADDRESS } from '../../payment/terms/constants.ts';
import { formatSpendControl, isOverClientCap, SPEND_CONTROL } from '../../payment/terms/spend-control.ts';
import { MAX_SANE_MICRO_USDC } from '../limits.ts';
import { findKnownToken, isEvmNetwork, isKnownNetwork } from '../known-tokens-data.ts';
import { listSchemaFaults } from '../reading/terms-schema.ts';
import { buildHeaderSighting, buildSightingEvidence, type SellerReading } from '../reading/sighting.ts';
import { getAskedAmount, type X402Terms } from '../reading/x402-terms.ts';
import { defineX402Check, X402_EXACT, X402_HTTP, X402_SPEC } from '../seller-check.ts';

const buildOfferEvidence = ({ offered }: SellerReading) =>
  offered === undefined ? [] : [buildSightingEvidence(offered)];

/** Judges each way to pay: what is wrong with it, or nothing. */
function judgeWays(
  terms: X402Terms,
  reading: SellerReading,
  findFault: (way: JsonObject) => string | undefined,
  good: string,
) {
  if (terms.accepts.length === 0) return verdict.unknown('The terms list no way to pay');
  const faults = terms.accepts.map(findFault).filter((fault) => fault !== undefined);
  const evidence = buildOfferEvidence(reading);
  if (faults.length === 0) return verdict.pass(good, evidence);
  const note = [...new Set(faults)].join('; ').slice(0, 300);
  const share = 1 - faults.length / terms.accepts.length;
  return share > 0 ? verdict.partial(Math.round(share * 100) / 100, note, evidence) : verdict.fail(note, evidence);
}

const getText = (way: JsonObject, name: string): string => {
  const value = way[name];
  return typeof value === 'string' ? value : '';
};

const version = defineX402Check({
  id: 'seller.terms.version',
  title: 'The terms are of version 2, in PAYMENT-REQUIRED',
  failureTitle: 'Send terms of version 2 in PAYMENT-REQUIRED',
  weight: 3,
  grade: 'A',
  why: 'Current clients read version 2 from the header. They pay version 1 only where a setting says so.',
  source: X402_HTTP,
  fix: 'Send x402Version 2 as base64 of JSON in PAYMENT-REQUIRED.',
  judge({ version: found, carrier }, reading) {
    if (found === 2 && carrier === 'header')
      return verdict.pass('Version 2, in the header', buildOfferEvidence(reading));
    if (found === 2)
      return verdict.fail('Version 2 in the body only: clients read the header', buildOfferEvidence(reading));
    if (found === 1)
      return verdict.partial(0.5, 'Version 1, which older clients alone read', buildOfferEvidence(reading));
    return verdict.fail(`x402Version is ${found === 0 ? 'no number' : found}`, buildOfferEvidence(reading));
  },
});

const schema = defineX402Check({
  id: 'seller.terms.schema',
  title: 'The terms have the shape of x402',
  failureTitle: 'Send terms that have the shape of x402',
  weight: 5,
  grade: 'A',
  why: 'Clients refuse terms with a missing or misspelt member before anything is signed.',
  source: X402_SPEC,
  fix: 'Send every member that the specification requires, with its type. Amounts are texts of digits.',
  judge({ value, version: found }, reading) {
    const faults = listSchemaFaults(value, found);
    if (faults.length === 0) return verdict.pass('Every required member is there', buildOfferEvidence(reading));
    return verdict.fail(faults.join('; ').slice(0, 300), buildOfferEvidence(reading));
  },
});

const bodyHeader = defineX402Check({
  id: 'seller.terms.body-and-header',
  title: 'Body and header have the same terms',
  failureTitle: 'Send the same terms in body and header',
  weight: 2,
  grade: 'B',
  why: 'Directories and older tools read the body. Two different offers make a buyer sign one and be judged by the other.',
  source: X402_HTTP,
  fix: 'Send the object of PAYMENT-REQUIRED as the JSON body of the same answer.',
  judge({ value, body, carrier }, reading) {
    if (carrier === 'body') return verdict.notApplicable('The terms are in the body alone');
    if (body === undefined)
      return verdict.partial(0.5, 'The body has no terms: tools that read it see none', buildOfferEvidence(reading));
    const same = formatCanonicalJson(body['accepts']) === formatCanonicalJson(value['accepts']);
    return same
      ? verdict.pass('Both list the same ways to pay', buildOfferEvidence(reading))
      : verdict.fail('Body and header list different ways to pay', buildOfferEvidence(reading));
  },
});

const scheme = defineX402Check({
  id: 'seller.terms.scheme',
  title: 'The scheme is one that clients pay',
  failureTitle: 'Offer the scheme exact',
  weight: 3,
  grade: 'A',
  why: 'Clients skip a way to pay whose scheme, transfer method or flow they do not know.',
  source: X402_EXACT,
  fix: 'Offer scheme "exact" with the transfer method eip3009, beside any other.',
  judge: (terms, reading) =>
    judgeWays(
      terms,
      reading,
      (way) => {
        const extra = isObject(way['extra']) ? way['extra'] : {};
        const method = extra['assetTransferMethod'] ?? 'eip3009';
        const flow = extra['paymentFlow'] ?? 'authorization';
        if (!['exact', 'upto'].includes(getText(way, 'scheme')))
          return `Unknown scheme ${JSON.stringify(way['scheme'] ?? null)}`;
        if (method !== 'eip3009' && method !== 'permit2') return `Unknown transfer method ${JSON.stringify(method)}`;
        if (flow !== 'authorization' && flow !== 'upfront')
          return `Clients skip the payment flow ${JSON.stringify(flow)}`;
        return undefined;
      },
      'Every way to pay has a scheme that clients know',
    ),
});

const network = defineX402Check({
  id: 'seller.terms.network',
  title: 'The network is a CAIP-2 name that clients know',
  failureTitle: 'Name the network by CAIP-2, such as eip155:8453',
  weight: 4,
  grade: 'A',
  why: 'A client looks its signer up by the exact name of the network.',
  source: X402_SPEC,
  fix: 'Write eip155:8453 for Base. Names such as "base" are of version 1.',
  judge: (terms, reading) =>
    judgeWays(
      terms,
      reading,
      (way) => {
        const name = getText(way, 'network');
        if (terms.version === 1) return name === '' ? 'No network is named' : undefined;
        if (!/^[a-z0-9-]{3,8}:[\w-]{1,64}$/.test(name)) return `${JSON.stringify(name)} is no CAIP-2 name`;
        return isKnownNetwork(name) ? undefined : `${name} is no network that we know`;
      },
      'Every network is known',
    ),
});

const asset = defineX402Check({
  id: 'seller.terms.asset',
  title: 'The asset is a token that is known on its network',
  failureTitle: 'Ask for a known token, such as USDC, by its address on that network',
  weight: 4,
  grade: 'B',
  why: 'The address of a token differs between networks. A wrong one has no code there, or is worth nothing.',
  source: 'https://developers.circle.com/stablecoins/usdc-contract-addresses',
  fix: 'Use the address of USDC on the network that you name.',
  judge: (terms, reading) =>
    judgeWays(
      terms,
      reading,
      (way) => {
        const name = getText(way, 'network');
        if (terms.version !== 1 && !isKnownNetwork(name)) return undefined; // The row of the network says so.
        const token = findKnownToken(name);
        if (token === undefined) return undefined;
        const same = isEvmNetwork(name)
          ? token.asset.toLowerCase() === getText(way, 'asset').toLowerCase()
          : token.asset === getText(way, 'asset');
        return same ? undefined : `${getText(way, 'asset').slice(0, 60)} is not USDC on ${name}`;
      },
      'Every asset is USDC on its network',
    ),
});

const amount = defineX402Check({
  id: 'seller.terms.amount',
  title: 'The amount is a text of digits, over zero and not absurd',
  failureTitle: 'Write the amount in the smallest unit of the token, as a text of digits',
  weight: 5,
  grade: 'A',
  why: 'Amounts are atomic units: "0.01" is refused by clients, and "10000000" for ten cents costs a hundred times as much.',
  source: X402_SPEC,
  fix: 'Multiply dollars by 1,000,000 for USDC, and write the result as a text.',
  judge: (terms, reading) =>
    judgeWays(
      terms,
      reading,
      (way) => {
        const asked = getAskedAmount(way);
        if (typeof asked !== 'string') return `The amount is ${JSON.stringify(asked ?? null)}, and no text`;
        if (!/^\d{1,40}$/.test(asked)) return `The amount ${JSON.stringify(asked.slice(0, 40))} is not digits alone`;
        if (/^0\d/.test(asked)) return `The amount ${asked} has leading zeros`;
        const units = BigInt(asked);
        if (units === 0n) return 'The amount is zero';
        const token = findKnownToken(getText(way, 'network'));
        const isAbsurd = token !== undefined && units > BigInt(MAX_SANE_MICRO_USDC);
        return isAbsurd ? `The amount is over ${MAX_SANE_MICRO_USDC / MICRO_USDC_PER_USD} USD` : undefined;
      },
      'Every amount is whole units of its token',
    ),
});

const clientCap = defineX402Check({
  id: 'seller.terms.client-cap',
  title: 'A price over 1 USD says that clients must raise their limit',
  failureTitle: `Say in the terms that clients must raise ${SPEND_CONTROL}`,
  weight: 1,
  grade: 'B',
  why: 'The official client refuses payments over 1 USD unless its limit is raised, and its message does not reach the buyer.',
  source: 'https://www.npmjs.com/package/@x402/core',
  fix: 'Name the setting in `error` of the terms and in the documentation.',
  judge({ accepts, value }, reading) {
    const dear = accepts
      .map((way) => getAskedAmount(way))
      .find((asked) => typeof asked === 'string' && /^\d{1,15}$/.test(asked) && isOverClientCap(Number(asked)));
    if (dear === undefined) return verdict.notApplicable('No price is over 1 USD');
    const text = JSON.stringify(value);
    if (text.includes(SPEND_CONTROL) || text.includes('spendControls'))
      return verdict.pass('The terms name the setting', buildOfferEvidence(reading));
    return verdict.fail(`Nothing in the terms says ${formatSpendControl(Number(dear))}`, buildOfferEvidence(reading));
  },
});

const payTo = defineX402Check({
  id: 'seller.terms.pay-to',
  title: 'The payee is an address, and no account whose key everyone has',
  failureTitle: 'Name a payee of your own',
  weight: 5,
  grade: 'A',
  why: 'Money sent to the zero address is lost, and money sent to a well-known test account is stolen at once.',
  source: X402_SPEC,
  fix: 'Set the payee to an address whose key you alone hold.',
  judge: (terms, reading) =>
    judgeWays(
      terms,
      reading,
      (way) => {
        const payee = getText(way, 'payTo');
        const name = getText(way, 'network');
        if (payee === '') return 'No payee is named';
        if (!isEvmNetwork(name)) return undefined;
        if (!/^0x[0-9a-fA-F]{40}$/.test(payee)) return `${payee.slice(0, 60)} is no address`;
        if (payee === ZERO_ADDRESS) return 'The payee is the zero address';
        if (isWellKnownTestAccount(payee)) return 'The payee is a test account whose key everyone has';
        if (payee.toLowerCase() === getText(way, 'asset').toLowerCase()) return 'The payee is the token itself';
        return undefined;
      },
      'Every payee is an address of its own',
    ),
});

/** Shortest life of an authorization in which work and settlement fit, in seconds, and the longest that is of use. */
const LEAST_TIMEOUT_S = 10;
const MOST_TIMEOUT_S = 3_600;

const timeout = defineX402Check({
  id: 'seller.terms.timeout',
  title: `maxTimeoutSeconds is between ${LEAST_TIMEOUT_S} s and ${MOST_TIMEOUT_S / 60} min`,
  failureTitle: 'Set maxTimeoutSeconds so that work and settlement fit, and little more',
  weight: 2,
  grade: 'B',
  why: 'Clients sign for so long. Facilitators refuse what ends within 6 s; what lives for hours can be cashed long after a failed call.',
  source: X402_EXACT,
  fix: 'Take the longest run and add half a minute for the settlement: 60 to 300 s for most.',
  judge: (terms, reading) =>
    judgeWays(
      terms,
      reading,
      (way) => {
        const seconds = way['maxTimeoutSeconds'];
        if (typeof seconds !== 'number') return 'maxTimeoutSeconds is missing';
        if (seconds < LEAST_TIMEOUT_S) return `maxTimeoutSeconds is ${seconds}: too short to settle`;
        return seconds > MOST_TIMEOUT_S ? `maxTimeoutSeconds is ${seconds}: over an hour` : undefined;
      },
      'Long enough to settle, and no longer than an hour',
    ),
});

const domain = defineX402Check({
  id: 'seller.terms.domain',
  title: 'extra has name and version of the token, as it signs them',
  failureTitle: 'Send name and version of the token in extra, as its contract says them',
  weight: 4,
  grade: 'A',
  why: 'They are part of what is signed (EIP-712). With another name every signature is refused: USDC is "USD Coin" on Base and "USDC" on Base Sepolia.',
  source: X402_EXACT,
  fix: 'Read name() and version() of the token on that network, and send them in extra.',
  judge: (terms, reading) =>
    judgeWays(
      terms,
      reading,
      (way) => {
        const name = getText(way, 'network');
        const token = findKnownToken(name);
        if (!isEvmNetwork(name) || token?.domain === undefined) return undefined;
        const extra = isObject(way['extra']) ? way['extra'] : {};
        if (extra['name'] === undefined || extra['version'] === undefined)
          return 'extra lacks name or version of the token';
        const same = extra['name'] === token.domain.name && extra['version'] === token.domain.version;
        return same
          ? undefined
          : `extra says ${JSON.stringify(extra['name'])}, ${JSON.stringify(extra['version'])}; the token on ${name} is ${JSON.stringify(token.domain.name)}, ${JSON.stringify(token.domain.version)}`;
      },
      'As the token signs',
    ),
});

const resource = defineX402Check({
  id: 'seller.terms.resource',
  title: 'resource.url is the address that was asked',
  failureTitle: 'Name the asked address in resource.url',
  weight: 2,
  grade: 'B',
  why: 'Clients send it back with the payment. Behind a proxy it often has another host or scheme, and directories then list an address that does not answer.',
  source: X402_SPEC,
  fix: 'Build the URL from your configured public origin, never from the Host header.',
  judge({ value, accepts, version: found }, reading) {
    const { url } = reading;
    const named =
      found === 1 ? accepts[0]?.['resource'] : isObject(value['resource']) ? value['resource']['url'] : undefined;
    if (typeof named !== 'string' || !URL.canParse(named))
      return verdict.fail('resource.url is no URL', buildOfferEvidence(reading));
    const said = new URL(named);
    const evidence = reading.offered === undefined ? [] : buildHeaderSighting(reading.offered, 'payment-required');
    if (said.origin === url.origin && said.pathname === url.pathname) return verdict.pass('It is', evidence);
    const what = said.origin === url.origin ? 'another path' : 'another origin';
    return verdict.fail(`resource.url names ${what}: ${(said.origin + said.pathname).slice(0, 200)}`, evidence);
  },
});

export const termsChecks = [
  version,
  schema,
  bodyHeader,
  scheme,
  network,
  asset,
  amount,
  clientCap,
  payTo,
  timeout,
  domain,
  resource,
];
