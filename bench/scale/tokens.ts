import { registerHooks } from 'node:module';
import { MAX_REMEMBERED_TOKENS, REMEMBERED_MS } from '../../src/authorization/oauth/remembered-tokens.ts';
import { JWT_BEARER } from '../../src/authorization/oauth/resources.ts';
import { readSeal, TOKEN_SHARDS } from '../../src/authorization/shards/sealed-token.ts';
import { judgeCredential } from '../../src/rate-limits/token-gate.ts';
import { type Aim, atMost } from '../aims.ts';

const TOKENS = 10_000;
const CONTROL = 'https://control.sightline.test';
const SCOPE = 'https://www.googleapis.com/auth/admin.directory.user';

// The provider library names a base class of the runtime, which nothing that runs here uses.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'cloudflare:workers'
      ? { url: 'data:text/javascript,export class WorkerEntrypoint {}', shortCircuit: true }
      : next(specifier, context),
});

/**
 * 10,000 tokens of one tenant, got with one key of a service account, in shards over memory: how even they are spread, and
 * how many objects a check asks. Counted, not timed: no figure depends on the machine.
 */
export async function measureTokens(log: (line: string) => void): Promise<{ aims: readonly Aim[] }> {
  const { tokenObjects } = await import('../../test/support/management/token-objects.ts');
  const { claimsOf, serviceWithKey, signed } = await import('../../test/support/management/machine-world.ts');
  const objects = tokenObjects();
  const { store, machine, calls } = objects;
  const world = { store, machine, nowS: () => Math.floor(store.now() / 1000) } as Parameters<typeof serviceWithKey>[0];
  const { file, key } = await serviceWithKey(world, { scopes: [SCOPE], tenant: 'C00000001', resources: [CONTROL] });
  const router = objects.makeRouter();
  const tokens: string[] = [];
  for (let count = 0; count < TOKENS; count += 1) {
    const assertion = await signed({ ...claimsOf(world, file), jti: `${count}` }, key, { kid: file.private_key_id });
    const body = new URLSearchParams({ grant_type: JWT_BEARER, assertion }).toString();
    const contentType = 'application/x-www-form-urlencoded';
    const outcome = await router.token({ contentType, authorization: null, body });
    if (outcome.kind !== 'answer' || outcome.status !== 200) throw new Error(JSON.stringify(outcome));
    tokens.push((JSON.parse(outcome.body) as { access_token: string }).access_token);
  }
  const issued = countCalls(calls) / TOKENS;
  const perShard = Map.groupBy(tokens, readShard);
  const fullest = Math.max(...Array.from(perShard.values(), ({ length }) => length));
  const emptiest = Math.min(...Array.from({ length: TOKEN_SHARDS }, (_, shard) => perShard.get(shard)?.length ?? 0));

  const check = async (token: string): Promise<void> => {
    const question = { judge: router, url: CONTROL, caller: 'bench', mayRecall: true };
    const judged = await judgeCredential(`Bearer ${token}`, question);
    if (judged.kind !== 'valid') throw new Error(judged.kind);
  };
  const countChecks = async (): Promise<number> => {
    calls.clear();
    for (const token of tokens) await check(token);
    return countCalls(calls) / TOKENS;
  };
  // The isolate's clock stands still: on a slow machine nothing is forgotten between the two.
  const realNow = Date.now;
  const startMs = store.now();
  Date.now = () => startMs;
  const asked = await countChecks();
  const atRoot = calls.get('root') ?? 0;
  const remembered = await countChecks();
  Date.now = () => startMs + REMEMBERED_MS;
  const after = await countChecks();
  Date.now = realNow;

  log(
    `tokens: ${TOKENS} in ${perShard.size} shards, fullest ${fullest}, emptiest ${emptiest}; an isolate remembers ${MAX_REMEMBERED_TOKENS}`,
  );
  log(
    `object calls: ${issued} a token made; ${asked} a check not remembered, ${remembered} remembered, ${after} ten seconds later`,
  );
  return {
    aims: [
      atMost('tokens, fullest shard against even', fullest / (TOKENS / TOKEN_SHARDS), 2, 'x'),
      atMost('tokens, even against emptiest shard', TOKENS / TOKEN_SHARDS / emptiest, 2, 'x'),
      atMost('tokens, object calls of a remembered check', remembered, 0, ''),
      atMost('tokens, object calls of a check not remembered', asked, 1, ''),
      atMost('tokens, calls of the root by 10,000 checks', atRoot, 0, ''),
    ],
  };
}

const countCalls = (calls: ReadonlyMap<string, number>): number =>
  [...calls.values()].reduce((sum, count) => sum + count, 0);

function readShard(token: string): number {
  const seal = readSeal(token);
  if (seal.kind !== 'sealed') throw new Error('a token without a seal');
  return seal.shard;
}
