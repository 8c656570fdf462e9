import { expect, test } from 'vitest';
import { buildPromptMessages } from '../../../../src/search/chat/prompt.ts';
import { createSimulatedChat } from '../../../../src/models/adapters/simulated/chat.ts';
import { createSimulatedEmbedder } from '../../../../src/models/adapters/simulated/embedder.ts';
import { naughty } from '../../../support/audit/hostile-text.ts';
import { piecesOf, textOf } from '../../engine-tools.ts';

const passage = (key: string, text: string) => ({ text, item: { key, timestamp: 0, metadata: {} } });
const PASSAGES = [
  passage('prices.md', '# Prices\n\nThe small plan costs 9 euros a month. Refunds are paid within 14 days.'),
  passage('opening.md', 'The office opens at eight in the morning.\n- Lunch is served at noon.'),
];
const ask = async (question: string, passages = PASSAGES): Promise<string> => {
  const messages = buildPromptMessages({ passages, messages: [{ role: 'user', content: question }], question });
  return textOf(await piecesOf(createSimulatedChat(), new AbortController().signal, messages));
};

test.each([
  ['What does the small plan cost?', 'The small plan costs 9 euros a month. [1]\n\nSources: [1] prices.md'],
  ['When are refunds paid?', 'Refunds are paid within 14 days. [1]\n\nSources: [1] prices.md'],
  ['When does the office open?', 'The office opens at eight in the morning. [2]\n\nSources: [2] opening.md'],
  ['Is lunch served?', 'Lunch is served at noon. [2]\n\nSources: [2] opening.md'],
])('%s', async (question, answer) => {
  expect(await ask(question)).toBe(answer);
});

test('it answers the last question of a conversation', async () => {
  const messages = buildPromptMessages({
    passages: PASSAGES,
    question: 'q',
    messages: [
      { role: 'user', content: 'What does the small plan cost?' },
      { role: 'assistant', content: '9 euros.' },
      { role: 'user', content: 'And when is lunch served?' },
    ],
  });
  expect(textOf(await piecesOf(createSimulatedChat(), new AbortController().signal, messages))).toContain('noon. [2]');
});

test('it says that nothing was found, and that nothing fits', async () => {
  expect(await ask('What does the small plan cost?', [])).toBe('I found nothing about this in the indexed content.');
  expect(await ask('Who wrote Hamlet?')).toBe('The passages that were found do not answer this question.');
});

test('it comes word by word, the same each time, with an end', async () => {
  const messages = buildPromptMessages({ passages: PASSAGES, messages: [], question: 'When are refunds paid?' });
  const pieces = await piecesOf(createSimulatedChat(), new AbortController().signal, messages);
  expect(pieces.length).toBeGreaterThan(8);
  expect(pieces.at(-1)).toMatchObject({ kind: 'end', finish: 'stop', usage: { outputTokens: 15 } });
  expect(await piecesOf(createSimulatedChat(), new AbortController().signal, messages)).toEqual(pieces);
});

test('X4: hostile passages and questions are read as what they are', async () => {
  for (const text of naughty) {
    const answer = await ask(text.slice(0, 2_000), [passage(text.slice(0, 100), text), ...PASSAGES]);
    expect(answer).not.toBe('I found nothing about this in the indexed content.');
  }
});

test('texts that share words are nearer than others, and vectors have length 1', async () => {
  const outcome = await createSimulatedEmbedder().embed(
    ['refund of a payment', 'payments are refunded', 'the office opens at eight', '', '!!'],
    new AbortController().signal,
  );
  if (!outcome.ok) throw new Error('no vectors');
  const near = (one: number, other: number): number =>
    Array.from(outcome.vectors[one] ?? []).reduce(
      (sum, value, at) => sum + value * (outcome.vectors[other]?.[at] ?? 0),
      0,
    );
  expect(near(0, 1)).toBeGreaterThan(near(0, 2) + 0.2);
  expect(outcome.vectors.map((vector) => vector.length)).toEqual([256, 256, 256, 256, 256]);
  for (const at of outcome.vectors.keys()) expect(near(at, at)).toBeCloseTo(1, 5);
});
