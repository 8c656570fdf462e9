import { hexOf } from '../../lib/digest.ts';
import type { InstanceConfig } from '../order.ts';
import type { Metadata, NewChunk, NewItem } from '../index/item.ts';
import { chunksOf } from './chunks.ts';

/** What of a file's text makes its item. */
export type TextFile = {
  source: string;
  key: string;
  type: string;
  title: string;
  text: string;
  bytes: Uint8Array;
  metadata: Metadata;
  modifiedMs?: number | undefined;
};

/** The item of a file and its chunks, ready to be stored. */
export async function indexedFile(
  file: TextFile,
  { chunkTokens, overlapTokens }: Pick<InstanceConfig, 'chunkTokens' | 'overlapTokens'>,
): Promise<{ item: NewItem; chunks: readonly NewChunk[] }> {
  const { text, modifiedMs, ...rest } = file;
  const { title } = rest;
  const chunks = chunksOf(text, { chunkTokens, overlapTokens, title });
  const checksum = await checksumOf(file.bytes);
  const item = { ...rest, status: 'completed' as const, checksum, ...(modifiedMs !== undefined && { modifiedMs }) };
  return { item, chunks };
}

/** SHA-256 of a content, in hexadecimal. */
export const checksumOf = async (bytes: Uint8Array): Promise<string> =>
  hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))));
