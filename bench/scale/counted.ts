// Counts what a Worker asks of the platform: calls of its objects by class, name and method where they arrive, with the
// rows that each reads and writes, and operations of buckets and queues. The bindings are the real ones.

type Row = { class: string; name: string; method: string };
export type CountedCall = Row & { rowsRead: number; rowsWritten: number };
/** `served`: what the objects of this Worker did. `operations`: messages, operations and bytes by binding. */
export type Counted = { served: readonly CountedCall[]; operations: Readonly<Record<string, number>> };

/** A call of an object that runs: what its storage does meanwhile is its own. */
type Running = { cursors: { rowsRead: number; rowsWritten: number }[]; alarms: number };

const rows: CountedCall[] = [];
const operations: Record<string, number> = {};
const running = new WeakMap<object, Running[]>();
const served = new WeakMap<object, { list: Running[]; name: string }>();
const wrapped = new WeakMap<object, object>();
const patched = new WeakSet();

const count = (name: string, by = 1): void => {
  operations[name] = (operations[name] ?? 0) + by;
};

/** What was counted since it was last asked. */
export function takeCounts(): Counted {
  const taken = { served: rows.splice(0), operations: { ...operations } };
  for (const name of Object.keys(operations)) delete operations[name];
  return taken;
}

type Method = (...given: unknown[]) => unknown;

/** The same environment, whose buckets and queues count. */
export function countEnv<T extends object>(env: T): T {
  const known = wrapped.get(env);
  if (known !== undefined) return known as T;
  const entries = Object.entries(env).map(([name, value]) => [name, wrapBinding(name, value)] as const);
  const made = Object.fromEntries(entries);
  wrapped.set(env, made);
  wrapped.set(made, made);
  return made as T;
}

function wrapBinding(name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('sendBatch' in value)
    return countMethods(name, value, { send: () => 1, sendBatch: (list) => [...(list as [])].length });
  if ('createMultipartUpload' in value)
    return countMethods(name, value, { put: () => 1, get: () => 1, head: () => 1, list: () => 1 });
  return value;
}

function countMethods(name: string, binding: object, methods: Record<string, (first: unknown) => number>): object {
  return new Proxy(binding, {
    get(target, key) {
      const member = Reflect.get(target, key) as unknown;
      const by = typeof key === 'string' && Object.hasOwn(methods, key) ? methods[key] : undefined;
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) => {
        if (by) count(`${name}.${String(key)}`, by(given[0]));
        if (key === 'put') count(`${name}.bytes`, sizeOf(given[1]));
        return Reflect.apply(member as Method, target, given);
      };
    },
  });
}

const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? value.byteLength : 0;
};

type Storage = { sql: { exec: Method }; kv: { get: Method; put: Method }; setAlarm: Method };
type State = { id: { name?: string; toString: () => string }; storage: Storage };
// The base class of an object takes exactly these, and so do those that are made of it.
type ObjectClass = new (state: never, env: never) => object;

/** A class of objects that counts the calls that it serves, and the rows that each reads and writes. */
export function countObject<T extends ObjectClass>(className: string, Base: T): T {
  const Parent = Base as unknown as new (state: State, env: object) => object;
  class Counting extends Parent {
    constructor(state: State, env: object) {
      super(state, countEnv(env));
      patchStorage(state.storage);
      const list: Running[] = [];
      running.set(state.storage.sql, list);
      running.set(state.storage, list);
      running.set(state.storage.kv, list);
      served.set(this, { list, name: state.id.name ?? String(state.id) });
    }

    static serve(self: Counting, method: string, run: () => unknown): unknown {
      const about = served.get(self);
      if (about === undefined) return run(); // Its own constructor calls it.
      const { list, name } = about;
      const mine: Running = { cursors: [], alarms: 0 };
      list.push(mine);
      const end = (): void => {
        list.splice(list.indexOf(mine), 1);
        const sum = (key: 'rowsRead' | 'rowsWritten') => mine.cursors.reduce((all, cursor) => all + cursor[key], 0);
        rows.push({
          class: className,
          name,
          method,
          rowsRead: sum('rowsRead'),
          rowsWritten: sum('rowsWritten') + mine.alarms,
        });
      };
      try {
        const result = run();
        if (result instanceof Promise) return result.finally(end);
        end();
        return result;
      } catch (error) {
        end();
        throw error;
      }
    }
  }
  for (let level: object = Base.prototype as object; level !== null; level = Object.getPrototypeOf(level) as object) {
    for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (key === 'constructor' || typeof value !== 'function' || Object.hasOwn(Counting.prototype, key)) continue;
      if (Object.getPrototypeOf(level) === Object.prototype || level === Object.prototype) continue;
      Object.defineProperty(Counting.prototype, key, {
        configurable: true,
        value(this: Counting, ...given: unknown[]) {
          return Counting.serve(this, key, () => (value as Method).apply(this, given));
        },
      });
    }
  }
  return Counting as unknown as T;
}

/** An entrypoint of a Worker whose environment counts. */
export function countEntrypoint<T extends ObjectClass>(Base: T): T {
  const Parent = Base as unknown as new (context: object, env: object) => object;
  return class extends Parent {
    constructor(context: object, env: object) {
      super(context, countEnv(env));
    }
  } as unknown as T;
}

const SCHEMA = /^\s*(?:CREATE|ALTER|PRAGMA)\b/i;

/** All objects of an isolate share these methods: they are replaced once. */
function patchStorage(storage: Storage): void {
  const sql = Object.getPrototypeOf(storage.sql) as Storage['sql'];
  const base = Object.getPrototypeOf(storage) as Storage;
  if (patched.has(sql)) return;
  patched.add(sql);
  const { exec } = sql;
  sql.exec = function (this: object, ...given) {
    const cursor = exec.apply(this, given) as Running['cursors'][number];
    // What an object does once in its life is no part of a call.
    if (!SCHEMA.test(String(given[0]))) running.get(this)?.at(0)?.cursors.push(cursor);
    return cursor;
  };
  const kv = Object.getPrototypeOf(storage.kv) as Storage['kv'];
  const { get, put } = kv;
  kv.get = function (this: object, ...given) {
    running.get(this)?.at(0)?.cursors.push({ rowsRead: 1, rowsWritten: 0 });
    return get.apply(this, given);
  };
  kv.put = function (this: object, ...given) {
    running.get(this)?.at(0)?.cursors.push({ rowsRead: 0, rowsWritten: 1 });
    return put.apply(this, given);
  };
  const { setAlarm } = base;
  base.setAlarm = function (this: object, ...given) {
    const first = running.get(this)?.at(0);
    if (first) first.alarms += 1;
    return setAlarm.apply(this, given);
  };
}

type Handler = (request: Request, env: never, context: never) => Response | Promise<Response>;
export const COUNTS_PATH = '/bench/counts';

/** A Worker whose environment counts, and which tells at `COUNTS_PATH` what was counted. */
export function countWorker<T extends { fetch: unknown }>(worker: T): T {
  const counting: Record<string, unknown> = {};
  for (const [name, handler] of Object.entries(worker)) {
    counting[name] = (input: unknown, env: object, context: unknown) => {
      if (name === 'fetch' && new URL((input as Request).url).pathname === COUNTS_PATH)
        return Response.json(takeCounts());
      return (handler as (...given: unknown[]) => unknown)(input, countEnv(env), context);
    };
  }
  return counting as unknown as T & { fetch: Handler };
}
