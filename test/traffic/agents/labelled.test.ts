import { describe, expect, test } from 'vitest';
import { classifyUserAgent } from '../../../src/traffic/agents/classify-agent.ts';
import { findAssistantReferral } from '../../../src/traffic/agents/referrals.ts';
import { readerMakers } from '../../../src/traffic/formats/log-reader.ts';
import { compileRanges } from '../../../src/traffic/ranges/compile-ranges.ts';
import { shippedRanges } from '../../../src/traffic/ranges/shipped-ranges.ts';
import { verifyAddress } from '../../../src/traffic/ranges/verify.ts';
import { createRecord } from '../../../src/traffic/record.ts';
import { type LabelledLine, splitLabelledLines } from '../../support/traffic/labelled.ts';
import { toByteString } from '../formats/lines.ts';

const LEAST = 0.995;
const table = compileRanges(shippedRanges);
const answers = ['class', 'token', 'verification', 'referral'] as const;
type Answers = Pick<LabelledLine, (typeof answers)[number]>;

function answer({ format, line }: LabelledLine): Answers {
  const record = createRecord();
  expect(readerMakers[format]()(toByteString(line), record)).toBe('request');
  const { class: name, token } = classifyUserAgent(record.userAgent);
  return {
    class: name,
    token: token ?? null,
    verification: token === undefined ? null : verifyAddress(table, token, record.address),
    referral: findAssistantReferral(record.referrer, record.path) ?? null,
  };
}

/**
 * No list of this agent's addresses was found by who labelled, and one was found for the ranges that ship: the labels say
 * `claimed`, and both are right about what they knew.
 */
const UNKNOWN_TO_LABELS = 'OAI-AdsBot';

const { seen, unseen } = splitLabelledLines();

describe.each([
  ['the half that rules were made by', seen],
  ['the half that was only counted', unseen],
])('%s', (_half, lines) => {
  const answered = lines.map((line) => ({ line, found: answer(line) }));
  test.each(answers)(`at least ${LEAST * 100} % agree on %s`, (name) => {
    const judged = answered.filter(({ line }) => name !== 'verification' || line.token !== UNKNOWN_TO_LABELS);
    const agreed = judged.filter(({ line, found }) => line[name] === found[name]);
    expect(agreed.length / judged.length).toBeGreaterThanOrEqual(LEAST);
  });
});

test('the two halves are all of the lines', () => {
  expect(seen.length + unseen.length).toBeGreaterThanOrEqual(2_000);
  expect(Math.min(seen.length, unseen.length)).toBeGreaterThan(1_000);
});
