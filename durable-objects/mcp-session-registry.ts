import { DurableObject } from 'cloudflare:workers';
import { createTables } from '../src/lib/sqlite.ts';
import {
  type Admission,
  judgeAdmission,
  SESSION_IDLE_MS,
  type SessionRegistry,
  TOUCH_EVERY_MS,
} from '../src/mcp/session.ts';

/** A row lives this long without a sign of its session: the idle time, and what signs may lag. */
const ROW_MS = SESSION_IDLE_MS + 2 * TOUCH_EVERY_MS;

const SCHEMA = [
  'CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, holder TEXT, seen_ms INTEGER)',
  'CREATE INDEX IF NOT EXISTS sessions_holder ON sessions (holder)',
  'CREATE INDEX IF NOT EXISTS sessions_seen ON sessions (seen_ms)',
] as const;

/**
 * Counts the MCP sessions of one network of callers, or of one account (rule A7). The single object of earlier versions
 * counted everybody in a table `live`: its alarm drops it, and sessions that it counted go on uncounted until they end.
 */
export class McpSessionRegistry extends DurableObject<unknown> implements SessionRegistry {
  #hasTable = false;

  async admit(id: string, holder: string): Promise<Admission> {
    this.#forgetSilent();
    const verdict = judgeAdmission({
      ofHolder: this.#count('SELECT count(*) AS n FROM sessions WHERE holder = ?', holder),
      ofNetwork: this.#count('SELECT count(*) AS n FROM sessions'),
    });
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

  /** No call came for as long as any row may live. A registry without sessions keeps nothing. */
  override async alarm(): Promise<void> {
    this.#forgetSilent();
    if (this.#count('SELECT count(*) AS n FROM sessions') > 0) {
      await this.ctx.storage.setAlarm(Date.now() + ROW_MS);
      return;
    }
    this.#hasTable = false;
    await this.ctx.storage.deleteAll();
  }

  /** The tables are made when they are first needed: a registry that ended has none. */
  get #sql(): SqlStorage {
    const { sql } = this.ctx.storage;
    if (!this.#hasTable) createTables(sql, SCHEMA);
    this.#hasTable = true;
    return sql;
  }

  #forgetSilent(): void {
    this.#sql.exec('DELETE FROM sessions WHERE seen_ms < ?', Date.now() - ROW_MS);
  }

  #count(query: string, ...bindings: string[]): number {
    return this.#sql.exec<{ n: number }>(query, ...bindings).one().n;
  }
}
