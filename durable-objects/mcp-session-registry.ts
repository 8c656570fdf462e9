import { DurableObject } from 'cloudflare:workers';
import {
  type Admission,
  admission,
  SESSION_IDLE_MS,
  type SessionRegistry,
  TOUCH_EVERY_MS,
} from '../src/mcp/session.ts';

/** A row lives this long without a sign of its session: the idle time, and what signs may lag. */
const ROW_MS = SESSION_IDLE_MS + 2 * TOUCH_EVERY_MS;

/** The one object that counts MCP sessions, of a holder and of everybody (rule A7). */
export class McpSessionRegistry extends DurableObject<unknown> implements SessionRegistry {
  readonly #sql: SqlStorage;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#sql.exec('CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, holder TEXT NOT NULL, seen_ms INTEGER)');
    this.#sql.exec('CREATE INDEX IF NOT EXISTS sessions_holder ON sessions (holder)');
  }

  async admit(id: string, holder: string): Promise<Admission> {
    this.#sql.exec('DELETE FROM sessions WHERE seen_ms < ?', Date.now() - ROW_MS);
    const ofHolder = this.#count('WHERE holder = ?', holder);
    const verdict = admission({ ofHolder, all: this.#count('') });
    if (verdict === 'admitted') this.#sql.exec('INSERT INTO sessions VALUES (?, ?, ?)', id, holder, Date.now());
    await this.ctx.storage.setAlarm(Date.now() + ROW_MS);
    return verdict;
  }

  async touch(id: string): Promise<void> {
    this.#sql.exec('UPDATE sessions SET seen_ms = ? WHERE id = ?', Date.now(), id);
  }

  async release(id: string): Promise<void> {
    this.#sql.exec('DELETE FROM sessions WHERE id = ?', id);
  }

  /** Nobody came for as long as any row may live. */
  override async alarm(): Promise<void> {
    this.#sql.exec('DELETE FROM sessions WHERE seen_ms < ?', Date.now() - ROW_MS);
    if (this.#count('') > 0) await this.ctx.storage.setAlarm(Date.now() + ROW_MS);
  }

  #count(where: string, ...values: string[]): number {
    return this.#sql.exec<{ n: number }>(`SELECT count(*) AS n FROM sessions ${where}`, ...values).one().n;
  }
}
