import type { Attack, Scene } from './attack.ts';
import { REDIRECT_URI } from './oauth.ts';

const BURST = 60;

/** Registers as a caller of its own. */
async function registration({ world }: Scene, metadata: unknown, caller = '198.51.100.20') {
  const answer = await fetch(world.as.registration_endpoint ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': caller },
    body: JSON.stringify(metadata),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const registered = (name: string, changes: Record<string, unknown> = {}) => ({
  client_name: name,
  redirect_uris: [REDIRECT_URI],
  token_endpoint_auth_method: 'none',
  ...changes,
});

/** Status and error of each registration. */
async function registrations(scene: Scene, changes: Record<string, unknown>[], caller: string) {
  const answers = await Promise.all(
    changes.map((change, index) => registration(scene, registered(`Attacker ${index}`, change), caller)),
  );
  return answers.map(({ status, body }) => `${status} ${String(body['error'])}`);
}

export const registrationAttacks: Attack[] = [
  {
    id: 'G1',
    what: 'a burst of registrations: a few, then 429',
    attack: async (scene) => {
      const answers = await Promise.all(
        Array.from({ length: BURST }, (_, index) => registration(scene, registered(`Burst ${index}`), '198.51.100.66')),
      );
      const made = answers.filter(({ status }) => status === 201).length;
      return { made: made > 0 && made < BURST, rest: answers.every(({ status }) => status === 201 || status === 429) };
    },
    refused: { made: true, rest: true },
  },
  {
    id: 'G2',
    what: 'names and documents that are too large',
    attack: async (scene) => [
      await registrations(
        scene,
        [{ client_name: 'x'.repeat(81) }, { client_uri: `https://a.example/${'x'.repeat(3000)}` }],
        '198.51.100.21',
      ),
      (await registration(scene, registered('x'.repeat(500_000)), '198.51.100.21')).status,
    ],
    refused: [['400 invalid_client_metadata', '400 invalid_client_metadata'], 413],
  },
  {
    id: 'G3',
    what: 'redirect URIs of schemes that run or leak',
    attack: (scene) =>
      registrations(
        scene,
        [
          'javascript:alert(1)',
          'data:text/html,x',
          'http://app.example/callback',
          'com.example.app:/callback',
          'https://*.example/callback',
          'https://app.example/#x',
          'https://user@app.example/',
        ].map((uri) => ({ redirect_uris: [uri] })),
        '198.51.100.22',
      ),
    refused: Array.from({ length: 7 }, () => '400 invalid_redirect_uri'),
  },
  {
    id: 'G4',
    what: 'metadata URIs that a page would load or follow',
    attack: (scene) =>
      registrations(
        scene,
        [{ logo_uri: 'javascript:alert(1)' }, { client_uri: 'data:text/html,x' }, { tos_uri: 'file:///etc/passwd' }],
        '198.51.100.23',
      ),
    refused: Array.from({ length: 3 }, () => '400 invalid_client_metadata'),
  },
  {
    id: 'G5',
    what: 'the same metadata over and over is one client',
    attack: async (scene) => {
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => registration(scene, registered('The same'), '198.51.100.24')),
      );
      return new Set(answers.map(({ body }) => body['client_id'])).size;
    },
    refused: 1,
  },
  {
    id: 'G6',
    what: 'a software_statement that nobody verified vouches for nothing',
    attack: async (scene) => {
      const claims = Buffer.from(JSON.stringify({ client_name: 'The Bank' })).toString('base64url');
      const { status, body } = await registration(
        scene,
        registered('Statement', { software_statement: `eyJhbGciOiJub25lIn0.${claims}.` }),
        '198.51.100.25',
      );
      return { status, name: body['client_name'], statement: 'software_statement' in body };
    },
    refused: { status: 201, name: 'Statement', statement: false },
  },
  {
    id: 'G7',
    what: 'grants that no person consents to',
    attack: (scene) =>
      registrations(
        scene,
        [
          { grant_types: ['client_credentials'] },
          { grant_types: ['authorization_code', 'implicit'], response_types: ['token'] },
          { grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'] },
          { grant_types: ['password'] },
        ],
        '198.51.100.26',
      ),
    refused: Array.from({ length: 4 }, () => '400 invalid_client_metadata'),
  },
];
