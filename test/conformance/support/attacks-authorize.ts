import { createServer, type AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { type Attack, authorize, pageAnswered, request, type Scene, strangerWith } from './attack.ts';
import { newBrowser } from './browser.ts';
import { allow, REDIRECT_URI } from './oauth.ts';
import { decide } from './person.ts';

const HTTPS_REDIRECT = 'https://app.example/callback';
const PAGE_400 = { status: 400, leads: 'nowhere' };
const CONSENT = { status: 200, leads: 'consent' };

/** Opens a request of a client with `HTTPS_REDIRECT` and the loopback one, with another redirect URI. */
async function redirecting(scene: Scene, redirect_uri: string) {
  const client = await strangerWith(scene, HTTPS_REDIRECT, REDIRECT_URI);
  return authorize(scene, (await request(scene, { redirect_uri }, client)).url);
}

/** An error that goes to the client, with our issuer (RFC 9207). */
const toClient = (error: string) => ({ leads: new URL(REDIRECT_URI).origin, error, iss: 'ours' });

/** An authorization request but for `changes`, with the issuer named `ours` where it is. */
async function changed(scene: Scene, changes: Record<string, string | undefined>) {
  return ownIssuer(scene, await authorize(scene, (await request(scene, changes)).url));
}

const ownIssuer = <T extends object>({ world }: Scene, seen: T): T =>
  'iss' in seen && seen.iss === world.as.issuer ? { ...seen, iss: 'ours' } : seen;

const redirects: Attack[] = [
  {
    id: 'O1',
    what: 'a redirect URI on another host',
    attack: (scene) => redirecting(scene, 'https://evil.example/callback'),
    refused: PAGE_400,
  },
  {
    id: 'O2',
    what: 'the registered host as a user name',
    attack: (scene) => redirecting(scene, 'https://app.example@evil.example/callback'),
    refused: PAGE_400,
  },
  {
    id: 'O3',
    what: 'a fragment behind the registered URI',
    attack: (scene) => redirecting(scene, `${HTTPS_REDIRECT}#evil`),
    refused: PAGE_400,
  },
  {
    id: 'O4',
    what: 'a query behind the registered URI',
    attack: (scene) => redirecting(scene, `${HTTPS_REDIRECT}?next=https://evil.example`),
    refused: PAGE_400,
  },
  {
    id: 'O5',
    what: 'a path that climbs out of the registered one',
    attack: (scene) => redirecting(scene, `${HTTPS_REDIRECT}/../../evil`),
    refused: PAGE_400,
  },
  {
    id: 'O6',
    what: 'a second redirect_uri after the right one',
    attack: async (scene) => {
      const { url } = await request(scene);
      return authorize(scene, `${url.href}&redirect_uri=${encodeURIComponent('https://evil.example/')}`);
    },
    refused: PAGE_400,
  },
  {
    id: 'O7',
    what: 'an error before the client is known, or that anybody can cause in a browser nobody signed in with: a page, never a redirect',
    attack: (scene) =>
      Promise.all([
        changed(scene, { client_id: 'nobody', response_type: 'token' }),
        changed(scene, { client_id: undefined }),
        changed(scene, { redirect_uri: undefined }),
        ...[{ scope: 'nonsense' }, { response_type: 'token' }, { code_challenge: undefined }].map((changes) =>
          changed({ ...scene, browser: newBrowser(scene.world.base) }, changes),
        ),
      ]),
    refused: Array.from({ length: 6 }, () => PAGE_400),
  },
  {
    id: 'O8',
    what: 'loopback: any port is the same client, localhost and 127.0.0.1 are not',
    attack: (scene) =>
      Promise.all([
        redirecting(scene, 'http://127.0.0.1:52000/callback'),
        redirecting(scene, 'http://localhost:41999/callback'),
        redirecting(scene, 'http://127.0.0.1:41999/other'),
      ]),
    refused: [CONSENT, PAGE_400, PAGE_400],
  },
  {
    id: 'O9',
    what: "an app's own scheme that was listed besides: no code ever goes there",
    attack: async (scene) => {
      const client = await strangerWith(scene, HTTPS_REDIRECT, 'com.example.app:/callback');
      const { url } = await request(scene, { redirect_uri: 'com.example.app:/callback' }, client);
      return authorize(scene, url);
    },
    refused: PAGE_400,
  },
];

const pkce: Attack[] = [
  {
    id: 'P1',
    what: 'no code_challenge',
    attack: (scene) => changed(scene, { code_challenge: undefined, code_challenge_method: undefined }),
    refused: toClient('invalid_request'),
  },
  {
    id: 'P2',
    what: 'code_challenge_method plain',
    attack: (scene) => changed(scene, { code_challenge_method: 'plain' }),
    refused: toClient('invalid_request'),
  },
  {
    id: 'P3',
    what: 'code_challenge_method left out, which would mean plain',
    attack: (scene) => changed(scene, { code_challenge_method: undefined }),
    refused: toClient('invalid_request'),
  },
  {
    id: 'P5',
    what: 'the challenge stripped on the way, so that any verifier would do: there is no grant without one',
    attack: async (scene) => {
      const { url } = await request(scene);
      url.searchParams.delete('code_challenge');
      return ownIssuer(scene, await authorize(scene, url));
    },
    refused: toClient('invalid_request'),
  },
  {
    id: 'P6',
    what: 'challenges of the wrong length or alphabet',
    attack: (scene) =>
      Promise.all(
        ['abc', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}+`, `${'a'.repeat(42)}=`].map((code_challenge) =>
          changed(scene, { code_challenge }),
        ),
      ),
    refused: [1, 2, 3, 4, 5].map(() => toClient('invalid_request')),
  },
];

const mixUp: Attack[] = [
  {
    id: 'M1',
    what: 'every answer names its issuer: success, denial and error',
    attack: async (scene) => {
      const success = await allow(scene.browser, await request(scene));
      const denied = await decide(scene.browser, await scene.browser.open((await request(scene)).url.href), 'deny');
      return [
        ownIssuer(scene, pageAnswered(success)),
        ownIssuer(scene, pageAnswered(denied)),
        await changed(scene, { response_type: 'token' }),
      ];
    },
    refused: [
      { leads: new URL(REDIRECT_URI).origin, error: null, iss: 'ours' },
      toClient('access_denied'),
      toClient('unsupported_response_type'),
    ],
  },
  {
    id: 'M3',
    what: 'metadata of an issuer that is not ours: the document names exactly us, and there is none below another path',
    attack: async ({ world }) => {
      const place = `${world.base}/.well-known/oauth-authorization-server`;
      const own = (await (await fetch(place)).json()) as { issuer: string };
      return { issuer: own.issuer === world.base, suffixed: (await fetch(`${place}/evil`)).status };
    },
    refused: { issuer: true, suffixed: 404 },
  },
];

const asClient = (scene: Scene, client_id: string) => changed(scene, { client_id });

/** Answers for clients that claim to be published by each host, and how often a port of this machine was dialled. */
async function publishedBy(scene: Scene, hosts: readonly string[]) {
  const dialled: unknown[] = [];
  const server = createServer((socket) => {
    dialled.push(socket);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  const urls = hosts.flatMap((host) => [`https://${host}/client.json`, `https://${host}:${port}/client.json`]);
  const answers = await Promise.all(urls.map((url) => asClient(scene, url)));
  await new Promise((resolve) => server.close(resolve));
  return { refused: answers.filter((answer) => isDeepStrictEqual(answer, PAGE_400)).length, dialled: dialled.length };
}

const documents: Attack[] = [
  {
    id: 'S1',
    what: 'addresses that are no public ones as the host of a metadata document: none is dialled',
    attack: (scene) =>
      publishedBy(scene, [
        '169.254.169.254',
        '10.0.0.1',
        '127.0.0.1',
        '[::1]',
        '[::ffff:127.0.0.1]',
        '[fd00::1]',
        '2130706433',
        '0x7f000001',
        '0177.0.0.1',
      ]),
    refused: { refused: 18, dialled: 0 },
  },
  {
    id: 'S2',
    what: 'names that mean this machine or this network: none is dialled',
    attack: (scene) =>
      publishedBy(scene, ['localhost', 'app.localhost', 'metadata.google.internal', 'printer.local', 'intranet']),
    refused: { refused: 10, dialled: 0 },
  },
  {
    id: 'S4',
    what: 'ports of other services, and no TLS',
    attack: (scene) =>
      Promise.all(
        [
          'https://app.example:22/client.json',
          'https://app.example:6379/client.json',
          'http://app.example/client.json',
        ].map((client) => asClient(scene, client)),
      ),
    refused: [PAGE_400, PAGE_400, PAGE_400],
  },
  {
    id: 'S6',
    what: 'our own origin as the publisher of a client',
    attack: (scene) => asClient(scene, `${scene.world.base.replace('http:', 'https:')}/openapi.json`),
    refused: PAGE_400,
  },
];

export const authorizeAttacks: Attack[] = [...redirects, ...pkce, ...mixUp, ...documents];
