import { DurableObject } from 'cloudflare:workers';
import {
  type Admission,
  admission,
  type Door,
  placeOf,
  SESSION_IDLE_MS,
  type SessionRegistry,
  TOUCH_EVERY_MS,
} from '../src/mcp/session.ts';

/** A row lives this long without a sign of its session: the idle time, and what signs may lag. */
const ROW_MS = SESSION_IDLE_MS + 2 * TOUCH_EVERY_MS;

const SCHEMA = [
  'CREATE TABLE IF NOT EXISTS live (id TEXT PRIMARY KEY, holder TEXT, network TEXT, door TEXT, seen_ms INTEGER)',
  'CREATE INDEX IF NOT EXISTS live_holder ON live (holder)',
  'CREATE INDEX IF NOT EXISTS live_network ON live (network)',
  'CREATE INDEX IF NOT EXISTS live_seen ON live (seen_ms)',
] as const;

type DoorRow = { door: Door };

/** The one object that counts MCP sessions, of a holder, of its network, and of everybody (rule A7). */
export class McpSessionRegistry extends DurableObject<unknown> implements SessionRegistry {
  readonly #sql: SqlStorage;
  /** Rows by door, kept beside the table so that no `initialize` counts them all. */
  readonly #byDoor: Record<Door, number> = { open: 0, account: 0 };

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    for (const statement of SCHEMA) this.#sql.exec(statement);
    const rows = this.#sql.exec<DoorRow & { n: number }>('SELECT door, count(*) AS n FROM live GROUP BY door');
    for (const { door, n } of rows) this.#byDoor[door] = n;
  }

  async admit(id: string, holder: string): Promise<Admission> {
    this.#forget('seen_ms < ?', Date.now() - ROW_MS);
    const { door, network } = placeOf(holder);
    const verdict = admission(door, {
      ofHolder: this.#count('holder', holder),
      ofNetwork: this.#count('network', network),
      byDoor: this.#byDoor,
    });
    if (verdict === 'admitted') {
      this.#sql.exec('INSERT INTO live VALUES (?, ?, ?, ?, ?)', id, holder, network, door, Date.now());
      this.#byDoor[door] += 1;
    }
    await this.ctx.storage.setAlarm(Date.now() + ROW_MS);
    return verdict;
  }

  async touch(id: string): Promise<void> {
    this.#sql.exec('UPDATE live SET seen_ms = ? WHERE id = ?', Date.now(), id);
  }

  async release(id: string): Promise<void> {
    this.#forget('id = ?', id);
  }

  /** Nobody came for as long as any row may live. */
  override async alarm(): Promise<void> {
    this.#forget('seen_ms < ?', Date.now() - ROW_MS);
    if (this.#byDoor.open + this.#byDoor.account > 0) await this.ctx.storage.setAlarm(Date.now() + ROW_MS);
  }

  /** Deletes by an index: only the rows that go are read. */
  #forget(where: 'seen_ms < ?' | 'id = ?', value: string | number): void {
    const gone = this.#sql.exec<DoorRow>(`DELETE FROM live WHERE ${where} RETURNING door`, value).toArray();
    for (const { door } of gone) this.#byDoor[door] -= 1;
  }

  #count(column: 'holder' | 'network', value: string): number {
    return this.#sql.exec<{ n: number }>(`SELECT count(*) AS n FROM live WHERE ${column} = ?`, value).one().n;
  }
}
