import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach } from 'vitest';
import { getChannelRegistry, type WebhookEnv } from '../../../routes/webhook/bindings/env.ts';

const bindings = env as unknown as WebhookEnv; // Those of this project's Worker.
const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'`;

/**
 * The pool's `reset` answers before what it deletes is gone: on a busy machine the next test found the channels of the
 * one before. Rows only: a pass that is under way goes on with its tables.
 */
afterEach(async () => {
  await runInDurableObject(getChannelRegistry(bindings), async (_, { storage }) => {
    await storage.deleteAlarm();
    for (const { name } of storage.sql.exec<{ name: string }>(TABLES).toArray())
      storage.sql.exec(`DELETE FROM "${name}"`);
  });
});
