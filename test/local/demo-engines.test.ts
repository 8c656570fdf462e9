import { expect, test } from 'vitest';
import { chooseDemoEngines, demoEngines } from '../../local/demo-engines.ts';
import { panels } from '../../src/capabilities/panels.ts';
import { selectEngines } from '../../src/models/panel.ts';
import { localAnswers } from '../../src/models/registry-local.ts';
import { buildPrompts } from '../../src/visibility/run/prompts.ts';

const limits = { ANSWER_ENGINE_MAX_TOKENS: 1500, ANSWER_ENGINE_USD_PER_RUN: 0.2 };

test('the demo engines are as many as the largest panel asks, and answer differently', async () => {
  const made = selectEngines({ ...demoEngines, ...limits }, localAnswers, {
    fetch: () => Promise.reject(new Error('a simulated engine makes no request')),
    readSecret: () => undefined,
    ai: undefined,
  });
  if (!made.ok) throw new Error(made.detail);
  expect(made.engines).toHaveLength(Math.max(...panels.map(({ engineCount }) => engineCount)));
  const { signal } = new AbortController();
  const [prompt] = buildPrompts('help desk software');
  if (prompt === undefined) throw new Error('no prompt');
  const answers = await Promise.all(made.engines.map((engine) => engine.answer(prompt, signal)));
  expect(new Set(answers.map((answer) => (answer.ok ? answer.text : ''))).size).toBe(made.engines.length);
});

test.each([{ ANSWER_ENGINE: 'recorded' }, { ANSWER_ENGINES: '[]' }])(
  'with %j in the environment they are not there',
  (environment) => {
    expect(chooseDemoEngines(environment)).toEqual({});
    expect(chooseDemoEngines({})).toEqual(demoEngines);
  },
);
