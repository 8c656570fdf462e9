import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OWN_SETTINGS, readOwnSettings } from '../../local/stack-workers.ts';
import { apiWorkerSettingsSchema } from '../../src/sales/settings.ts';

test('the stack takes settings of the api Worker from its environment, and leaves its own keys alone', () => {
  const given = Object.fromEntries(OWN_SETTINGS.map((name) => [name, name.toLowerCase()]));
  const others = {
    PAY_TO: '0x1',
    LEDGER_SECRET: 'secret',
    BASE_URL: 'https://a.example',
    CONTROL_URL: 'x',
    PATH: '/bin',
  };
  expect(readOwnSettings({ ...given, ...others, ANSWER_TIMEOUT_S: '9' })).toEqual({
    ...given,
    ANSWER_ENGINE: 'simulated',
    ANSWER_TIMEOUT_S: '9',
  });
});

test('each of them is a setting of the Worker, and the page of the local stack names it', () => {
  const page = readFileSync(new URL('../../docs/operate/local-stack.md', import.meta.url), 'utf8');
  expect(OWN_SETTINGS.filter((name) => !Object.hasOwn(apiWorkerSettingsSchema.shape, name))).toEqual([]);
  expect(OWN_SETTINGS.filter((name) => !page.includes(name))).toEqual([]);
});
