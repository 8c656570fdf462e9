import { expect, test } from 'vitest';
import { replaceSettingNames } from '../../../src/cli/audit/typed-engine.ts';

const advice = 'Check that ANSWER_ENGINE is the kind that ANSWER_ENGINE_URL speaks, and ANSWER_ENGINE_KEY.';

test.each([
  ['options that were typed', { engine: 'openai-compatible', url: 'http://127.0.0.1:1/v1' }, {}, '--engine', '--url'],
  ['neither: an option is the shorter way', {}, {}, '--engine', '--url'],
  ['the environment', {}, { ANSWER_ENGINE: 'x', ANSWER_ENGINE_URL: 'y' }, 'ANSWER_ENGINE', 'ANSWER_ENGINE_URL'],
  [
    'an option before the environment',
    { url: 'z' },
    { ANSWER_ENGINE: 'x', ANSWER_ENGINE_URL: 'y' },
    'ANSWER_ENGINE',
    '--url',
  ],
])('a message names %s; the key has no option', (_what, values, env, engine, url) => {
  expect(replaceSettingNames(advice, values, env)).toBe(
    `Check that ${engine} is the kind that ${url} speaks, and ANSWER_ENGINE_KEY.`,
  );
});
