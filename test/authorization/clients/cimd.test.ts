import { describe, expect, test } from 'vitest';
import {
  checkDocumentUrl,
  DOCUMENT_LIMITS,
  resolveClientDocument,
  resolveClientKeys,
} from '../../../src/authorization/clients/cimd.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts';

/** Names that could be anybody's: only the list says that they are ours. */
const OWN = ['sightline.example', 'webhook.example', 'control.example'];
const NOW_MS = 1_800_000_000_000;
const ID = 'https://app.example/client.json';
const document = { client_id: ID, client_name: 'Desk', redirect_uris: ['https://app.example/cb'] };
const key = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};

type Answer = (url: string) => Response | Promise<Response>;

function tools(answer: Answer) {
  const asked: string[] = [];
  const guardedFetch = createGuardedFetch({
    fetch: async (url) => {
      asked.push(url);
      return answer(url);
    },
    policy: allowPublicOnly(),
    clock: () => NOW_MS,
    limits: DOCUMENT_LIMITS,
  });
  return { asked, tools: { guardedFetch, now: () => NOW_MS, ownHosts: OWN } };
}

const json = (value: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json', ...headers } });

async function resolve(clientId: string, answer: Answer) {
  const world = tools(answer);
  return { outcome: await resolveClientDocument(clientId, world.tools), asked: world.asked };
}

const reasonOf = async (over: Record<string, unknown>): Promise<string> => {
  const { outcome } = await resolve(ID, () => json({ ...document, ...over }));
  return outcome.ok ? 'ok' : `${outcome.reason}: ${outcome.detail}`;
};

test('a document gives a public client in the form of the provider library', async () => {
  const { outcome } = await resolve(ID, () => json({ ...document, client_uri: 'https://app.example/', scope: 'x' }));
  expect(outcome).toEqual({
    ok: true,
    document: {
      client: {
        clientId: 'https://app.example/client.json',
        clientName: 'Desk',
        redirectUris: ['https://app.example/cb'],
        clientUri: 'https://app.example/',
        grantTypes: ['authorization_code'],
        responseTypes: ['code'],
        tokenEndpointAuthMethod: 'none',
      },
      authentication: { methods: ['none'] },
      expiresAtMs: NOW_MS + 660_000,
    },
  });
});

describe('client ids that are fetched', () => {
  test.each(['https://app.example/client.json', 'https://app.example/a/b?v=1', 'https://xn--bcher-kva.example/c'])(
    '%s',
    (id) => {
      expect(checkDocumentUrl(id, OWN)).toBeUndefined();
    },
  );
});

describe('client ids that are never fetched', () => {
  test.each([
    ['http', 'http://app.example/c'],
    ['no path', 'https://app.example/'],
    ['no path and no slash', 'https://app.example'],
    ['a user name', 'https://u:p@app.example/c'],
    ['a fragment', 'https://app.example/c#x'],
    ['an empty fragment', 'https://app.example/c#'],
    ['an empty query', 'https://app.example/c?'],
    ['dot segments', 'https://app.example/a/../c'],
    ['encoded dot segments', 'https://app.example/%2e%2e/c'],
    ['a backslash', 'https:\\\\app.example\\c'],
    ['upper case in the host', 'https://APP.example/c'],
    ['white space', ' https://app.example/c'],
    ['S4: another port', 'https://app.example:8443/c'],
    ['S4: the standard port, written', 'https://app.example:443/c'],
    ['S1: IPv4', 'https://169.254.169.254/c'],
    ['S1: loopback', 'https://127.0.0.1/c'],
    ['S1: IPv6', 'https://[::1]/c'],
    ['S1: mapped IPv4', 'https://[::ffff:10.0.0.1]/c'],
    ['S1: decimal', 'https://2130706433/c'],
    ['S1: hex', 'https://0x7f.1/c'],
    ['S2: localhost', 'https://localhost/c'],
    ['S2: below localhost', 'https://a.localhost/c'],
    ['S2: .internal', 'https://metadata.google.internal/c'],
    ['S2: .local', 'https://printer.local/c'],
    ['S2: one label', 'https://intranet/c'],
    ['S2: a trailing dot', 'https://localhost./c'],
    ['S8: a name known to lead inside', 'https://127.0.0.1.nip.io/c'],
    ['S6: ourselves', 'https://sightline.example/c'],
    ['S6: ourselves, the webhook', 'https://webhook.example/c'],
    ['S6: ourselves, the control plane', 'https://control.example/c'],
    ['S6: ourselves with a dot', 'https://sightline.example./c'],
    ['a second spelling of a host', 'https://app.example./c'],
    ['too long', `https://app.example/${'x'.repeat(2_100)}`],
    ['no URL', 'client'],
  ])('%s', async (_, id) => {
    const { outcome, asked } = await resolve(id, () => json({ ...document, client_id: id }));
    expect(outcome).toMatchObject({ ok: false, reason: 'invalid_client_id' });
    expect(asked).toEqual([]);
  });
});

describe('answers that are no document', () => {
  test.each([
    ['404', () => json(document, {}), 404, 'document_refused'],
    ['201', () => json(document), 201, 'document_refused'],
    ['500', () => json(document), 500, 'document_refused'],
  ])('%s', async (_, make, status, reason) => {
    const { outcome } = await resolve(
      ID,
      () => new Response(make().body, { status, headers: { 'content-type': 'application/json' } }),
    );
    expect(outcome).toMatchObject({ ok: false, reason });
  });

  test.each(['text/html', 'text/plain', '', 'application/jsonp', 'application/json-seq'])(
    'the media type "%s"',
    async (type) => {
      const { outcome } = await resolve(ID, () => json(document, { 'content-type': type }));
      expect(outcome).toMatchObject({ ok: false, reason: 'document_refused' });
    },
  );

  test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/client+json'])(
    'but "%s" is one',
    async (type) => {
      expect((await resolve(ID, () => json(document, { 'content-type': type }))).outcome.ok).toBe(true);
    },
  );

  test.each([
    ['S3: to another public host', 'https://evil.example/target.json'],
    ['S3: to the metadata service', 'http://169.254.169.254/latest'],
    ['S3: to loopback', 'http://127.0.0.1/'],
    ['S3, D5: to itself with a query', `${ID}?x=1`],
    ['S3: to nowhere', 'http://'],
  ])('a redirect %s is not followed', async (_, location) => {
    const { outcome, asked } = await resolve(ID, () => new Response(null, { status: 302, headers: { location } }));
    expect(outcome).toMatchObject({ ok: false, reason: 'document_unreachable' });
    expect(asked).toEqual([ID]);
  });

  test('S5: more than 5 KB', async () => {
    expect((await resolve(ID, () => json({ ...document, x: 'y'.repeat(5_120) }))).outcome).toMatchObject({
      ok: false,
      reason: 'document_refused',
    });
  });

  test('S5: a bomb stops when its budget is over', async () => {
    let chunks = 0;
    const bomb = (): Response =>
      new Response(
        new ReadableStream({
          pull(controller) {
            chunks += 1;
            controller.enqueue(new Uint8Array(65_536));
          },
        }),
        { headers: { 'content-type': 'application/json' } },
      );
    expect((await resolve(ID, bomb)).outcome.ok).toBe(false);
    expect(chunks).toBeLessThan(10);
  });

  test.each([
    ['no JSON', '{'],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['an array', '[]'],
    ['null', 'null'],
  ])('%s', async (_, body) => {
    const { outcome } = await resolve(
      ID,
      () => new Response(body, { headers: { 'content-type': 'application/json' } }),
    );
    expect(outcome).toMatchObject({ ok: false, reason: 'document_invalid' });
  });

  test('an unreachable host', async () => {
    const { outcome } = await resolve(ID, () => Promise.reject(new TypeError('refused')));
    expect(outcome).toMatchObject({ ok: false, reason: 'document_unreachable' });
  });
});

describe('documents that are refused', () => {
  test.each([
    ['another client_id', { client_id: 'https://app.example/other.json' }],
    ['client_id with a slash more', { client_id: `${ID}/` }],
    ['no client_id', { client_id: undefined }],
    ['no name', { client_name: undefined }],
    ['N6: a name with a bidirectional override', { client_name: 'Desk\u202E' }],
    ['a long name', { client_name: 'x'.repeat(81) }],
    ['no redirect URIs', { redirect_uris: undefined }],
    ['no redirect URI', { redirect_uris: [] }],
    ['a script as redirect', { redirect_uris: ['https://app.example/cb', 'javascript:alert(1)'] }],
    ['remote http as redirect', { redirect_uris: ['http://app.example/cb'] }],
    ['only the scheme of an app', { redirect_uris: ['app:/cb'] }],
    ['a secret', { client_secret: 'x' }],
    ['an expiry of a secret', { client_secret_expires_at: 0 }],
    ['a shared secret as its method', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['only machine grants', { grant_types: ['client_credentials'] }],
    ['only the implicit response', { response_types: ['token'] }],
    ['private_key_jwt without keys', { token_endpoint_auth_method: 'private_key_jwt' }],
    [
      'jwks and jwks_uri',
      { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key] }, jwks_uri: 'https://app.example/jwks' },
    ],
    ['an empty jwks', { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [] } }],
    ['a private key', { jwks: { keys: [{ ...key, d: 'x' }] } }],
    ['a symmetric key', { jwks: { keys: [{ kty: 'oct', k: 'x' }] } }],
    [
      'an algorithm with a shared secret',
      {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'HS256',
        jwks: { keys: [key] },
      },
    ],
    [
      'S7: jwks_uri inside',
      { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://169.254.169.254/jwks' },
    ],
    ['S7: jwks_uri over http', { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'http://app.example/jwks' }],
    [
      'S7: jwks_uri on another port',
      { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://app.example:8443/jwks' },
    ],
    [
      'a method that is not among those offered',
      { token_endpoint_auth_method: 'none', token_endpoint_auth_methods_supported: ['private_key_jwt'] },
    ],
    ['a logo-like script as home page', { client_uri: 'javascript:alert(1)' }],
  ])('%s', async (_, over) => {
    expect(await reasonOf(over)).toMatch(/^document_invalid: /);
  });

  test('and what they said is not repeated', async () => {
    expect(await reasonOf({ client_name: 'EVIL\u202E' })).not.toContain('EVIL');
  });
});

describe('how a client proves itself', () => {
  const authenticationOf = async (over: Record<string, unknown>) => {
    const { outcome } = await resolve(ID, () => json({ ...document, ...over }));
    return outcome.ok ? outcome.document.authentication : outcome.detail;
  };

  test('only by assertion, with keys in the document', async () => {
    expect(await authenticationOf({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key] } })).toEqual({
      methods: ['private_key_jwt'],
      keys: { algorithms: ['RS256', 'ES256'], jwks: { keys: [key] } },
    });
  });

  test('only by assertion, with keys elsewhere and one algorithm', async () => {
    expect(
      await authenticationOf({
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'ES256',
        jwks_uri: 'https://keys.example/jwks',
      }),
    ).toEqual({ methods: ['private_key_jwt'], keys: { algorithms: ['ES256'], jwksUri: 'https://keys.example/jwks' } });
  });

  test('either way, when the document offers both', async () => {
    const offer = { token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'], jwks: { keys: [key] } };
    expect(await authenticationOf(offer)).toMatchObject({ methods: ['none', 'private_key_jwt'] });
  });

  test('by nothing, when the document offers both but has no keys', async () => {
    const offer = { token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'] };
    expect(await authenticationOf(offer)).toEqual({ methods: ['none'] });
  });
});

describe('S9: a document is cached under its exact URL for as long as its headers say', () => {
  test.each([
    ['max-age=1200', 1_200_000],
    ['max-age=600', 660_000],
    ['public, max-age=3600', 3_600_000],
    ['max-age=999999999', 86_400_000],
    ['max-age="1200"', 1_200_000],
    ['max-age=0', 660_000],
    ['no-store', 660_000],
    ['max-age=600, no-cache', 660_000],
    ['private, max-age=600', 660_000],
    ['max-age=abc', 660_000],
    ['max-age=-1', 660_000],
    ['', 660_000],
  ])('%s', async (header, lifeMs) => {
    const { outcome } = await resolve(ID, () => json(document, { 'cache-control': header }));
    expect(outcome.ok && outcome.document.expiresAtMs - NOW_MS).toBe(lifeMs);
  });

  test('another query is another client', async () => {
    const { outcome } = await resolve(`${ID}?v=2`, () => json(document));
    expect(outcome).toMatchObject({ ok: false, reason: 'document_invalid' });
  });
});

describe('keys of a client', () => {
  const keys = async (uri: string, answer: Answer) => {
    const world = tools(answer);
    return { outcome: await resolveClientKeys(uri, world.tools), asked: world.asked };
  };
  const URI = 'https://keys.example/jwks';

  test('public keys are kept for five minutes at most', async () => {
    const { outcome } = await keys(URI, () => json({ keys: [key] }, { 'cache-control': 'max-age=86400' }));
    expect(outcome).toEqual({ ok: true, jwks: { keys: [key] }, expiresAtMs: NOW_MS + 300_000 });
  });

  test.each([
    ['a private key', { keys: [{ ...key, d: 'x' }] }],
    ['no keys', { keys: [] }],
    ['21 keys', { keys: Array.from({ length: 21 }, () => ({ kty: 'EC' })) }],
    ['no set', key],
  ])('%s are refused', async (_, body) => {
    expect((await keys(URI, () => json(body))).outcome).toMatchObject({ ok: false });
  });

  test('S7: an address inside is not asked', async () => {
    const { outcome, asked } = await keys('https://10.0.0.1/jwks', () => json({ keys: [key] }));
    expect(outcome).toMatchObject({ ok: false, reason: 'document_refused' });
    expect(asked).toEqual([]);
  });

  test('S7: a redirect is not followed', async () => {
    const { outcome, asked } = await keys(
      URI,
      () => new Response(null, { status: 301, headers: { location: 'https://evil.example/' } }),
    );
    expect(outcome).toMatchObject({ ok: false });
    expect(asked).toEqual([URI]);
  });
});
