import type { SnapshotAnswer } from '../../core/snapshot.ts';
import { MAX_HEADER_CHARS } from '../../hidden-text/gather/secrets.ts';
import {
  MAX_ISSUES,
  getString,
  isJsonRecord,
  parseSiteJson,
  type Issue,
} from '../../structured-data/facts/json-document.ts';

/** Ways to pay of one offer that are judged. */
export const MAX_ACCEPTS = 20;

/** One way to pay, as offered. */
export type PaymentOption = { scheme: string; network: string; amount: string; asset: string; payTo: string };

/**
 * The x402 terms of a 402 answer. Version 2 belongs in the PAYMENT-REQUIRED header (base64 JSON); `where` says where it
 * was. `bazaar` when the offer carries the discovery extension.
 */
export type PaymentOffer = {
  version: 1 | 2;
  where: 'header' | 'body';
  options: readonly PaymentOption[];
  bazaar: boolean;
  /** Whether that extension has the parts by which catalogues list a resource. */
  bazaarComplete: boolean;
  /** What is sold, as named; `serviceName` and `tags` say whether they are there. */
  resource: { url: string; serviceName: boolean; tags: boolean };
  issues: readonly Issue[];
};

/** `other` when the answer asks for money by another protocol, named in `why`. `unreadable`: longer than we keep. */
export type OfferReading =
  | { state: 'offer'; offer: PaymentOffer }
  | { state: 'other' | 'none' | 'broken' | 'unreadable'; why: string };

/**
 * Reads what a 402 answer offers. Never throws.
 * @see https://github.com/x402-foundation/x402/blob/main/specs/transports-v2/http.md
 */
export function readPaymentOffer(answer: SnapshotAnswer): OfferReading {
  const header = answer.headers['payment-required'];
  if (header !== undefined) return fromHeader(header);
  const body = parseSiteJson(answer.body);
  if (body.ok && isJsonRecord(body.value) && Array.isArray(body.value['accepts'])) return fromValue(body.value, 'body');
  if (answer.headers['crawler-price'] !== undefined)
    return { state: 'other', why: 'pay per crawl (crawler-price header)' };
  const challenge = answer.headers['www-authenticate'] ?? '';
  if (/(?:^|,)\s*(?:payment|l402|lsat)\s/iu.test(challenge))
    return { state: 'other', why: 'a WWW-Authenticate payment challenge' };
  return { state: 'none', why: 'neither a PAYMENT-REQUIRED header nor a body with accepts[]' };
}

function fromHeader(header: string): OfferReading {
  const text = decodeBase64(header.trim());
  const parsed = text === undefined ? undefined : parseSiteJson(text);
  if (parsed?.ok && isJsonRecord(parsed.value)) return fromValue(parsed.value, 'header');
  if (header.length >= MAX_HEADER_CHARS)
    return { state: 'unreadable', why: `a PAYMENT-REQUIRED header over ${MAX_HEADER_CHARS} characters` };
  return { state: 'broken', why: 'a PAYMENT-REQUIRED header that is no base64 of a JSON object' };
}

/** The JSON object in a base64 or base64url text; undefined when there is none. */
export function decodeBase64Json(base64: string): Readonly<Record<string, unknown>> | undefined {
  const decoded = decodeBase64(base64.trim());
  const parsed = decoded === undefined ? undefined : parseSiteJson(decoded);
  return parsed?.ok && isJsonRecord(parsed.value) ? parsed.value : undefined;
}

function decodeBase64(text: string): string | undefined {
  // Without padding, because `atob` throws at padding of the wrong length ('aa=') and needs none.
  const standard = text
    .replace(/={1,2}$/u, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  if (!/^[A-Za-z0-9+/]+$/u.test(standard) || standard.length % 4 === 1) return undefined;
  return new TextDecoder().decode(Uint8Array.from(atob(standard), (char) => char.charCodeAt(0)));
}

function fromValue(value: Readonly<Record<string, unknown>>, where: 'header' | 'body'): OfferReading {
  const version = value['x402Version'] === 1 ? 1 : 2;
  const accepts: readonly unknown[] = Array.isArray(value['accepts']) ? value['accepts'] : [];
  const judged = accepts.slice(0, MAX_ACCEPTS);
  const extensions = value['extensions'];
  const issues = [
    ...(value['x402Version'] === version ? [] : [{ pointer: '/x402Version', message: 'must be the number 2' }]),
    ...(version === 2 ? listResourceIssues(value['resource']) : []),
    ...(accepts.length > 0 ? [] : [{ pointer: '/accepts', message: 'must be a list of at least one way to pay' }]),
    ...judged.flatMap((option, index) => listOptionIssues(option, index, version)),
  ];
  const bazaar = isJsonRecord(extensions) && Object.hasOwn(extensions, 'bazaar');
  const options = judged.map((option) => buildPaymentOption(option, version));
  const extension = isJsonRecord(extensions) ? extensions['bazaar'] : undefined;
  const offer: PaymentOffer = {
    version,
    where,
    options,
    bazaar,
    bazaarComplete: isJsonRecord(extension) && isJsonRecord(extension['info']) && isJsonRecord(extension['schema']),
    resource: readResource(value['resource']),
    issues: issues.slice(0, MAX_ISSUES),
  };
  return { state: 'offer', offer };
}

const readResource = (resource: unknown): PaymentOffer['resource'] => ({
  url: (getString(resource, 'url') ?? '').slice(0, 2_000),
  serviceName: (getString(resource, 'serviceName') ?? '').trim() !== '',
  tags: isJsonRecord(resource) && Array.isArray(resource['tags']) && resource['tags'].length > 0,
});

function listResourceIssues(resource: unknown): readonly Issue[] {
  if (!isJsonRecord(resource)) return [{ pointer: '/resource', message: 'must be an object with url' }];
  return URL.canParse(getString(resource, 'url') ?? '')
    ? []
    : [{ pointer: '/resource/url', message: 'must be an absolute URL' }];
}

const getOptionText = (option: unknown, key: string): string => (getString(option, key) ?? '').slice(0, 200);
const getAmountKey = (version: 1 | 2): string => (version === 2 ? 'amount' : 'maxAmountRequired');

const buildPaymentOption = (option: unknown, version: 1 | 2): PaymentOption => ({
  scheme: getOptionText(option, 'scheme'),
  network: getOptionText(option, 'network'),
  amount: getOptionText(option, getAmountKey(version)),
  asset: getOptionText(option, 'asset'),
  payTo: getOptionText(option, 'payTo'),
});

/** CAIP-2: a namespace and a reference, e.g. `eip155:8453`. Version 1 used plain names such as `base`. */
const CAIP2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/u;

function listOptionIssues(option: unknown, index: number, version: 1 | 2): readonly Issue[] {
  const rules: readonly (readonly [string, boolean, string])[] = [
    ['scheme', getOptionText(option, 'scheme') !== '', 'must be a string such as exact'],
    [
      'network',
      version === 1 ? getOptionText(option, 'network') !== '' : CAIP2.test(getOptionText(option, 'network')),
      'must be a CAIP-2 id such as eip155:8453',
    ],
    [
      getAmountKey(version),
      /^\d{1,78}$/u.test(getOptionText(option, getAmountKey(version))),
      'must be a string of digits, in atomic units',
    ],
    ['asset', getOptionText(option, 'asset') !== '', 'must name the asset'],
    ['payTo', getOptionText(option, 'payTo') !== '', 'must name the payee'],
    [
      'maxTimeoutSeconds',
      isJsonRecord(option) && Number(option['maxTimeoutSeconds']) > 0,
      'must be a number of seconds',
    ],
  ];
  return rules
    .filter(([, holds]) => !holds)
    .map(([key, , message]) => ({ pointer: `/accepts/${index}/${key}`, message }));
}
