import { generateKeyPair, SignJWT } from 'jose';
import { request } from 'node:http';
import { type Attack, callProtected, challengeOf, mcpHeaders, reach, rpc, rpcAnswer, type Scene } from './attack.ts';
import { moved, payment, TOOL } from './attacks-payments.ts';
import { fromFreshCaller } from './caller.ts';
import { connect, PAYMENT } from './mcp-client.ts';
import { startRecorder } from './recorder.ts';

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const ABORT_AFTER_MS = 1_500;
const SETTLE_WAIT_MS = 2_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const passthrough: Attack[] = [
  {
    id: 'X1',
    what: 'a token handed on: no site, redirect or facilitator sees the one that came in',
    attack: async (scene) => {
      const recorder = await startRecorder();
      try {
        const args = { url: recorder.url };
        const paid = await payment(scene, args);
        const token = scene.grant.tokens.access_token;
        const answer = await callProtected(scene, token, {
          headers: mcpHeaders('tools/call', TOOL),
          body: rpc('tools/call', { name: TOOL, arguments: args, _meta: { [PAYMENT]: paid } }),
        });
        const { result } = await rpcAnswer(answer);
        const asked = [...recorder.seen, ...scene.upstream.seen].join('\n');
        return {
          sold: result !== undefined && result['isError'] !== true,
          asked: recorder.seen.length > 1 && scene.upstream.seen.length > 1,
          leaked: asked.includes(token) || /authorization/i.test(asked),
        };
      } finally {
        await recorder.stop();
      }
    },
    refused: { sold: true, asked: true, leaked: false },
  },
  {
    id: 'X2',
    what: 'a token of another issuer, well signed and for this audience',
    attack: async (scene) => {
      const { privateKey } = await generateKeyPair('RS256');
      const token = await new SignJWT({ scope: 'audit:run', client_id: 'them' })
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: '1' })
        .setIssuer('https://accounts.google.com')
        .setAudience(scene.world.resource)
        .setExpirationTime('5m')
        .sign(privateKey);
      const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1] ?? ''}.`;
      return [await reach(scene, token), await reach(scene, unsigned)];
    },
    refused: [
      { status: 401, error: 'invalid_token' },
      { status: 401, error: 'invalid_token' },
    ],
  },
  {
    id: 'X3',
    what: 'a token that names who should be asked about it: nobody is',
    attack: async (scene) => {
      const recorder = await startRecorder();
      try {
        const { privateKey } = await generateKeyPair('RS256');
        const token = await new SignJWT({ scope: 'audit:run' })
          .setProtectedHeader({ alg: 'RS256', kid: '1', jku: `${recorder.url}/jwks` })
          .setIssuer(recorder.url)
          .setAudience(scene.world.resource)
          .sign(privateKey);
        const own = scene.grant.tokens.access_token.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
        const answers = [await reach(scene, token), await reach(scene, own)];
        return { answers: answers.map(({ status }) => status), asked: recorder.seen.length };
      } finally {
        await recorder.stop();
      }
    },
    refused: { answers: [401, 401], asked: 0 },
  },
];

/** Status and JSON-RPC error of a raw request to the open endpoint. */
async function raw({ world }: Scene, headers: Record<string, string>, body: string) {
  const answer = await fetch(`${world.base}/mcp`, {
    method: 'POST',
    headers: { ...fromFreshCaller(), ...headers },
    body,
  });
  const text = await answer.text();
  const code = /"code":(-?\d+)/.exec(text)?.[1];
  return { status: answer.status, code: code === undefined ? null : Number(code) };
}

const endpoint: Attack[] = [
  {
    id: 'Y1',
    what: "another site's page (Origin), and a name that was rebound to us (Host)",
    attack: async (scene) => {
      const headers = mcpHeaders('tools/list');
      const foreign = await raw(scene, { ...headers, origin: 'https://evil.example' }, rpc('tools/list'));
      const own = await raw(scene, { ...headers, origin: scene.world.base }, rpc('tools/list'));
      const token = await reach(scene, scene.grant.tokens.access_token, { headers: { origin: 'null' } });
      return {
        foreign: foreign.status,
        own: own.status,
        token: token.status,
        host: await plainPost(scene, { host: 'evil.example' }, rpc('tools/list')),
      };
    },
    refused: { foreign: 403, own: 200, token: 403, host: 403 },
  },
  {
    id: 'Y2',
    what: 'headers that say something else than the body',
    attack: (scene) =>
      Promise.all([
        raw(scene, mcpHeaders('resources/list'), rpc('tools/list')),
        raw(scene, mcpHeaders('tools/call', 'index'), rpc('tools/call', { name: TOOL, arguments: {} })),
        raw(scene, { ...mcpHeaders('tools/list'), 'mcp-protocol-version': '2025-06-18' }, rpc('tools/list')),
      ]),
    refused: Array.from({ length: 3 }, () => ({ status: 400, code: -32_020 })),
  },
  {
    id: 'Y3',
    what: "somebody else's task and somebody else's session",
    attack: async (scene) => {
      const task = await raw(
        scene,
        mcpHeaders('tasks/get', 'a'.repeat(32)),
        rpc('tasks/get', { taskId: 'a'.repeat(32) }),
      );
      const client = await connect(`${scene.world.base}/mcp`, 'legacy', { 'cf-connecting-ip': '198.51.100.30' });
      const session = (client.transport as { sessionId?: string } | undefined)?.sessionId ?? '';
      const thief = await fetch(`${scene.world.base}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': session,
          'mcp-protocol-version': '2025-11-25',
          'cf-connecting-ip': '198.51.100.31',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} }),
      });
      await thief.body?.cancel();
      const alive = (await client.listTools()).tools.length > 0;
      await client.close();
      return { task, session: session.length, thief: thief.status, alive };
    },
    refused: { task: { status: 404, code: -32_601 }, session: 32, thief: 404, alive: true },
  },
  {
    id: 'Y4',
    what: 'a request state that was made up',
    attack: async (scene) => {
      const call = { name: TOOL, arguments: { url: scene.stack.sites.good }, requestState: 'paid', inputResponses: {} };
      const answer = await fetch(`${scene.world.base}/mcp`, {
        method: 'POST',
        headers: mcpHeaders('tools/call', TOOL),
        body: rpc('tools/call', call),
      });
      const { result } = await rpcAnswer(answer);
      return { isError: result?.['isError'] ?? null, sold: 'report_id' in Object(result?.['structuredContent']) };
    },
    refused: { isError: true, sold: false },
  },
  {
    id: 'Y5',
    what: 'what belongs to one caller in a shared cache',
    attack: async (scene) => {
      const scopeOf = async (method: string): Promise<unknown> => {
        const answer = await callProtected(scene, scene.grant.tokens.access_token, {
          headers: mcpHeaders(method),
          body: rpc(method),
        });
        return (await rpcAnswer(answer)).result?.['cacheScope'];
      };
      return { reports: await scopeOf('resources/list'), tools: await scopeOf('tools/list') };
    },
    refused: { reports: 'private', tools: 'public' },
  },
  {
    id: 'Y6',
    what: 'a call beyond the scopes: one challenge with all that it needs',
    attack: async (scene) => {
      const answer = await callProtected(scene, scene.grant.tokens.access_token, {
        headers: mcpHeaders('tools/call', TOOL),
        body: rpc('tools/call', { name: TOOL, arguments: { url: scene.stack.sites.good } }),
      });
      await answer.body?.cancel();
      const challenge = challengeOf(answer);
      return { status: answer.status, error: challenge?.['error'], scope: challenge?.['scope']?.split(' ').toSorted() };
    },
    refused: { status: 403, error: 'insufficient_scope', scope: ['audit:run', 'credits:use'] },
  },
  {
    id: 'Y7',
    what: 'a batch, and a body of 4 MiB',
    attack: async (scene) => [
      (await raw(scene, mcpHeaders('tools/list'), `[${rpc('tools/list')},${rpc('tools/list', {}, 2)}]`)).status,
      await plainPost(scene, {}, rpc('tools/list', { pad: 'x'.repeat(MAX_BODY_BYTES) })),
    ],
    refused: [400, 413],
  },
  {
    id: 'Y8',
    what: 'a paid call that its client leaves: nothing is charged',
    attack: async (scene) => {
      const recorder = await startRecorder({ hangs: true });
      try {
        const args = { url: recorder.url };
        const paid = await payment(scene, args);
        return await moved(scene, async () => {
          const controller = new AbortController();
          const call = fetch(`${scene.world.base}/mcp`, {
            method: 'POST',
            signal: controller.signal,
            headers: mcpHeaders('tools/call', TOOL),
            body: rpc('tools/call', { name: TOOL, arguments: args, _meta: { [PAYMENT]: paid, progressToken: 1 } }),
          }).then((answer) => answer.text());
          const left = call.catch(() => 'left');
          await sleep(ABORT_AFTER_MS);
          controller.abort();
          await left;
          await sleep(SETTLE_WAIT_MS);
        });
      } finally {
        await recorder.stop();
      }
    },
    refused: 0n,
  },
];

/** Status of a request by a client that may set any Host, and that sends its body only once it was told to go on. */
function plainPost({ world }: Scene, headers: Record<string, string>, body: string): Promise<number | undefined> {
  const { hostname, port } = new URL(world.base);
  return new Promise((resolve, reject) => {
    const expected = { ...mcpHeaders('tools/list'), 'content-length': Buffer.byteLength(body), expect: '100-continue' };
    const sent = request(
      { hostname, port, path: '/mcp', method: 'POST', headers: { ...expected, ...headers } },
      (answer) => {
        resolve(answer.statusCode);
        answer.resume();
        sent.destroy();
      },
    );
    sent.on('continue', () => sent.end(body));
    sent.on('error', reject);
    sent.flushHeaders();
  });
}

export const endpointAttacks: Attack[] = [...passthrough, ...endpoint];
