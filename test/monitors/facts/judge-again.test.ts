import { expect, test } from 'vitest';
import { gatherSite } from '../../../src/audit/core/gather.ts';
import { computeCurrentRubric } from '../../../src/audit/core/report.ts';
import { type Recording, writeRecordingJson } from '../../../src/capabilities/recording.ts';
import { compareRubrics } from '../../../src/monitors/alerts/rubric-alerts.ts';
import { judgeSnapshotAgain } from '../../../src/monitors/facts/judge-again.ts';
import { readReportFacts } from '../../../src/monitors/facts/site-facts.ts';
import { SITE, siteFetch } from '../../support/audit/site-fetch.ts';
import { buildWatchedSite, computeWeekClock } from '../../support/monitors/watched-site.ts';

const tools = {
  newRewriter: () => {
    throw new Error('a report rewrites no page');
  },
};
const OLD = { version: '2.0.0', sha256: 'b'.repeat(64) };

async function recordSite(only?: Parameters<typeof gatherSite>[1]['only']): Promise<Recording> {
  const snapshot = await gatherSite(`${SITE}/`, {
    fetch: siteFetch(buildWatchedSite(0)),
    clockMs: computeWeekClock(0),
    ...(only && { only }),
  });
  return { version: 1, capability: 'full_audit', input: { url: `${SITE}/` }, rubric: OLD, snapshots: [snapshot] };
}

const textOf = (recording: Recording): string => [...writeRecordingJson(recording)].join('');

test('a snapshot that another rubric judged is judged by the present one', async () => {
  const judged = await judgeSnapshotAgain(textOf(await recordSite()), tools);
  if (!judged.ok) throw new Error(judged.detail);
  const facts = readReportFacts(judged.report);
  expect(facts).toMatchObject({ url: `${SITE}/`, rubric: await computeCurrentRubric() });
  expect(facts?.scores.aeo?.score).toBeGreaterThan(80);
  expect(judged.recording.rubric).toEqual(OLD);
});

test('checks whose requests it lacks are unknown, and the comparison of rubrics leaves them out', async () => {
  const whole = await judgeSnapshotAgain(textOf(await recordSite()), tools);
  const lacking = await judgeSnapshotAgain(textOf(await recordSite(['page', 'robots'])), tools);
  const [now, then] = [whole, lacking].map((one) => (one.ok ? readReportFacts(one.report) : undefined));
  if (now === undefined || then === undefined) throw new Error('both are reports');
  expect(then.checks.find(({ id }) => id === 'agent.llms.exists')?.status).toBe('unknown');
  const change = compareRubrics({ ...now, rubric: OLD }, then);
  expect(change).toMatchObject({ from: OLD });
  expect(change?.changes.map(({ id }) => id)).not.toContain('agent.llms.exists');
});

test.each([
  ['no recording', '{}'],
  ['one without scores', ''],
])('%s is refused', async (_what, text) => {
  const recording = { ...(await recordSite(['page'])), capability: 'generate_llms_txt' } as const;
  expect((await judgeSnapshotAgain(text === '' ? textOf(recording) : text, tools)).ok).toBe(false);
});
