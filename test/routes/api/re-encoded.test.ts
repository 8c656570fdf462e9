import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ledgerRows, post, problemOf, signedCredential, type World, world } from './world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const BODY = '{"url":"https://shop.example/"}';
const textOf = (credential: string): string => atob(credential);

/** The same payment, written in another way. */
const spellings: readonly [string, (credential: string) => string][] = [
  ['without its padding', (credential) => credential.replace(/=+$/, '')],
  ['with blanks around it', (credential) => ` ${credential} `],
  ['with white space in its JSON', (credential) => btoa(JSON.stringify(JSON.parse(textOf(credential)), null, 2))],
  [
    'with a second nonce that hides the first',
    (credential) => btoa(textOf(credential).replace('"nonce":', '"nonce":"0x01","nonce":')),
  ],
  ['with escaped letters', (credential) => btoa(textOf(credential).replace('"payload"', String.raw`"\u0070ayload"`))],
  [
    'with its fields in another order',
    (credential) =>
      btoa(JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(textOf(credential)) as object).toReversed()))),
  ],
  [
    'in capital letters',
    (credential) =>
      btoa(
        textOf(credential).replace(/"nonce":"0x([0-9a-f]+)"/i, (_, hex: string) => `"nonce":"0x${hex.toUpperCase()}"`),
      ),
  ],
  ['with a field of no meaning', (credential) => btoa(textOf(credential).replace('{', '{"note":"again",'))],
  ['without our quote', (credential) => btoa(textOf(credential).replace(/"quote":"[0-9a-f]{32}"/, '"other":"x"'))],
];

/** The same request, written in another way. */
const bodies: readonly [string, string][] = [
  ['with white space', '\n{ "url" : "https://shop.example/" }\t'],
  ['with its field twice', '{"url":"https://other.example/","url":"https://shop.example/"}'],
  ['with escaped letters', String.raw`{"\u0075rl":"https:\/\/shop.example\/"}`],
];

describe('kept: one payment is one sale, however it is written', () => {
  test.each(spellings)('a credential %s buys nothing again', async (_how, spell) => {
    const credential = await signedCredential();
    expect((await post({ body: BODY, credential })).status).toBe(200);
    const again = await post({ body: BODY, credential: spell(credential) });
    expect(again.status).toBeLessThan(500);
    expect(seen.calls.settle).toHaveLength(1);
    expect(await ledgerRows()).toBe(1);
  });

  test.each(spellings)('a credential %s that comes at the same time is settled once', async (_how, spell) => {
    const credential = await signedCredential();
    const answers = await Promise.all([
      post({ body: BODY, credential: spell(credential) }),
      post({ body: BODY, credential }),
    ]);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(seen.calls.settle).toHaveLength(1);
    expect(await ledgerRows()).toBe(1);
  });

  test.each(bodies)('a body %s is the same request: the stored answer, and no second charge', async (_how, body) => {
    const credential = await signedCredential();
    const first = await post({ body: BODY, credential });
    const again = await post({ body, credential });
    expect(again.status).toBe(200);
    expect(await again.text()).toBe(await first.text());
    expect(seen.calls.settle).toHaveLength(1);
  });

  test('a body for another site is another request: 409, and no second charge', async () => {
    const credential = await signedCredential();
    await post({ body: BODY, credential });
    const other = await post({ body: '{"url":"https://other.example/"}', credential });
    expect(await problemOf(other)).toEqual({ status: 409, code: 'payment_already_used' });
    expect(seen.calls.settle).toHaveLength(1);
  });
});

/** Texts that parsers disagree on: no JSON by RFC 8259, whatever one of them makes of it. */
const NO_JSON: readonly string[] = [
  '',
  ' ',
  '{',
  '}',
  '[',
  ']',
  '{]',
  '[}',
  '{"url"}',
  '{"url":}',
  '{"url":1,}',
  '{,"url":1}',
  '{"url":1}}',
  '{"url":1}{',
  '{"url":1} x',
  "{'url':1}",
  '{url:1}',
  '{"url":01}',
  '{"url":.1}',
  '{"url":1.}',
  '{"url":+1}',
  '{"url":0x1}',
  '{"url":1e}',
  '{"url":-}',
  '{"url":NaN}',
  '{"url":Infinity}',
  '{"url":undefined}',
  '{"url":True}',
  '{"url":nul}',
  '{"url":"a',
  '{"url":"\t"}',
  '{"url":"\u0000"}',
  String.raw`{"url":"\x41"}`,
  String.raw`{"url":"\u00g0"}`,
  String.raw`{"url":"\u1"}`,
  '{"url":"a"/**/}',
  '{"url":"a"//\n}',
  '{"url":"a";}',
  '{"url":"a""b"}',
  '\u00a0{}',
  '\u2060{}',
  '[1,,2]',
  '[1 2]',
  '"',
  'a',
  '<x>',
  '{"a":'.repeat(9_000),
  '['.repeat(60_000),
];
/** JSON, but no request: what the schema is for. */
const NO_REQUEST: readonly string[] = [
  'null',
  'true',
  '0',
  '""',
  '[]',
  '{}',
  '"url"',
  '-0',
  '1e999',
  '[[[[]]]]',
  '{"":""}',
  '{"url":null}',
  '{"url":[]}',
  '{"url":{}}',
  '{"url":1e999}',
  '{"__proto__":{"url":"https://shop.example/"}}',
  '{"constructor":{"url":"x"}}',
  String.raw`{"url":"\ud800"}`,
  String.raw`{"url":"\udc00\ud800"}`,
  '{"URL":"https://shop.example/"}',
  `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  `{"url":"https://shop.example/","a":${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}}`,
];

describe('kept: a body that parsers disagree on', () => {
  test.each([
    ['invalid_json', 400, NO_JSON],
    ['invalid_body', 422, NO_REQUEST],
  ] as const)('is %s, and nothing is claimed', async (code, status, texts) => {
    const credential = await signedCredential();
    for (const body of texts)
      expect({ body: body.slice(0, 60), ...(await problemOf(await post({ body, credential }))) }).toEqual({
        body: body.slice(0, 60),
        status,
        code,
      });
    expect(seen.calls.verify).toEqual([]);
    expect(await ledgerRows()).toBe(0);
  });
});
