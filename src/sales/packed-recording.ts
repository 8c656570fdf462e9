import { sha256 } from '@noble/hashes/sha2';
import { type AnyRecording, listRunIds, writeRecordingJson } from '../capabilities/recording.ts';
import { toHex } from '../lib/digest.ts';

/** A recording as it is stored. `sha256`: of the bytes that its readers get, which are not compressed; undefined where no one signs it. */
export type PackedRecording = {
  gzip: ArrayBuffer;
  sha256: string | undefined;
  /** The runs of engines that it holds. */
  runIds: readonly string[];
};

/** Compresses and hashes piece by piece: a recording may be as large as everything an audit read. */
export async function packRecording(
  recording: AnyRecording,
  { isHashed }: { isHashed: boolean },
): Promise<PackedRecording> {
  const pieces = writeRecordingJson(recording);
  const hash = isHashed ? sha256.create() : undefined;
  const encoder = new TextEncoder();
  const text = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const next = pieces.next();
      if (next.done === true) {
        controller.close();
        return;
      }
      const bytes = new Uint8Array(encoder.encode(next.value));
      hash?.update(bytes);
      controller.enqueue(bytes);
    },
  });
  const gzip = await new Response(text.pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
  return { gzip, sha256: hash && toHex(hash.digest()), runIds: listRunIds(recording) };
}
