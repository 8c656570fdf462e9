import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { JWT_BEARER } from '../../../src/authorization/oauth/resources.ts';
import { createTokenRouter, type RouterParts } from '../../../src/authorization/shards/router.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const made = { kind: 'answer' as const, status: 200, headers: {}, body: JSON.stringify({ access_token: 'slm_made' }) };
const operator = {
  props: { kind: 'operator' as const },
  audience: 'https://sightline.test/mcp-account',
  expiresAt: 4_000_000_000,
  scope: ['operator'],
  userId: 'ab'.repeat(16),
  clientId: 'client',
};

type Method = keyof RouterParts['root'] | keyof ReturnType<RouterParts['shardOf']>;

/** A router whose objects answer at once, but for one method that never does; `asked` settles when that is called. */
function routerWithout(hung: Method) {
  let reached = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const answers: Record<Method, unknown> = {
    validate: operator,
    token: made,
    readFacts: [],
    forgetGrant: undefined,
    confirmOperator: true,
    renewClient: undefined,
    noteMachineUse: undefined,
    shardToken: {
      outcome: made,
      endedGrant: { accountId: operator.userId, grantId: 'grant' },
      usedClient: 'client',
      usedMachine: 'machine',
    },
    shardAuthenticate: null,
    shardValidate: operator,
  };
  const answer = (method: Method) => {
    if (method !== hung) return Promise.resolve(answers[method]);
    reached();
    return new Promise(() => undefined);
  };
  const object = new Proxy({} as never, { get: (_, method: Method) => () => answer(method) });
  const router = createTokenRouter({
    root: object,
    shardOf: () => object,
    open: (token) => (token.includes('.') ? { kind: 'sealed', text: token, shard: 1 } : { kind: 'old' }),
    mayBeOld: () => true,
    seal: async (text) => `${text}.sealed`,
    random: () => '00000001',
  });
  const form = (fields: Record<string, string>) => ({
    contentType: 'application/x-www-form-urlencoded',
    authorization: null,
    body: String(new URLSearchParams(fields)),
  });
  return { asked, router, form };
}

const CALLS: Record<string, ({ router, form }: ReturnType<typeof routerWithout>) => Promise<unknown>> = {
  'a check of a token': ({ router }) => router.validate('a:b:c.seal', operator.audience),
  'a check of an older token': ({ router }) => router.validate('a:b:c', operator.audience),
  'a refresh': ({ router, form }) => router.token(form({ grant_type: 'refresh_token', refresh_token: 'a:b:c.seal' })),
  'an older refresh': ({ router, form }) => router.token(form({ grant_type: 'refresh_token', refresh_token: 'a:b:c' })),
  'a machine grant': ({ router, form }) => router.token(form({ grant_type: JWT_BEARER, assertion: 'x' })),
  'a signed refresh': ({ router, form }) =>
    router.token(form({ grant_type: 'refresh_token', refresh_token: 'a:b:c.seal', client_assertion: ASSERTION })),
};
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const ASSERTION = `${part({ alg: 'RS256' })}.${part({ iss: 'https://app.example/c', jti: 'one' })}.c2ln`;

test.each<[string, Method]>([
  ['a check of a token', 'shardValidate'],
  ['a check of a token', 'confirmOperator'],
  ['a check of an older token', 'validate'],
  ['a refresh', 'readFacts'],
  ['a refresh', 'shardToken'],
  ['a refresh', 'forgetGrant'],
  ['an older refresh', 'token'],
  ['a machine grant', 'shardToken'],
  ['a signed refresh', 'shardAuthenticate'],
])(
  '%s fails after five seconds when the answer to %s does not come, and says neither yes nor no',
  async (what, hung) => {
    const world = routerWithout(hung);
    const outcome = (CALLS[what] ?? (() => Promise.reject(new Error('no such call'))))(world).then(
      (value) => ({ value }),
      (error: unknown) => String(error),
    );
    let settled: unknown;
    void outcome.then((value) => (settled = value));
    await world.asked;
    await vi.advanceTimersByTimeAsync(4_999);
    expect(settled).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toBe('StoreUnreachable: a store of tokens did not answer: Late');
  },
);

test.each(['renewClient', 'noteMachineUse'] as const)(
  'tokens that a shard has made reach their holder, though the root does not answer %s',
  async (hung) => {
    const { asked, router, form } = routerWithout(hung);
    const outcome = router.token(form({ grant_type: 'refresh_token', refresh_token: 'a:b:c.seal' }));
    await asked;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await outcome).toMatchObject({ status: 200, body: '{"access_token":"slm_made.sealed"}' });
  },
);
