import { generateRandomCodeVerifier, type TokenEndpointResponse } from 'oauth4webapi';
import { formsOf } from './browser.ts';
import { type Attack, authorize, postToken, reach, request, type Scene, tokenAnswer } from './attack.ts';
import { allow, grant, REDIRECT_URI, register, responseOf, SIBLING, signedInBrowser, type Started } from './oauth.ts';

const INVALID_GRANT = { status: 400, error: 'invalid_grant' };
const INVALID_TARGET = { status: 400, error: 'invalid_target' };
const BAD_TOKEN = { status: 401, error: 'invalid_token' };
const PARALLEL = 5;

/** A code that was consented to, with its request. */
async function freshCode(scene: Scene): Promise<{ started: Started; parameters: URLSearchParams; code: string }> {
  const { world, browser } = scene;
  const { client } = scene;
  const started = await request(scene);
  const parameters = responseOf(world, client, started, await allow(browser, started));
  return { started, parameters, code: parameters.get('code') ?? '' };
}

/** The form that redeems a code, but for `changes`. */
const redemption = (
  scene: Scene,
  { started, code }: { started: Started; code: string },
  changes: Record<string, string | undefined> = {},
): Record<string, string> => {
  const form: Record<string, string | undefined> = {
    grant_type: 'authorization_code',
    client_id: scene.client.client_id,
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: started.verifier,
    resource: scene.world.resource,
    ...changes,
  };
  return Object.fromEntries(Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined));
};

/** Tries to redeem a code wrongly, and then whether its own client still can: a thief must not burn it. */
async function stolen(scene: Scene, changes: Record<string, string | undefined>) {
  const fresh = await freshCode(scene);
  const attacked = await tokenAnswer(await postToken(scene, redemption(scene, fresh, changes)));
  const after = await postToken(scene, redemption(scene, fresh));
  return [attacked, after.status];
}

const tokensOf = async (answer: Response): Promise<TokenEndpointResponse> =>
  (await answer.json()) as TokenEndpointResponse;

const codes: Attack[] = [
  {
    id: 'K1',
    what: 'a code redeemed five times at once, and once more: one success, whose tokens die',
    attack: async (scene) => {
      const fresh = await freshCode(scene);
      const answers = await Promise.all(
        Array.from({ length: PARALLEL }, () => postToken(scene, redemption(scene, fresh))),
      );
      const [won, ...others] = answers.filter(({ status }) => status === 200);
      const first = await tokensOf(won ?? Response.json({}));
      const again = await tokenAnswer(await postToken(scene, redemption(scene, fresh)));
      return { others: others.length, again, first: await reach(scene, first.access_token) };
    },
    refused: { others: 0, again: INVALID_GRANT, first: BAD_TOKEN },
  },
  {
    id: 'K2',
    what: 'a code redeemed by another client, which does not burn it',
    attack: (scene) => stolen(scene, { client_id: scene.stranger.client_id }),
    refused: [INVALID_GRANT, 200],
  },
  {
    id: 'K3',
    what: 'a code redeemed with another redirect URI',
    attack: (scene) => stolen(scene, { redirect_uri: 'http://127.0.0.1:41999/other' }),
    refused: [INVALID_GRANT, 200],
  },
  {
    id: 'K4',
    what: 'a code redeemed for another resource',
    attack: (scene) => stolen(scene, { resource: SIBLING }),
    refused: [INVALID_TARGET, 200],
  },
  {
    id: 'K6',
    what: 'a code redeemed after its access was taken back on the account page',
    attack: async (scene) => {
      const browser = await signedInBrowser(scene.world.base);
      const fresh = await freshCode({ ...scene, browser });
      const account = await browser.open('/account/access');
      const form = formsOf(account.html).find(({ action }) => action === '/account/revoke');
      if (form === undefined) throw new Error('the account page lists no access');
      await browser.submit(account, form);
      return tokenAnswer(await postToken(scene, redemption(scene, fresh)));
    },
    refused: INVALID_GRANT,
  },
  {
    id: 'K7',
    what: "an attacker's code put into the victim's session: her verifier does not fit",
    attack: async (scene) => {
      const theirs = await freshCode({ ...scene, browser: await signedInBrowser(scene.world.base) });
      return tokenAnswer(
        await postToken(scene, redemption(scene, theirs, { code_verifier: generateRandomCodeVerifier() })),
      );
    },
    refused: INVALID_GRANT,
  },
  {
    id: 'P4',
    what: 'no verifier and a wrong one, neither of which burns the code',
    attack: async (scene) => [
      await stolen(scene, { code_verifier: undefined }),
      await stolen(scene, { code_verifier: generateRandomCodeVerifier() }),
    ],
    refused: [
      [{ status: 400, error: 'invalid_request' }, 200],
      [INVALID_GRANT, 200],
    ],
  },
];

/** What an authorization request for another spelling of the resource leads to. */
async function aimedAt(scene: Scene, resource: string) {
  const seen = await authorize(scene, (await request(scene, { resource })).url);
  return 'error' in seen ? seen.error : seen.leads;
}

const audiences: Attack[] = [
  {
    id: 'U1',
    what: 'a token for a sibling resource of the same server',
    attack: async (scene) => {
      const { world, browser } = scene;
      const client = await register(world);
      const sibling = { ...world, resource: SIBLING };
      const { tokens } = await grant(sibling, browser, { client });
      return reach(scene, tokens.access_token);
    },
    refused: BAD_TOKEN,
  },
  {
    id: 'U2',
    what: 'the origin above the resource',
    attack: (scene) => aimedAt(scene, scene.world.base),
    refused: 'invalid_target',
  },
  {
    id: 'U3',
    what: 'a slash behind the resource',
    attack: (scene) => aimedAt(scene, `${scene.world.resource}/`),
    refused: 'invalid_target',
  },
  {
    id: 'U4',
    what: 'scheme and host in capitals are the same resource (RFC 3986): the token is for the canonical one',
    attack: (scene) => aimedAt(scene, scene.world.resource.replace('http:', 'HTTP:')),
    refused: 'consent',
  },
  {
    id: 'U5',
    what: 'another port, and the one that the scheme would mean',
    attack: async (scene) => [
      await aimedAt(scene, 'http://localhost:80/mcp-account'),
      await aimedAt(scene, 'http://localhost/mcp-account'),
    ],
    refused: ['invalid_target', 'invalid_target'],
  },
  {
    id: 'U6',
    what: 'a query or a fragment behind the resource',
    attack: async (scene) => [
      await aimedAt(scene, `${scene.world.resource}?tenant=1`),
      await aimedAt(scene, `${scene.world.resource}#x`),
    ],
    refused: ['invalid_target', 'invalid_target'],
  },
  {
    id: 'U7',
    what: 'two resources at once: no token is for an array of them',
    attack: async (scene) => {
      const { url } = await request(scene);
      url.searchParams.append('resource', SIBLING);
      const fresh = await freshCode(scene);
      const form = [...Object.entries(redemption(scene, fresh)), ['resource', SIBLING]] as [string, string][];
      return [await authorize(scene, url), (await postToken(scene, form)).status];
    },
    refused: [{ status: 400, leads: 'nowhere' }, 400],
  },
  {
    id: 'U8',
    what: 'a token exchanged for one of another resource (RFC 8693)',
    attack: async (scene) =>
      (
        await postToken(scene, {
          grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
          client_id: scene.grant.client.client_id,
          subject_token: scene.grant.tokens.access_token,
          subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
          resource: SIBLING,
        })
      ).status,
    refused: 400,
  },
  {
    id: 'U9',
    what: 'the path in capitals: another resource, and no route',
    attack: async (scene) => [
      await aimedAt(scene, `${scene.world.base}/MCP-ACCOUNT`),
      await reach(scene, scene.grant.tokens.access_token, { url: `${scene.world.base}/MCP-ACCOUNT` }),
    ],
    refused: ['invalid_target', { status: 404, error: null }],
  },
];

export const tokenAttacks: Attack[] = [...codes, ...audiences];
