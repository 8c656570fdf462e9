import { DurableObject } from 'cloudflare:workers';
import {
  addStoredResult,
  KEPT_LIMITS,
  type StoredResultList,
  findCreatedAtMs,
  admitAudit,
  type AuditAdmission,
  type AuditKind,
  type DomainState,
  idleDomain,
  idleTarget,
  leave,
  type AuditTarget,
  type TargetState,
} from '../src/rate-limits/target-gate.ts';

const HOSTS = 'hosts';
/** Where objects of before domains were counted keep the state of the one host that they are named by. */
const STATE = 'state';
const KEPT = 'kept';
/** An untouched gate deletes itself after its longest memory. */
const FORGET_MS = 3_600_000;

/**
 * The gate in front of the hosts of one registrable domain, named by it: all callers together must not hammer them
 * through us (rule F6). Kept results are in the object of their host, which counts nothing unless it is the domain.
 */
export class TargetGate extends DurableObject<unknown> {
  /** @param target whose domain this object is named by */
  async enter(id: string, kind: AuditKind, target: AuditTarget): Promise<AuditAdmission> {
    const { admission, state } = admitAudit(this.#read(target.domain), { id, kind, target }, Date.now());
    this.#write(state);
    await this.ctx.storage.setAlarm(Date.now() + FORGET_MS);
    return admission;
  }

  async leave(id: string, { domain }: AuditTarget): Promise<void> {
    this.#write(leave(this.#read(domain), id, Date.now()));
  }

  /** Keeps the result of a free preview for who asks the same again. @param key a hash of what was asked */
  async keep(key: string, text: string): Promise<void> {
    if (text.length > KEPT_LIMITS.chars) return;
    const { kv } = this.ctx.storage;
    const { list, dropped } = addStoredResult(this.#kept(), key, Date.now());
    for (const old of dropped) kv.delete(buildResultKey(old));
    kv.put(buildResultKey(key), text);
    kv.put(KEPT, list);
    await this.ctx.storage.setAlarm(Date.now() + FORGET_MS);
  }

  /** The result of the same preview while it is fresh. */
  async recall(key: string): Promise<{ text: string; atMs: number } | undefined> {
    const atMs = findCreatedAtMs(this.#kept(), key, Date.now());
    const text = atMs === undefined ? undefined : this.ctx.storage.kv.get<string>(buildResultKey(key));
    return atMs === undefined || text === undefined ? undefined : { text, atMs };
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  #read(domain: string): DomainState {
    const { kv } = this.ctx.storage;
    const before = kv.get<Partial<TargetState>>(STATE);
    const first = before === undefined ? idleDomain : new Map([[domain, { ...idleTarget, ...before }]]);
    return kv.get<DomainState>(HOSTS) ?? first;
  }

  #write(state: DomainState): void {
    this.ctx.storage.kv.put(HOSTS, state);
    this.ctx.storage.kv.delete(STATE);
  }

  #kept(): StoredResultList {
    return this.ctx.storage.kv.get<StoredResultList>(KEPT) ?? [];
  }
}

const buildResultKey = (key: string): string => `result:${key}`;
