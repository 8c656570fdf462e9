import { describe, expect, test } from 'vitest';
import { scrubLine } from '../../src/telemetry/recorder.ts';
import { PLANTED, secretsIn } from '../conformance/support/secretlint.ts';

const lineOf = (message: string): string => JSON.stringify({ event: 'bug', message });
const HARMLESS = [
  lineOf('the directory answers 503'),
  lineOf('paid by 0x...'),
  '{"route":"/reports/{file}","status":200}',
];

describe('X9: secretlint, which judges captured logs,', () => {
  test('finds nothing in lines without a secret', async () => {
    expect(await secretsIn(HARMLESS)).toEqual([]);
  });

  test.each(PLANTED)('finds a planted secret: %s', async (rule, secret) => {
    expect(await secretsIn([...HARMLESS, lineOf(`refused ${secret} again`)])).toEqual([rule]);
    // As logs are told to a log of their own, which stands in a list of others.
    expect(await secretsIn([JSON.stringify([HARMLESS, [lineOf(secret)]])])).toEqual([rule]);
  });

  test('finds none of those that a line loses before it is kept', async () => {
    const lost = PLANTED.filter(([rule]) => rule === 'anthropic' || rule === 'basicauth');
    const lines = lost.map(([, secret]) => lineOf(`refused ${secret} again`));
    expect(await secretsIn(lines)).toEqual(['anthropic', 'basicauth']);
    expect(await secretsIn(lines.map(scrubLine))).toEqual([]);
  });
});
