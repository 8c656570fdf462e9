import { expect, test } from 'vitest';
import { presentPanel } from '../../../src/capabilities/panel-presenter.ts';
import type { PanelRecording } from '../../../src/capabilities/panel-recording.ts';
import { readOwnMeasurement } from '../../../src/visibility/imports/own-measurement.ts';
import { buildPrompts, loadPromptSet } from '../../../src/visibility/run/prompts.ts';
import type { CollectedRun } from '../../../src/visibility/run/run.ts';

const niche = 'help desk software';

async function collectRun(name: string, says: (index: number) => string): Promise<CollectedRun> {
  return {
    runId: name.repeat(32).slice(0, 32),
    promptSet: await loadPromptSet(),
    engine: { kind: 'simulated', model: `m-${name}`, name },
    niche,
    startedAtMs: 0,
    endedAtMs: 1000,
    answers: buildPrompts(niche).map(({ index }) => ({
      index,
      status: 'answered',
      text: says(index),
      sha256: '0'.repeat(64),
      servedModel: undefined,
      finishReason: 'stop',
      citations: ['https://acme.example/help?utm_source=x'],
    })),
  };
}

test('the result of a panel, its recording, and both are one measurement', async () => {
  const recording: PanelRecording = {
    panel: 1,
    capability: 'visibility_panel_2',
    input: { brand: 'Acme', niche, questions: { set: 'v1' } },
    runs: [
      await collectRun('a', () => '1. **Acme**: a fine choice.'),
      await collectRun('b', () => '1. **Rival**: a fine choice.'),
    ],
    citations: { resolutions: [] },
  };
  const outcome = await presentPanel(recording);
  if (!outcome.ok) throw new Error(outcome.reason);
  // As they come back from a file.
  const result: unknown = JSON.parse(JSON.stringify(outcome.result));
  const kept: unknown = JSON.parse(JSON.stringify(recording));
  const alone = readOwnMeasurement(result);
  expect(alone).toMatchObject({
    brand: 'Acme',
    engines: ['simulated (m-a)', 'simulated (m-b)'],
    answers: 60,
    mention_rate: { value: 0.5, n: 60 },
    cited: null,
  });
  expect(alone?.prompts).toEqual(buildPrompts(niche).map(({ text }) => text));
  const both = readOwnMeasurement(result, kept);
  expect(both).toEqual({
    ...alone,
    cited: Array.from({ length: 60 }, () => ['https://acme.example/help']),
  });
  expect(readOwnMeasurement(kept)).toEqual({ ...both, mention_rate: null, prompts: null });
});
