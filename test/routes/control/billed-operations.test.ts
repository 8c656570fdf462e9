import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { countedOperations, ENTRIES_A_CALL } from '../../../scripts/docs/costs-data.ts';
import { countBilled } from '../../support/workers/billed-operations.ts';
import { tokenFor } from '../../support/workers/control-tokens.ts';
import { call } from './world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const token = tokenFor({ tenant: 'C0000billed' });
const entries = Array.from({ length: ENTRIES_A_CALL }, (_, n) => ({
  textPayload: `request ${n} was answered with 200`,
}));

async function write(): Promise<void> {
  const body = { resource: { type: 'global' }, logName: 'projects/billed-project/logs/a', entries };
  expect((await call('/v2/entries:write', { method: 'POST', token, body })).status).toBe(200);
}

test('log entries use what the page of costs says', async () => {
  await write(); // The first call makes the project.
  const bindings = { namespace: env.ENTRY_STORE, object: env.ENTRY_STORE.getByName('counted') };
  const counted = await countBilled(bindings, write);
  expect(counted.rowsWritten).toBeGreaterThan(ENTRIES_A_CALL);
  const { objectRequests, rowsWritten, rowsRead } = countedOperations.entries;
  expect(counted.objectRequests).toBeLessThanOrEqual(objectRequests);
  expect(counted.rowsWritten).toBeLessThanOrEqual(rowsWritten);
  expect(counted.rowsRead).toBeLessThanOrEqual(rowsRead);
});
