import { computeSha256Hex } from '../../lib/digest.ts';

/** A file ready to be deployed: `path` relative to the site's root (or to the project for SKILL.md), UTF-8 `content`. */
export type DeployableFile = { path: string; media_type: string; content: string; sha256: string };

/** Makes the wire form of a file. `sha256` is over the UTF-8 bytes of `content`. */
export async function createGeneratedFile(path: string, mediaType: string, content: string): Promise<DeployableFile> {
  return { path, media_type: mediaType, content, sha256: await computeSha256Hex(content) };
}
