import { env, exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { checks } from '../../../../src/audit/core/catalogue.ts';
import { findCapability } from '../../../../src/capabilities/catalog.ts';
import golden from '../../../data/wire/payment-required.json' with { type: 'json' };

/** What differs from one answer to the next: the id of the request, and of the quote. */
const isRandomId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

const randomMembers: Readonly<Record<string, string>> = { quote: '<quote>', request_id: '<request-id>' };

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

const strip = (value: Json, name = ''): Json => {
  if (typeof value === 'string')
    return randomMembers[name] !== undefined && isRandomId(value) ? randomMembers[name] : value;
  if (Array.isArray(value)) return value.map((one) => strip(one));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, strip(one, key)]));
};

/** A challenge of the scheme `Payment` as it is spelled, with what it asks for decoded. */
const readChallenge = (value: string): string =>
  value
    .replaceAll(/id="[\w-]{43}\.[0-9a-f]{32}"/g, 'id="<code>.<fresh>"')
    .replaceAll(/expires="[-0-9]{10}T[0-9:]{5}:00Z"/g, 'expires="<full minute>"')
    .replaceAll(
      /request="([\w-]+)"/g,
      (_all, text: string) => `request=${atob(text.replaceAll('-', '+').replaceAll('_', '/'))}`,
    );

/** Status, every header and every member of the body, in the order in which they are sent. */
async function readAnswer(path: string, init: RequestInit): Promise<Json> {
  const answer = await exports.default.fetch(new Request(`${env.BASE_URL}${path}`, init));
  const header = answer.headers.get('payment-required') ?? '';
  const body = (await answer.json()) as Json;
  const decoded = header === '' ? null : (JSON.parse(atob(header)) as Json);
  return {
    status: answer.status,
    // The terms as they are spelled in the header, byte by byte.
    headers: [...answer.headers].map(([name, value]) =>
      value === header
        ? [name, atob(value).replace(/"quote":"[0-9a-f]{32}"/, '"quote":"<quote>"')]
        : [name, isRandomId(value) ? '<request-id>' : readChallenge(value)],
    ),
    terms: strip(decoded),
    body: strip(body),
  };
}

const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const requests: Readonly<Record<string, readonly [string, RequestInit]>> = {
  'a check': ['/api/agent/check_health', post({ url: 'https://a.example/' })],
  'a comparison': ['/api/agent/compare', post({ url: 'https://a.example/', competitor: 'https://b.example/' })],
  'an audit': ['/api/agent/full_audit', post({ url: 'https://a.example/' })],
  'a credit pack': ['/api/credits/20', post({})],
};

/** The golden answer, with the price and the number of checks that the tables have today. */
function readGolden(name: string, path: string): string {
  const row = findCapability(path.split('/').at(-1) ?? '');
  return JSON.stringify((golden as Record<string, Json>)[name], null, 1)
    .replaceAll('<price>', String(row?.priceMicroUsdc))
    .replaceAll('<checks>', String(checks.length));
}

// The contract of money: one member or header more or less is a change for every buyer.
test.each(Object.entries(requests))(
  'the 402 of %s has exactly these headers and members',
  async (name, [path, init]) => {
    const answer = await readAnswer(path, init);
    expect(JSON.stringify(answer, null, 1), 'test/data/wire/payment-required.json').toBe(readGolden(name, path));
  },
);
