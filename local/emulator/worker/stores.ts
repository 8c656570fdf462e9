import * as z from 'zod';
import { ResourceStore as Store } from '../../../durable-objects/resource-store.ts';
import { TenantRegistry as Registry } from '../../../durable-objects/tenant-registry.ts';
import type { Tenant } from '../../../src/management/core/engine/tenant.ts';
import type { ControlResult } from '../../../src/management/core/tenant-object.ts';
import type { ResetBody } from '../../../src/management/emulator/bodies.ts';
import { interfaces } from '../../../src/management/core/interfaces.ts';
import { clearData } from '../../../src/management/emulator/data.ts';
import { createSnapshots } from '../../../src/management/emulator/snapshots.ts';
import { allowOwnMachine } from './environment.ts';

/** What a reset of the tenant empties. */
const SEEDED_TABLES = ['resource', 'name', 'counter'];

/** Of the resources of a tenant in a folder: what a text can have. */
const MAX_FOLDER_BYTES = 512 * 1_048_576;

/** The store of a tenant, whose snapshots can leave the emulator and come back. */
export class ResourceStore extends Store {
  protected override pushPolicy(env: Record<string, unknown>) {
    return allowOwnMachine(env);
  }

  /** What the tenant has, as the text of a snapshot. No snapshot is taken for it: their number and size are limited. */
  async exportText(tenant: Tenant): Promise<ReadableStream<Uint8Array>> {
    await this.status(tenant); // Opens the tenant, for an object that was never asked before.
    return new Blob([...this.#snapshots().listText(tenant)]).stream();
  }

  /** Keeps such a text as a snapshot; `restore` judges it. */
  async keepText(tenant: Tenant, name: string, text: ReadableStream<Uint8Array>): Promise<void> {
    const whole = await new Response(text).text();
    await this.status(tenant);
    this.#snapshots().keepText(name, whole, Date.now());
  }

  /** Keeps what the tenant has now, beside it, for `goBack`. */
  async keepSeed(): Promise<void> {
    const { sql } = this.ctx.storage;
    this.ctx.storage.transactionSync(() => {
      for (const table of SEEDED_TABLES) {
        sql.exec(`DROP TABLE IF EXISTS seed_${table}`);
        sql.exec(`CREATE TABLE seed_${table} AS SELECT ${this.#columnsOf(table)} FROM ${table}`);
      }
    });
  }

  /**
   * Back to what was kept, with clock and random seed. Rows are copied by SQLite, whatever their number, and have the entity
   * tags that they had; those of later changes are never used again.
   */
  async goBack(tenant: Tenant, body: ResetBody): Promise<ControlResult<unknown>> {
    const cleared = await this.reset(tenant, body);
    if (!cleared.ok) return cleared;
    const { sql } = this.ctx.storage;
    this.ctx.storage.transactionSync(() => {
      clearData(sql);
      for (const table of SEEDED_TABLES) {
        const columns = this.#columnsOf(table);
        sql.exec(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM seed_${table}`);
      }
    });
    return cleared;
  }

  /** Without those that SQLite computes. */
  #columnsOf(table: string): string {
    const rows = this.ctx.storage.sql.exec('SELECT name FROM pragma_table_info(?)', table).toArray();
    return rows.map(({ name }) => z.string().parse(name)).join(', ');
  }

  #snapshots() {
    return createSnapshots(this.ctx.storage.sql, interfaces, MAX_FOLDER_BYTES);
  }
}

/** The registry, which can list the names of a tenant, and release them. */
export class TenantRegistry extends Registry {
  async containersOf(tenant: string): Promise<readonly string[]> {
    const rows = this.ctx.storage.sql.exec('SELECT name FROM container WHERE tenant = ? ORDER BY name', tenant);
    return rows.toArray().map(({ name }) => z.string().parse(name));
  }

  /** Releases every name of a tenant but these. */
  async keepContainers(tenant: string, names: readonly string[]): Promise<void> {
    const query = 'DELETE FROM container WHERE tenant = ? AND name NOT IN (SELECT value FROM json_each(?))';
    this.ctx.storage.sql.exec(query, tenant, JSON.stringify(names));
  }
}
