import { expect, test } from 'vitest';
import { answerDocument } from '../../../routes/shared/static-document.ts';

/** More documents than an isolate remembers. */
const CROWD = 250;

test('a document that is in use stays rendered, however many others are asked for', async () => {
  const made = new Map<string, number>();
  const ask = (key: string): Promise<Response> =>
    answerDocument(key, undefined, () => {
      made.set(key, (made.get(key) ?? 0) + 1);
      return { type: 'text/plain; charset=utf-8', body: key };
    });
  await ask('first of the crowd');
  for (let at = 0; at < CROWD; at += 1) {
    await ask(`of the crowd ${at}`);
    expect(await (await ask('in use')).text()).toBe('in use');
  }
  await ask('first of the crowd');
  expect([made.get('in use'), made.get('first of the crowd')]).toEqual([1, 2]);
});
