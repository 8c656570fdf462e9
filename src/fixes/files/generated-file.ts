import type { CheckResult } from '../../audit/core/scores.ts';
import type { Site } from '../../audit/core/site.ts';
import type { Snapshot } from '../../audit/core/snapshot.ts';
import { computeSha256Hex } from '../../lib/digest.ts';

/** An audited site: what was read and how every check judged it. All that generators build from; they fetch nothing. */
export type Audited = { snapshot: Snapshot; site: Site; judged: readonly CheckResult[] };

/** A file ready to be deployed: `path` relative to the site's root (or to the project for SKILL.md), UTF-8 `content`. */
export type DeployableFile = { path: string; media_type: string; content: string; sha256: string };

/** Makes the wire form of a file. `sha256` is over the UTF-8 bytes of `content`. */
export async function createGeneratedFile(path: string, mediaType: string, content: string): Promise<DeployableFile> {
  return { path, media_type: mediaType, content, sha256: await computeSha256Hex(content) };
}

/** A value as the content of a JSON file. */
export const formatJsonFile = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
