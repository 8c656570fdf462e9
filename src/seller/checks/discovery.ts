import { verdict } from '../../audit/core/check.ts';
import { getObjectMember, isObject, type JsonObject, toObjects, toTexts } from '../../lib/json.ts';
import { formatUsdAmount } from '../../payment/terms/constants.ts';
import {
  buildSightingEvidence,
  findAnswer,
  readJsonBody,
  type SellerReading,
  type SellerRole,
} from '../reading/sighting.ts';
import { getAskedAmount } from '../reading/x402-terms.ts';
import {
  defineMppCheck,
  defineSellerCheck,
  defineX402Check,
  PAYMENT_DISCOVERY,
  X402_BAZAAR,
  X402_SPEC,
  X402SCAN,
} from '../seller-check.ts';

/** A JSON document of the origin; undefined where there is none, or where it cannot be read. */
function readDocument(reading: SellerReading, role: SellerRole): JsonObject | undefined {
  const seen = findAnswer(reading, role);
  if (seen === undefined || seen.answer.status !== 200 || seen.answer.truncated) return undefined;
  const value = readJsonBody(seen);
  return isObject(value) ? value : undefined;
}

const buildOfferEvidence = (reading: SellerReading, role: SellerRole) => {
  const seen = reading.sightings[role];
  return seen === undefined ? [] : [buildSightingEvidence(seen)];
};

/** The operation of the asked address in an OpenAPI document, by its exact path or by one with parameters. */
function findOperation(reading: SellerReading, document: JsonObject): JsonObject | undefined {
  const method = reading.offered?.method.toLowerCase() ?? 'post';
  const servers = toObjects(document['servers']).map(({ url }) => (typeof url === 'string' ? url : ''));
  const bases = [
    '',
    ...servers.map((url) => (URL.canParse(url, reading.url.href) ? new URL(url, reading.url.href).pathname : '')),
  ];
  const paths = getObjectMember(document, 'paths');
  const found = Object.entries(paths).find(([path]) =>
    bases.some((base) => isAtPath(`${base.replace(/\/$/, '')}${path}`, reading.url.pathname)),
  );
  if (found === undefined || !isObject(found[1])) return undefined;
  const operation = found[1][method];
  return isObject(operation) ? operation : undefined;
}

function isAtPath(template: string, path: string): boolean {
  const wanted = template.split('/');
  const given = path.split('/');
  return wanted.length === given.length && wanted.every((part, at) => part === given[at] || /^\{.*\}$/.test(part));
}

const openapi = defineSellerCheck({
  id: 'seller.discovery.openapi',
  title: '/openapi.json lists the endpoint with its price',
  failureTitle: 'List the endpoint in /openapi.json, with x-payment-info',
  weight: 3,
  grade: 'B',
  why: 'Directories of x402 and clients of MPP find what is sold in the OpenAPI document, and leave out what has no price.',
  source: PAYMENT_DISCOVERY,
  fix: 'Serve an OpenAPI document at /openapi.json. Give the paid operation x-payment-info, a response 402 and the schema of its body.',
  judge(reading) {
    const seen = findAnswer(reading, 'openapi');
    if (seen === undefined) return verdict.unknown('It was not answered');
    if (seen.answer.truncated) return verdict.unknown('It is larger than we read');
    const document = readDocument(reading, 'openapi');
    const evidence = buildOfferEvidence(reading, 'openapi');
    if (document === undefined) return verdict.fail(`Answered with ${seen.answer.status}, and no document`, evidence);
    const operation = findOperation(reading, document);
    if (operation === undefined) return verdict.fail('The endpoint is not in it', evidence);
    if (!isObject(operation['x-payment-info']))
      return verdict.partial(0.4, 'The endpoint has no x-payment-info', evidence);
    return isObject(operation['responses']) && operation['responses']['402'] !== undefined
      ? verdict.pass('The endpoint has its price and a 402', evidence)
      : verdict.partial(0.7, 'The endpoint has its price, and no response 402', evidence);
  },
});

const openapiPrice = defineSellerCheck({
  id: 'seller.discovery.price',
  title: 'The price of /openapi.json is the price of the terms',
  failureTitle: 'Write the price of the terms into /openapi.json',
  weight: 2,
  grade: 'B',
  why: 'A buyer plans with the listed price and stops when it is asked for another.',
  source: PAYMENT_DISCOVERY,
  fix: 'Derive both from one table.',
  judge(reading) {
    const document = readDocument(reading, 'openapi');
    const operation = document && findOperation(reading, document);
    const info = operation && isObject(operation['x-payment-info']) ? operation['x-payment-info'] : undefined;
    if (info === undefined) return verdict.notApplicable('No price is listed');
    const price = getObjectMember(info, 'price');
    const listed = price['amount'];
    if (price['mode'] !== 'fixed' || typeof listed !== 'string')
      return verdict.notApplicable('No fixed price is listed');
    const asked = listAskedAmounts(reading);
    if (asked.length === 0) return verdict.unknown('The terms name no amount');
    const spoken = asked.map((units) => formatUsdAmount(Number(units)));
    const same = asked.some((units) => Number(units) === Math.round(Number(listed) * 1_000_000));
    const note = `Listed: ${listed.slice(0, 30)} USD; asked: ${[...new Set(spoken)].join(', ')} USD`;
    return same
      ? verdict.pass(note, buildOfferEvidence(reading, 'openapi'))
      : verdict.fail(note, buildOfferEvidence(reading, 'openapi'));
  },
});

/** Amounts of six decimals that the terms ask for. */
function listAskedAmounts({ x402, mpp }: SellerReading): readonly string[] {
  const ways = x402.state === 'read' ? x402.terms.accepts.map(getAskedAmount) : [];
  const challenges = mpp.state === 'read' ? mpp.challenges.map(({ request }) => request?.['amount']) : [];
  return [...ways, ...challenges].filter((one): one is string => typeof one === 'string' && /^\d{1,15}$/.test(one));
}

const wellKnown = defineX402Check({
  id: 'seller.discovery.well-known-x402',
  title: '/.well-known/x402 lists the endpoint',
  failureTitle: 'List the endpoint at /.well-known/x402',
  weight: 1,
  grade: 'C',
  why: 'Directories read it where they find no OpenAPI document.',
  source: X402SCAN,
  fix: 'Serve {"version": 1, "resources": ["https://…"]} at /.well-known/x402.',
  judge(_terms, reading) {
    const seen = findAnswer(reading, 'well_known_x402');
    if (seen === undefined) return verdict.unknown('It was not answered');
    const document = readDocument(reading, 'well_known_x402');
    const evidence = buildOfferEvidence(reading, 'well_known_x402');
    if (document === undefined)
      return verdict.partial(0.5, `Answered with ${seen.answer.status}, and no document`, evidence);
    const listed = toTexts(document['resources']).map((text) => text.replace(/^[A-Z]+ /, ''));
    const { href } = reading.url;
    return listed.includes(href) || listed.includes(reading.url.origin + reading.url.pathname)
      ? verdict.pass(`It lists ${listed.length} addresses, this one among them`, evidence)
      : verdict.fail(`It lists ${listed.length} addresses, and not this one`, evidence);
  },
});

const wellKnownMpp = defineMppCheck({
  id: 'seller.discovery.well-known-mpp',
  title: '/.well-known/mpp describes the seller',
  failureTitle: 'Describe the seller at /.well-known/mpp',
  weight: 1,
  grade: 'C',
  why: 'It is a short way to the methods and prices for clients that do not read an OpenAPI document.',
  source: PAYMENT_DISCOVERY,
  fix: 'Serve a JSON object with your methods at /.well-known/mpp.',
  judge(_challenges, reading) {
    const seen = findAnswer(reading, 'well_known_mpp');
    if (seen === undefined) return verdict.unknown('It was not answered');
    return readDocument(reading, 'well_known_mpp') === undefined
      ? verdict.partial(
          0.5,
          `Answered with ${seen.answer.status}, and no document`,
          buildOfferEvidence(reading, 'well_known_mpp'),
        )
      : verdict.pass('It does', buildOfferEvidence(reading, 'well_known_mpp'));
  },
});

const bazaar = defineX402Check({
  id: 'seller.discovery.bazaar',
  title: 'The terms have a bazaar extension that says how to ask',
  failureTitle: 'Add the bazaar extension: input and its schema',
  weight: 2,
  grade: 'B',
  why: 'Facilitators list an endpoint by it. Without its input, an agent knows the price and not what to send.',
  source: X402_BAZAAR,
  fix: 'Send extensions.bazaar with info (input: type, method) and schema. The official package makes it.',
  judge({ value, version }, reading) {
    if (version === 1) return verdict.notApplicable('Version 1 has no extensions');
    const block = getObjectMember(getObjectMember(value, 'extensions'), 'bazaar');
    const evidence = reading.offered === undefined ? [] : [buildSightingEvidence(reading.offered)];
    if (Object.keys(block).length === 0) return verdict.fail('The terms have no bazaar extension', evidence);
    const input = getObjectMember(getObjectMember(block, 'info'), 'input');
    if (input['type'] !== 'http' && input['type'] !== 'mcp')
      return verdict.fail('info.input.type is neither http nor mcp', evidence);
    const method = input['method'];
    if (
      input['type'] === 'http' &&
      typeof method === 'string' &&
      reading.offered !== undefined &&
      method !== reading.offered.method
    )
      return verdict.fail(
        `info.input.method is ${method.slice(0, 20)}, and ${reading.offered.method} is sold`,
        evidence,
      );
    if (!isObject(block['schema'])) return verdict.partial(0.5, 'The extension has no schema', evidence);
    if (input['type'] === 'http' && method === undefined)
      return verdict.partial(0.7, 'info.input names no method', evidence);
    return verdict.pass('It says how to ask', evidence);
  },
});

const listing = defineX402Check({
  id: 'seller.discovery.listing',
  title: 'serviceName, tags and iconUrl are within their limits',
  failureTitle: 'Name the service for directories, within the limits of x402',
  weight: 1,
  grade: 'A',
  why: 'Directories show them. One that is too long makes the whole 402 unreadable to strict clients.',
  source: X402_SPEC,
  fix: 'serviceName: 1 to 32 printable ASCII characters; at most 5 tags of at most 32; iconUrl: at most 2,048 characters.',
  judge({ value, version }, reading) {
    if (version === 1) return verdict.notApplicable('Version 1 has no such members');
    const { serviceName, tags, iconUrl } = getObjectMember(value, 'resource');
    const evidence = reading.offered === undefined ? [] : [buildSightingEvidence(reading.offered)];
    const faults = [
      isGoodText(serviceName, 32) ? '' : 'serviceName',
      tags === undefined ||
      tags === null ||
      (Array.isArray(tags) && tags.length <= 5 && tags.every((tag) => isGoodText(tag, 32)))
        ? ''
        : 'tags',
      isGoodIcon(iconUrl, reading) ? '' : 'iconUrl',
    ].filter((name) => name !== '');
    if (faults.length > 0) return verdict.fail(`Outside its limits: ${faults.join(', ')}`, evidence);
    return typeof serviceName === 'string'
      ? verdict.pass('Within their limits', evidence)
      : verdict.partial(0.5, 'Directories have no name to show', evidence);
  },
});

const isGoodText = (value: unknown, most: number): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.length <= most && /^[\x20-\x7e]+$/.test(value));

const isGoodIcon = (value: unknown, { url }: SellerReading): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' &&
    value.length <= 2_048 &&
    URL.canParse(value) &&
    (value.startsWith('https:') || url.protocol === 'http:'));

export const discoveryChecks = [openapi, openapiPrice, wellKnown, wellKnownMpp, bazaar, listing];
