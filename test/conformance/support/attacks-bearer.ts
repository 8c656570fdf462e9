import type { TokenEndpointResponse } from 'oauth4webapi';
import { type Attack, reach, request, type Scene, tokenAnswer } from './attack.ts';
import { grant, refresh, SIBLING } from './oauth.ts';

const INVALID_GRANT = { status: 400, error: 'invalid_grant' };
const INVALID_TARGET = { status: 400, error: 'invalid_target' };
const OK = { status: 200, error: null };
const BAD_TOKEN = { status: 401, error: 'invalid_token' };
const NO_TOKEN = { status: 401, error: null };
const MALFORMED = { status: 400, error: 'invalid_request' };

const tokensOf = async (answer: Response): Promise<TokenEndpointResponse> =>
  (await answer.json()) as TokenEndpointResponse;

const transport: Attack[] = [
  {
    id: 'T1',
    what: 'a token in the query',
    attack: (scene) =>
      reach(scene, undefined, { url: `${scene.world.resource}?access_token=${scene.grant.tokens.access_token}` }),
    refused: NO_TOKEN,
  },
  {
    id: 'T2',
    what: 'a token in a form body',
    attack: (scene) =>
      reach(scene, undefined, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `access_token=${scene.grant.tokens.access_token}`,
      }),
    refused: NO_TOKEN,
  },
  {
    id: 'T3',
    what: 'a token in a cookie, and the session cookie of somebody signed in',
    attack: async (scene) => [
      await reach(scene, undefined, { headers: { cookie: `access_token=${scene.grant.tokens.access_token}` } }),
      await reach(scene, undefined, {
        headers: { cookie: [...scene.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      }),
    ],
    refused: [NO_TOKEN, NO_TOKEN],
  },
  {
    id: 'T4',
    what: 'two Authorization headers',
    attack: (scene) =>
      reach(scene, undefined, { headers: { authorization: `Bearer ${scene.grant.tokens.access_token}, Bearer x` } }),
    refused: MALFORMED,
  },
  {
    id: 'T5',
    what: 'the token under another scheme',
    attack: async (scene) => [
      await reach(scene, undefined, { headers: { authorization: `Basic ${scene.grant.tokens.access_token}` } }),
      await reach(scene, undefined, { headers: { authorization: `DPoP ${scene.grant.tokens.access_token}` } }),
      await reach(scene, undefined, { headers: { authorization: scene.grant.tokens.access_token } }),
    ],
    refused: [NO_TOKEN, NO_TOKEN, NO_TOKEN],
  },
  {
    id: 'T6',
    what: 'the scheme in lower case is the same scheme (RFC 9110)',
    attack: (scene) =>
      reach(scene, undefined, { headers: { authorization: `bearer ${scene.grant.tokens.access_token}` } }),
    refused: OK,
  },
  {
    id: 'T7',
    what: 'a token of 10 KB',
    attack: (scene) => reach(scene, 'a'.repeat(10_240)),
    refused: BAD_TOKEN,
  },
  {
    id: 'T9',
    what: 'the address of the consent page handed on to another site',
    attack: async (scene) => {
      const answer = await scene.browser.request((await request(scene)).url.href);
      return { referrer: answer.headers.get('referrer-policy'), caches: answer.headers.get('cache-control') };
    },
    refused: { referrer: 'no-referrer', caches: 'no-store' },
  },
];

/** A grant of its own, whose tokens an attack may end. */
const ownGrant = ({ world, browser }: Scene) => grant(world, browser);

const refreshes: Attack[] = [
  {
    id: 'F1',
    what: 'a refresh token used again within 30 seconds: the same request gets the same answer, another one nothing',
    attack: async (scene) => {
      const { client, tokens } = await ownGrant(scene);
      const old = tokens.refresh_token ?? '';
      const first = await tokensOf(await refresh(scene.world, client, old));
      const repeated = await tokensOf(await refresh(scene.world, client, old));
      const other = await tokenAnswer(await refresh(scene.world, client, old, { scope: 'audit:run' }));
      return {
        rotated: first.refresh_token !== old,
        same: repeated.refresh_token === first.refresh_token && repeated.access_token === first.access_token,
        other,
      };
    },
    refused: { rotated: true, same: true, other: INVALID_GRANT },
  },
  {
    id: 'F2',
    what: 'eight refreshes at once: one new generation',
    attack: async (scene) => {
      const { client, tokens } = await ownGrant(scene);
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => refresh(scene.world, client, tokens.refresh_token ?? '')),
      );
      const given = await Promise.all(answers.map(tokensOf));
      return new Set(given.map(({ refresh_token }) => refresh_token)).size;
    },
    refused: 1,
  },
  {
    id: 'F3',
    what: 'a refresh token used by another client',
    attack: async (scene) => {
      const { client, tokens } = await ownGrant(scene);
      const thief = await tokenAnswer(await refresh(scene.world, scene.stranger, tokens.refresh_token ?? ''));
      return [thief, (await refresh(scene.world, client, tokens.refresh_token ?? '')).status];
    },
    refused: [INVALID_GRANT, 200],
  },
  {
    id: 'F4',
    what: 'more scopes than were granted',
    attack: async (scene) => {
      const { client, tokens } = await ownGrant(scene);
      const scope = 'audit:run credits:use';
      return tokenAnswer(await refresh(scene.world, client, tokens.refresh_token ?? '', { scope }));
    },
    refused: { status: 400, error: 'invalid_scope' },
  },
  {
    id: 'F5',
    what: 'another resource',
    attack: async (scene) => {
      const { client, tokens } = await ownGrant(scene);
      return tokenAnswer(await refresh(scene.world, client, tokens.refresh_token ?? '', { resource: SIBLING }));
    },
    refused: INVALID_TARGET,
  },
  {
    id: 'F6',
    what: 'a grant that was revoked: refresh and access token are dead at once',
    attack: async (scene) => {
      const { client, tokens } = await ownGrant(scene);
      const token = tokens.refresh_token ?? '';
      const revoked = await fetch(scene.world.as.revocation_endpoint ?? '', {
        method: 'POST',
        body: new URLSearchParams({ token, client_id: client.client_id }),
      });
      return [
        revoked.status,
        await tokenAnswer(await refresh(scene.world, client, token)),
        await reach(scene, tokens.access_token),
      ];
    },
    refused: [200, INVALID_GRANT, BAD_TOKEN],
  },
  {
    id: 'F7',
    what: 'a rotation is still known after the machine has died under the store',
    attack: async (scene) => {
      const { client, tokens } = await ownGrant(scene);
      const next = await tokensOf(await refresh(scene.world, client, tokens.refresh_token ?? ''));
      await scene.stack.api.crash();
      const alive = await reach(scene, next.access_token);
      const scope = 'audit:run'; // Another request than the one that rotated: a thief's.
      const thief = await tokenAnswer(await refresh(scene.world, client, tokens.refresh_token ?? '', { scope }));
      return { alive, thief };
    },
    refused: { alive: OK, thief: INVALID_GRANT },
  },
];

export const bearerAttacks: Attack[] = [...transport, ...refreshes];
