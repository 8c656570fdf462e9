import { describe, expect, test } from 'vitest';
import { publicTopic, topicKind } from '../../../src/visibility/fixes/fixes.ts';
import { topicKinds } from '../../../src/visibility/fixes/topic-kinds-data.ts';
import { intentLabels } from '../../../src/visibility/run/intents.ts';

/** The files of `generate` may not import those of `visibility`: its copy of the labels is tied to them here. */
const labels = Object.values(intentLabels);

describe('a label of our reports', () => {
  test.each(labels)('has no place on a page: %s', (label) => {
    expect(topicKind(label)).not.toBe(topicKinds.general);
    expect(publicTopic(label)).not.toBe(label);
    expect(publicTopic(label)).toBe(topicKind(label).title);
  });

  test('has a kind of its own', () => {
    expect(labels).toHaveLength(6);
    expect(new Set(labels.map(topicKind)).size).toBe(labels.length);
  });
});

test('a topic of a caller stays as it is', () => {
  expect(publicTopic('Prices')).toBe('Prices');
});
