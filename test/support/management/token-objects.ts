import { createTokenKeyring } from '../../../src/authorization/oauth/sealing-keys.ts';
import { createMachineGrants } from '../../../src/authorization/service-accounts/machine.ts';
import { createNotices, type SendNotices } from '../../../src/authorization/shards/notices.ts';
import { createRoot, watchRootRows } from '../../../src/authorization/shards/root.ts';
import { createUseMemory } from '../../../src/authorization/service-accounts/last-uses.ts';
import { createTokenRouter, type TokenRouter } from '../../../src/authorization/shards/router.ts';
import { openToken, sealToken } from '../../../src/authorization/shards/sealed-token.ts';
import { createShard, type ShardObject } from '../../../src/authorization/shards/shard.ts';
import { ISSUER, RESOURCES, TOKEN_ENDPOINT } from './machine-world.ts';
import { memoryRows, memoryStore } from './memory-rows.ts';

/** Runs one task after the other, as an object does. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(task: () => Promise<T>): Promise<T> => {
    const mine = last.then(task);
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** The root and the shards over memory, each running what it is asked alone, and every call of one counted by its object. */
export function tokenObjects() {
  const store = memoryStore();
  const settings = { issuer: ISSUER, tokenEndpoint: TOKEN_ENDPOINT, resources: RESOURCES, otherAudiences: [] };
  const notices = createNotices(store);
  const watched = { ...store, rows: watchRootRows(store.rows, notices) };
  const machine = createMachineGrants(watched, settings);
  const keys = createTokenKeyring(store);
  const calls = new Map<string, number>();
  const down = new Set<number>();
  const shards = new Map<number, ShardObject>();

  const count = (name: string): void => void calls.set(name, (calls.get(name) ?? 0) + 1);
  const makeShard = (shard: number): ShardObject => {
    const rows = memoryRows(store.now);
    const inner = createShard({
      tools: { ...store, rows },
      issuer: ISSUER,
      resources: RESOURCES,
      machine: settings,
      onRefusal: () => undefined,
    });
    const turns = createTurns();
    const call =
      <A extends unknown[], T>(task: (...args: A) => Promise<T>) =>
      (...args: A): Promise<T> => {
        count(String(shard));
        return down.has(shard) ? Promise.reject(new Error('the shard is down')) : turns(() => task(...args));
      };
    return {
      adoptGrant: call(inner.adoptGrant),
      shardToken: call(inner.shardToken),
      shardAuthenticate: call(inner.shardAuthenticate),
      shardValidate: call(inner.shardValidate),
      heed: call(inner.heed),
    };
  };
  const shardOf = (shard: number): ShardObject => {
    const made = shards.get(shard) ?? makeShard(shard);
    shards.set(shard, made);
    return made;
  };
  const root = createRoot({ tools: store, notices, adopt: (shard, grant) => shardOf(shard).adoptGrant(grant) });
  const send: SendNotices = (shard, waiting) => shardOf(shard).heed(waiting);
  const asked = <T>(answer: T): T => {
    count('root');
    return answer;
  };

  /** As an isolate has it. */
  const isNewUse = createUseMemory(store.now);

  return {
    store,
    machine,
    calls,
    /** Shards that do not answer. */
    down,
    notices,
    deliver: () => notices.deliver(send),
    /** One Worker; there may be many. */
    makeRouter: (): TokenRouter =>
      createTokenRouter({
        root: {
          validate: async () => asked(null),
          token: async () => asked({ kind: 'answer', status: 500, headers: {}, body: '' }),
          readFacts: (request) => asked(root.readFacts(request)),
          forgetGrant: async (...args) => asked(root.forgetGrant(...args)),
          confirmOperator: async (...args) => asked(root.confirmOperator(...args)),
          renewClient: async (...args) => asked(root.renewClient(...args)),
          noteMachineUse: async () => asked(undefined),
        },
        shardOf,
        open: (token) => openToken(token, keys()),
        seal: (text, shard) => sealToken(text, shard, keys(), store.now()),
        random: store.random,
        mayBeOld: () => true,
        isNewUse,
      }),
  };
}
