import type { NewChunk, NewItem } from '../../../src/search/index/item.ts';

/** Chunks of texts that stand one behind the other. */
export function chunksOf(...texts: readonly string[]): NewChunk[] {
  let end = 0;
  return texts.map((text) => {
    const startByte = end;
    end += new TextEncoder().encode(text).length;
    return { text, heading: '', startByte, endByte: end };
  });
}

export const itemOf = (key: string, some: Partial<NewItem> = {}): NewItem => ({
  source: 'builtin',
  key,
  status: 'completed',
  type: 'text/markdown',
  title: '',
  metadata: {},
  checksum: `sum of ${key}`,
  ...some,
});

export { searchQuery as asked } from '../../support/management/search-made.ts';
