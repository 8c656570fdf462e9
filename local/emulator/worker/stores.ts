import * as z from 'zod';
import { ResourceStore as Store } from '../../../durable-objects/resource-store.ts';
import { TenantRegistry as Registry } from '../../../durable-objects/tenant-registry.ts';
import type { Tenant } from '../../../src/management/core/engine/tenant.ts';
import type { ControlResult } from '../../../src/management/core/tenant-object.ts';
import type { ResetBody } from '../../../src/management/emulator/bodies.ts';
import { interfaces } from '../../../src/management/core/interfaces.ts';
import { createSnapshots } from '../../../src/management/emulator/snapshots.ts';
import { loopbackPolicy } from './environment.ts';

/** The store of a tenant, whose snapshots can leave the emulator and come back. */
export class ResourceStore extends Store {
  protected override pushPolicy(env: Record<string, unknown>) {
    return loopbackPolicy(env);
  }

  /** What the tenant has, as the text of a snapshot. Undefined: it cannot be taken now. */
  async exportText(tenant: Tenant, name: string): Promise<string | undefined> {
    const taken = await this.snapshot(tenant, name);
    if (!taken.ok) return undefined;
    const text = this.#snapshots().readText(name);
    await this.deleteSnapshot(tenant, name);
    return text;
  }

  /** Keeps such a text as a snapshot; `restore` judges it. */
  async keepText(tenant: Tenant, name: string, text: string): Promise<void> {
    await this.status(tenant); // Opens the tenant, for an object that nobody has asked before.
    this.#snapshots().keepText(name, text, Date.now());
  }

  /** Back to a snapshot, with clock and random seed: one commit instead of one for each control. */
  async goBack(tenant: Tenant, body: ResetBody, name: string): Promise<ControlResult<unknown>> {
    const cleared = await this.reset(tenant, body);
    return cleared.ok ? this.restore(tenant, name) : cleared;
  }

  #snapshots() {
    return createSnapshots(this.ctx.storage.sql, interfaces);
  }
}

/** The registry, which can list the names of a tenant. */
export class TenantRegistry extends Registry {
  async containersOf(tenant: string): Promise<readonly string[]> {
    const rows = this.ctx.storage.sql.exec('SELECT name FROM container WHERE tenant = ? ORDER BY name', tenant);
    return rows.toArray().map(({ name }) => z.string().parse(name));
  }
}
