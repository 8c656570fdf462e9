import { runInDurableObject } from 'cloudflare:test';
import { type Mock, vi } from 'vitest';

/** What the platform bills of a task, but for processor time and storage. An alarm that is set counts as fired. */
export type BilledOperations = {
  /** RPC calls and alarms of Durable Objects. */
  objectRequests: number;
  rowsWritten: number;
  rowsRead: number;
  /** Puts and deletes are class A, reads class B. */
  bucketWrites: number;
  bucketReads: number;
};

type Bindings = {
  namespace: object;
  /** An object of it, which opens the prototypes of storage. */
  object: DurableObjectStub;
  bucket?: object;
};

type Cursor = { rowsWritten: number; rowsRead: number };

/**
 * Counts while `task` runs, by the prototypes of the bindings: Worker, objects and tests share an isolate, so calls of
 * objects to each other count too. The caller restores all mocks afterwards.
 */
export async function countBilled(
  { namespace, object, bucket }: Bindings,
  task: () => Promise<unknown>,
): Promise<BilledOperations> {
  const cursors: Cursor[] = [];
  const counts = { calls: 0, alarms: 0, pairsWritten: 0, pairsRead: 0, bucketWrites: 0, bucketReads: 0 };
  const restore = [...countCalls(namespace, () => (counts.calls += 1))];
  await runInDurableObject(object, (_instance, { storage }) => {
    restore.push(
      watch(Object.getPrototypeOf(storage.sql) as object, 'exec', (cursor) => void cursors.push(cursor as Cursor)),
      watch(Object.getPrototypeOf(storage) as object, 'setAlarm', () => void (counts.alarms += 1)),
    );
    // Pairs of a name and a value are rows of a table of the platform.
    const pairs = Object.getPrototypeOf(storage.kv) as object;
    for (const name of ['put', 'delete']) restore.push(watch(pairs, name, () => void (counts.pairsWritten += 1)));
    restore.push(
      watch(pairs, 'get', () => void (counts.pairsRead += 1)),
      watch(pairs, 'list', (found) => {
        const rows = Array.from(found as Iterable<unknown>);
        counts.pairsRead += rows.length;
        return rows;
      }),
    );
  });
  if (bucket !== undefined) {
    const prototype = Object.getPrototypeOf(bucket) as object;
    for (const name of ['put', 'delete']) restore.push(watch(prototype, name, () => void (counts.bucketWrites += 1)));
    for (const name of ['get', 'head', 'list'])
      restore.push(watch(prototype, name, () => void (counts.bucketReads += 1)));
  }
  try {
    await task();
  } finally {
    for (const undo of restore) undo();
  }
  const [written, read] = [
    cursors.reduce((sum, cursor) => sum + cursor.rowsWritten, 0),
    cursors.reduce((sum, cursor) => sum + cursor.rowsRead, 0),
  ];
  return {
    objectRequests: counts.calls + counts.alarms,
    rowsWritten: written + counts.alarms + counts.pairsWritten,
    rowsRead: read + counts.pairsRead,
    bucketWrites: counts.bucketWrites,
    bucketReads: counts.bucketReads,
  };
}

type Undo = () => void;
type Methods = Record<string, (...given: unknown[]) => unknown>;

/** Lets each call of a method of a prototype go on, and hands over what came of it; what `seen` returns takes its place. */
function watch(prototype: object, name: string, seen: (outcome: unknown) => unknown): Undo {
  const methods = prototype as Methods;
  const original = methods[name];
  if (original === undefined) throw new Error(`there is no ${name}`);
  const spy: Mock = vi.spyOn(methods, name).mockImplementation(function (this: unknown, ...given: unknown[]) {
    const outcome: unknown = Reflect.apply(original, this, given);
    return seen(outcome) ?? outcome;
  });
  return () => spy.mockRestore();
}

/** Each stub that a namespace gives counts its calls. */
function countCalls(namespace: object, count: () => void): readonly Undo[] {
  const methods = Object.getPrototypeOf(namespace) as Methods;
  return ['get', 'getByName'].map((name) => {
    const original = methods[name];
    if (original === undefined) throw new Error(`a namespace has no ${name}`);
    const spy: Mock = vi.spyOn(methods, name).mockImplementation(function (this: unknown, ...given: unknown[]) {
      return countStub(Reflect.apply(original, this, given) as object, count);
    });
    return () => spy.mockRestore();
  });
}

const countStub = (stub: object, count: () => void): object =>
  new Proxy(stub, {
    get: (target, member) => {
      const value: unknown = Reflect.get(target, member);
      if (typeof value !== 'function' || member === 'then') return value;
      return (...given: unknown[]): unknown => {
        count();
        return Reflect.apply(value, target, given);
      };
    },
  });
