import { expect, test } from 'vitest';
import type { StoredRuns } from '../../../src/capabilities/visibility-recording.ts';
import { explainUnread } from '../../../src/monitors/facts/site-facts.ts';
import { summariseBrand, summariseSite } from '../../../src/monitors/facts/summary.ts';
import type { CollectedRun } from '../../../src/visibility/run/run.ts';
import { html, text } from '../../support/audit/site-fetch.ts';
import { buildWatchedSite } from '../../support/monitors/watched-site.ts';
import { auditWeek } from '../../support/monitors/watched-year.ts';

test('a site is kept by scores, gates and letters; a competitor that was not read says why', async () => {
  const robots = { '/robots.txt': text('User-agent: *\nDisallow: /\n') };
  const facts = await auditWeek({ ...buildWatchedSite(0), ...robots }, 0);
  if (facts === undefined) throw new Error('the site was not read');
  const summary = summariseSite(facts, [
    { url: 'https://one.example/', facts },
    { url: 'https://two.example/', missing: 'target_unreachable' },
  ]);
  expect(summary.scores.aeo?.gates).toContain('aeo.robots.ai-search-bots');
  expect(summary.scores.aeo?.interval?.low).toBeLessThanOrEqual(summary.scores.aeo?.score ?? 0);
  expect(Object.values(summary.counts).reduce((all, one) => all + one, 0)).toBe(facts.checks.length);
  expect(summary.competitors).toMatchObject([
    { url: 'https://one.example/', verdicts: summary.verdicts },
    { url: 'https://two.example/', scores: null, missing: 'target_unreachable' },
  ]);
  expect(summary).not.toHaveProperty('unread');
  expect(JSON.stringify(summary).length).toBeLessThan(3000);
});

test('a start page that answers 503 is marked', async () => {
  const facts = await auditWeek({ ...buildWatchedSite(0), '/': html('busy', { status: 503 }) }, 0);
  expect(facts && explainUnread(facts)).toBe('status 503');
  expect(facts && summariseSite(facts).unread).toBe('status 503');
});

const answersOf = (count: number, brand: string): CollectedRun['answers'] =>
  Array.from({ length: 30 }, (_, index) =>
    index < count
      ? {
          index,
          status: 'answered' as const,
          text: index % 3 === 0 ? `I would take ${brand} Shop.` : 'I would take Beta.',
          sha256: '',
          servedModel: 'm-1',
          finishReason: 'stop' as const,
          citations: undefined,
        }
      : { index, status: 'failed' as const, reason: 'timeout' as const },
  );

const storedOf = (count: number, brand = 'Acme'): StoredRuns => ({
  prompts: Array.from({ length: 30 }, (_, index) => ({
    index,
    text: `Which tea shop is best? ${index}`,
    intent: 'best',
  })),
  runs: [
    {
      runId: 'a'.repeat(32),
      promptSet: { id: 'v1', sha256: 'b'.repeat(64) },
      engine: { kind: 'recorded', model: 'm' },
      niche: 'tea',
      startedAtMs: 5,
      endedAtMs: 6,
      answers: answersOf(count, brand),
    },
  ],
});

test('a brand is kept by which prompts name it, with a rate and its interval; too few answers are no measurement', () => {
  const body = { brand: 'Acme', niche: 'tea', competitors: ['Beta'] };
  const summary = summariseBrand(storedOf(30), body);
  expect(summary?.measured.runs[0]?.named.filter(Boolean)).toHaveLength(10);
  expect(summary?.rates).toMatchObject([{ engine: 'recorded', simulated: true, rate: { value: 0.3333, n: 30 } }]);
  expect(summariseBrand(storedOf(10), body)).toBeUndefined();
  // A longer name that is a competitor's is not the brand's.
  const longer = summariseBrand(storedOf(30), { ...body, competitor_brand: 'Acme Shop' });
  expect(longer?.measured.runs[0]?.named.filter(Boolean)).toHaveLength(0);
});
