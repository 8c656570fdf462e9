import { zipSync } from 'fflate/browser';
import * as z from 'zod';
import { filesResult } from '../../capabilities/results.ts';
import type { StoredResult } from './stored.ts';
import { formatArchivePath, getFilePlace } from './views/places.ts';

const withFiles = z.looseObject(filesResult.shape);

/**
 * The files of a report as a ZIP file, each in the folder that its page names; undefined for a report without files. The
 * same report is the same archive, byte for byte.
 */
export function buildFilesArchive(
  { capability, json }: StoredResult,
  storedAtMs: number,
): Uint8Array<ArrayBuffer> | undefined {
  const read = withFiles.safeParse(json);
  if (!read.success || read.data.files.length === 0) return undefined;
  const place = getFilePlace(capability);
  const writer = new TextEncoder();
  const entries = read.data.files.map((file) => [formatArchivePath(place, file), writer.encode(file.content)] as const);
  return zipSync(Object.fromEntries(entries), { mtime: storedAtMs });
}
