import { expect, test } from 'vitest';
import { selectNewAlerts } from '../../../src/cli/watch/entry-run.ts';
import type { AlertDraft } from '../../../src/monitors/core/alert.ts';
import { storedRunOf } from '../../support/monitors/made-monitor.ts';

const draft = (key: string, kind: AlertDraft['kind'] = 'verdict_changed'): AlertDraft => ({
  kind,
  severity: 'warning',
  key,
  title: key,
  changes: [],
  since: null,
});

test('a key rings once, and not again before a later run rang another of its kind, as monitors of the service do', () => {
  let history: Parameters<typeof selectNewAlerts>[2] = { runs: [], alerts: [] };
  const ring = (at: number, ...drafts: readonly AlertDraft[]): readonly string[] => {
    const rung = selectNewAlerts(storedRunOf(`run-${at}`, at, null), drafts, history);
    history = { ...history, alerts: [...rung, ...history.alerts] };
    return rung.map(({ key }) => key);
  };
  expect(ring(1, draft('a'), draft('b'))).toEqual(['a', 'b']);
  expect(ring(2, draft('a'), draft('b'))).toEqual([]);
  expect(ring(3, draft('a', 'gate_fired'))).toEqual(['a']);
  expect(ring(4, draft('a'), draft('c'))).toEqual(['c']);
  expect(ring(5, draft('c'))).toEqual([]);
  expect(ring(6, draft('a'))).toEqual(['a']);
});
