import { expect, test } from 'vitest';
import { type AlertKind, alertRows } from '../../../src/notifications/core/alerts.ts';
import { createAuditTrail } from '../../../src/notifications/sinks/audit-trail.ts';
import type { Effect } from '../../../src/notifications/sinks/sink.ts';
import { alertEffect, seenAs, userEffect } from './effects.ts';

async function linesOf(...effects: readonly Effect[]): Promise<unknown[]> {
  const lines: unknown[] = [];
  const sink = createAuditTrail((line) => lines.push(line));
  for (const effect of effects) {
    expect(sink.wants(effect)).toBe(true);
    expect(await sink.tell(effect)).toEqual({ ok: true });
  }
  return lines;
}

test('a change of a user is one line, without its e-mail address', async () => {
  expect(await linesOf(userEffect(seenAs('suspended'), { causes: ['update', 'resync'] }))).toEqual([
    {
      event: 'directory_user_changed',
      effect: 'C01live/111222333444555666777/7',
      customer: 'C01live',
      user_id: '111222333444555666777',
      state: 'suspended',
      causes: ['update', 'resync'],
      stamp: 7,
    },
  ]);
});

test.each<[string, Effect, string]>([
  ['active', userEffect(seenAs('active')), 'active'],
  ['suspended', userEffect(seenAs('suspended')), 'suspended'],
  ['gone', userEffect({ state: 'gone' }), 'gone'],
])('a user who is %s is written as such', async (_what, effect, state) => {
  expect(await linesOf(effect)).toMatchObject([{ state }]);
});

test('an alert is one line with the severity of its kind', async () => {
  expect(await linesOf(alertEffect())).toEqual([
    {
      event: 'alert',
      severity: 'ERROR',
      effect: 'C01live/alert/dead_letter/12/1795339800000',
      customer: 'C01live',
      kind: 'dead_letter',
      subject: '12',
      detail: 'given up after 5 tries',
    },
  ]);
});

test.each<[AlertKind, string]>([
  ['no_sync', 'WARNING'],
  ['channel_lead_low', 'WARNING'],
  ['channel_lapsed', 'ERROR'],
  ['credentials_refused', 'ERROR'],
])('the alert %s is logged as %s', async (kind, severity) => {
  expect(await linesOf(alertEffect({ kind }))).toMatchObject([{ kind, severity }]);
});

test('what is told twice is written twice with one effect id, so that a reader can tell', async () => {
  const lines = await linesOf(userEffect(seenAs('active')), userEffect(seenAs('active')));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toEqual(lines[1]);
});

test.each(Object.entries(alertRows))(
  'the alert %s says in one sentence each what it means and what to do',
  (_, row) => {
    for (const text of [row.means, row.todo]) expect(text).toMatch(/^[A-Z][^\n|]{20,160}\.$/);
  },
);
