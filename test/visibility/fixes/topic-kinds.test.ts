import { intentLabels, intents } from '../../../src/visibility/run/intents.ts';
import { describe, expect, test } from 'vitest';
import { formatPublicTopic, selectTopicKind } from '../../../src/visibility/fixes/topic-kind.ts';
import { topicKinds } from '../../../src/visibility/fixes/topic-kinds-data.ts';

/** The files of `generate` may not import those of `visibility`: its copy of the labels is tied to them here. */
const labels = intents.map((intent) => intentLabels[intent]);

describe('a label of our reports', () => {
  test.each(labels)('has no place on a page: %s', (label) => {
    expect(selectTopicKind(label)).not.toBe(topicKinds.general);
    expect(formatPublicTopic(label)).not.toBe(label);
    expect(formatPublicTopic(label)).toBe(selectTopicKind(label).title);
  });

  test('has a kind of its own', () => {
    expect(labels).toHaveLength(6);
    expect(new Set(labels.map(selectTopicKind)).size).toBe(labels.length);
  });
});

test("the label of a buyer's own questions is no topic: each question is one", () => {
  expect(selectTopicKind(intentLabels.own)).toBe(topicKinds.general);
});

test('a topic of a caller stays as it is', () => {
  expect(formatPublicTopic('Prices')).toBe('Prices');
});
