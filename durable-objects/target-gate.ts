import { DurableObject } from 'cloudflare:workers';
import { keep, KEPT_LIMITS, type KeptList, madeAtMs } from '../src/net/kept-results.ts';
import { admit, type Admission, type AuditKind, idleTarget, leave, type TargetState } from '../src/net/target-gate.ts';

const STATE = 'state';
const KEPT = 'kept';
/** An untouched gate deletes itself after its longest memory. */
const FORGET_MS = 3_600_000;

/** The gate in front of one audited host, named by it: all callers together must not hammer it through us (rule F6). */
export class TargetGate extends DurableObject<unknown> {
  async enter(id: string, kind: AuditKind = 'paid'): Promise<Admission> {
    const { admission, state } = admit(this.#read(), id, Date.now(), kind);
    this.ctx.storage.kv.put(STATE, state);
    await this.ctx.storage.setAlarm(Date.now() + FORGET_MS);
    return admission;
  }

  async leave(id: string): Promise<void> {
    this.ctx.storage.kv.put(STATE, leave(this.#read(), id, Date.now()));
  }

  /** Keeps the result of a free preview for who asks the same again. @param key a hash of what was asked */
  async keep(key: string, text: string): Promise<void> {
    if (text.length > KEPT_LIMITS.chars) return;
    const { kv } = this.ctx.storage;
    const { list, dropped } = keep(this.#kept(), key, Date.now());
    for (const old of dropped) kv.delete(resultKey(old));
    kv.put(resultKey(key), text);
    kv.put(KEPT, list);
    await this.ctx.storage.setAlarm(Date.now() + FORGET_MS);
  }

  /** The result of the same preview while it is fresh. */
  async recall(key: string): Promise<{ text: string; atMs: number } | undefined> {
    const atMs = madeAtMs(this.#kept(), key, Date.now());
    const text = atMs === undefined ? undefined : this.ctx.storage.kv.get<string>(resultKey(key));
    return atMs === undefined || text === undefined ? undefined : { text, atMs };
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  #read(): TargetState {
    return { ...idleTarget, ...this.ctx.storage.kv.get<TargetState>(STATE) };
  }

  #kept(): KeptList {
    return this.ctx.storage.kv.get<KeptList>(KEPT) ?? [];
  }
}

const resultKey = (key: string): string => `result:${key}`;
