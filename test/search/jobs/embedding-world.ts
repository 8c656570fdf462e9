import { answerUpload } from '../../../src/search/answer-order.ts';
import type { Embedder } from '../../../src/models/port.ts';
import { crawlWorld, facts } from '../crawl/world.ts';

/** An embedder that knows zeppelins from all else, and what it was asked. */
export function embedder(model = 'm1') {
  const asked: number[] = [];
  const state = { isDown: false, retryable: true };
  const engine: Embedder = {
    kind: 'simulated',
    model,
    embed: async (texts) => {
      asked.push(texts.length);
      await Promise.resolve();
      if (state.isDown) return { ok: false, detail: 'status 500', retryable: state.retryable };
      return { ok: true, vectors: texts.map((text) => Float32Array.of(text.includes('zeppelin') ? 1 : 0, 1)) };
    },
  };
  return { asked, state, engine };
}

const { source: _source, ...config } = facts({ vector: true, chunkTokens: 16, overlapTokens: 0 }).config;
export const instance = { ...facts(), config };

/** A file whose chunks have no vectors yet: the engine comes after it. */
export async function uploaded(words: number) {
  const world = crawlWorld({});
  const model = embedder();
  world.learn(instance);
  await answerUpload(world.parts, instance, fileOf(`${'word '.repeat(words)}zeppelin`));
  world.state.embedder = model.engine;
  return { ...world, model };
}

export const fileOf = (text: string, key = 'a.txt') => {
  const bytes = new TextEncoder().encode(text);
  return { key, type: 'text/plain', bytes, text, title: '', metadata: {}, waits: true };
};
