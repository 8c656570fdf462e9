import { expect, test } from 'vitest';
import { createAuditTrail } from '../../../src/notifications/sinks/audit-trail.ts';
import { createEntriesSink, type EntryBatch, type EntryWriter } from '../../../src/notifications/sinks/entries.ts';
import type { Effect } from '../../../src/notifications/sinks/sink.ts';
import { batchSchema } from '../../../src/telemetry/batch-schema.ts';
import type { TelemetryPort } from '../../../src/telemetry/wire.ts';

const AT_MS = Date.UTC(2026, 10, 22);

const changed: Effect = {
  type: 'user',
  id: 'C00000001.111122223333.7',
  customer: 'C00000001',
  userId: '111122223333',
  stamp: 7,
  seen: { state: 'gone' },
  causes: ['delete'],
  readAtMs: AT_MS,
};
const alarming: Effect = {
  type: 'alert',
  id: 'C00000001.dead_letter.x',
  customer: 'C00000001',
  alert: { kind: 'dead_letter', subject: 'webhook:crm', raisedAtMs: AT_MS, detail: 'five tries' },
};

test.each<[string, Effect]>([
  ['a change of a user', changed],
  ['an alert', alarming],
])('%s is the line of the audit trail, with the time and id that tell it again', async (_what, effect) => {
  const written: EntryBatch[] = [];
  const printed: unknown[] = [];
  const port: TelemetryPort = { write: async (batch) => void written.push(batch as EntryBatch) };
  const writer: EntryWriter = port; // The control Worker's entrypoint takes what this sink writes.
  expect(await createEntriesSink(writer).tell(effect)).toEqual({ ok: true });
  await createAuditTrail((line) => void printed.push(line)).tell(effect);
  const [batch] = written;
  expect(batch?.lines).toEqual([{ atMs: AT_MS, line: JSON.stringify(printed[0]), insertId: effect.id }]);
  expect(batchSchema.safeParse(batch).success).toBe(true);
});

test('a log that does not answer is told again, without the words of its error', async () => {
  const write = () => Promise.reject(new TypeError('secret'));
  expect(await createEntriesSink({ write }).tell(changed)).toEqual({
    ok: false,
    outcome: 'again',
    detail: 'the log does not answer (TypeError)',
  });
});

test.each<[string, unknown, boolean]>([
  ['is told again', { lines: 1, spans: 0 }, false],
  ['was kept', { lines: 0, spans: 0 }, true],
  ['has no project to stand in', 'all', true],
])('a line that the log did not keep is told again: this one %s', async (_what, answer, ok) => {
  const told = await createEntriesSink({ write: async () => answer }).tell(changed);
  expect(told).toEqual(ok ? { ok } : { ok, outcome: 'again', detail: 'the log refuses the line' });
});
