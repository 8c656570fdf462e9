import { DurableObject } from 'cloudflare:workers';
import type { Tenant } from '../src/management/core/engine/tenant.ts';
import type { TenantNames } from '../src/management/core/tenant-object.ts';
import { type TenantBook, createTenantBook } from '../src/management/core/tenants.ts';

/** The one object, named `tenants`, that knows every tenant and who owns which container (rules K1, K2). */
export class TenantRegistry extends DurableObject<unknown> implements TenantNames {
  readonly #book: TenantBook;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    this.#book = createTenantBook(ctx.storage.sql);
  }

  async tenant(id: string, mode: Tenant['mode']): Promise<Tenant> {
    return this.#book.tenant(id, mode, Date.now());
  }

  async claim(tenant: string, container: string, isReserved = false): Promise<'own' | 'foreign'> {
    return this.#book.claim(tenant, container, isReserved);
  }

  async owns(tenant: string, container: string): Promise<boolean> {
    return this.#book.owns(tenant, container);
  }
}
