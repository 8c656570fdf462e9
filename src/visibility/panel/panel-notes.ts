import { classifyRun, computeMinValid, type CollectedRun } from '../run/run.ts';
import type { EngineDifference } from './differences.ts';
import { type EngineReadings, getEngineName, isMeasured } from './engine-readings.ts';

/** What a reader must know of a panel as a whole. Our words, names of the operator's engines, and numbers alone. */
export function buildPanelNotes(
  runs: readonly CollectedRun[],
  engines: readonly EngineReadings[],
  differences: readonly EngineDifference[],
): readonly string[] {
  const called = differences.filter(({ verdict }) => verdict !== 'too_close_to_call');
  return [
    ...runs.filter((run) => !isMeasured(run)).map(describeMissing),
    ...engines
      .filter(({ run }) => classifyRun(run.answers) === 'degraded')
      .map(({ engine }) => `${engine}: few real answers, so its intervals are wide.`),
    ...(engines.length < 2
      ? ['One engine was measured, so nothing is pooled over engines.']
      : [
          `The pooled rate is the mean of ${engines.length} engines, each with the same weight. It is not the rate of any of them.`,
        ]),
    ...(engines.length < 2
      ? []
      : called.length === 0
        ? [
            'No two engines differ by more than chance in how often they name the brand, which does not mean that they are equal.',
          ]
        : called.map(describeDifference)),
  ];
}

function describeMissing(run: CollectedRun): string {
  const valid = run.answers.filter(({ status }) => status === 'answered').length;
  const total = run.answers.length;
  return `${getEngineName(run)}: not measured. It gave ${valid} real answers to ${total} prompts, and ${computeMinValid(total)} are needed.`;
}

function describeDifference({ engines: [first, second], verdict, difference, n }: EngineDifference): string {
  const [more, fewer] = verdict === 'first' ? [first, second] : [second, first];
  const points = Math.abs(Math.round(difference * 100));
  return `${more} names the brand more often than ${fewer}: ${points} points on the ${n} prompts that both answered, more than chance explains.`;
}
