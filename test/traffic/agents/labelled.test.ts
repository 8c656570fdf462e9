import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { classifyUserAgent } from '../../../src/traffic/agents/classify-agent.ts';
import { findAssistantReferral } from '../../../src/traffic/agents/referrals.ts';
import { readerMakers } from '../../../src/traffic/formats/log-reader.ts';
import { compileRanges, type RangeTable } from '../../../src/traffic/ranges/compile-ranges.ts';
import { shippedRanges } from '../../../src/traffic/ranges/shipped-ranges.ts';
import { verifyAddress } from '../../../src/traffic/ranges/verify.ts';
import { createRecord } from '../../../src/traffic/record.ts';
import { type LabelledLine, splitLabelledLines } from '../../support/traffic/labelled.ts';
import { toByteString } from '../formats/lines.ts';

const LEAST = 0.995;
const shipped = compileRanges(shippedRanges);
/**
 * No list of this agent's addresses was found when the lines were labelled, and one was found for the ranges that ship: the
 * labels say `claimed`, and both are right about what was known. Without that list all lines are judged by what the labels knew.
 */
const UNKNOWN_TO_LABELS = 'OAI-AdsBot';
const knownToLabels = compileRanges(shippedRanges.filter(({ tokens }) => !tokens.includes(UNKNOWN_TO_LABELS)));
const answers = ['class', 'token', 'verification', 'referral'] as const;
type Answers = Pick<LabelledLine, (typeof answers)[number]>;

function answer({ format, line }: LabelledLine, table: RangeTable): Answers {
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

const { seen, unseen } = splitLabelledLines();
const all = [...seen, ...unseen];

/** Lines whose label is another than the answer. */
const findDifferent = (lines: readonly LabelledLine[], name: keyof Answers, table: RangeTable): LabelledLine[] =>
  lines.filter((line) => line[name] !== answer(line, table)[name]);

describe.each([
  ['the half that rules were made by', seen],
  ['the half that was only counted', unseen],
  ['all lines', all],
])('%s', (_half, lines) => {
  test.each(answers)(`at least ${LEAST * 100} % agree on %s`, (name) => {
    const different = findDifferent(lines, name, knownToLabels);
    expect(1 - different.length / lines.length).toBeGreaterThanOrEqual(LEAST);
  });
});

test(`at least ${LEAST * 100} % of all lines agree on verification with the ranges that ship`, () => {
  expect(1 - findDifferent(all, 'verification', shipped).length / all.length).toBeGreaterThanOrEqual(LEAST);
});

test('the two halves are all of the lines', () => {
  expect(all.length).toBeGreaterThanOrEqual(2_000);
  expect(Math.min(seen.length, unseen.length)).toBeGreaterThan(1_000);
});

test('the list that the labels did not know changes its own agent alone, to pretended', () => {
  const known = new Set(findDifferent(all, 'verification', knownToLabels));
  const newer = findDifferent(all, 'verification', shipped).filter((line) => !known.has(line));
  expect(new Set(newer.map(({ token }) => token))).toEqual(new Set([UNKNOWN_TO_LABELS]));
  expect(newer.every((line) => answer(line, shipped).verification === 'pretended')).toBe(true);
});

test('the scores that the README of the labels publishes are those of this code, with the ranges that ship', () => {
  const readme = readFileSync(join(import.meta.dirname, '../labelled/README.md'), 'utf8');
  const formatShare = (lines: readonly LabelledLine[], name: keyof Answers, withCount: boolean): string => {
    const wrong = findDifferent(lines, name, shipped).length;
    const share = `${(100 * (1 - wrong / lines.length)).toFixed(2)} %`;
    return withCount && wrong > 0 ? `${share} (${wrong} differ)` : share;
  };
  for (const name of answers)
    expect(readme).toContain(
      `| ${name} | ${formatShare(seen, name, true)} | ${formatShare(unseen, name, true)} | ${formatShare(all, name, false)} |`,
    );
  expect(readme).toContain(`| | made by (${format(seen)}) | only counted (${format(unseen)}) | all (${format(all)}) |`);
});

const format = ({ length }: readonly unknown[]): string => length.toLocaleString('en-US');
