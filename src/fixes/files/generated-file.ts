import type { CheckResult } from '../../audit/core/scores.ts';
import type { Site } from '../../audit/core/site.ts';
import type { Snapshot } from '../../audit/core/snapshot.ts';
import { computeSha256Hex } from '../../lib/digest.ts';
import { listNeededFacts } from '../core/fix-slots.ts';

/** An audited site: what was read and how every check judged it. All that generators build from; they fetch nothing. */
export type Audited = { snapshot: Snapshot; site: Site; judged: readonly CheckResult[] };

/**
 * A file of a site: `path` relative to its root (or to the project for SKILL.md), UTF-8 `content`. `draft`: it has slots,
 * so it is not deployed before the `facts_needed` are filled in. Files that were stored earlier have neither.
 */
export type DeployableFile = {
  path: string;
  media_type: string;
  content: string;
  sha256: string;
  draft?: boolean;
  facts_needed?: readonly string[];
};

/** Makes the wire form of a file. `sha256` is over the UTF-8 bytes of `content`. */
export async function createGeneratedFile(path: string, mediaType: string, content: string): Promise<DeployableFile> {
  return { path, media_type: mediaType, content, sha256: await computeSha256Hex(content) };
}

/** The same for a file of the site, which is a draft while it has slots. */
export async function createSiteFile(path: string, mediaType: string, content: string): Promise<DeployableFile> {
  const needed = listNeededFacts([content]);
  return {
    ...(await createGeneratedFile(path, mediaType, content)),
    ...(needed.length === 0 ? {} : { draft: true, facts_needed: needed }),
  };
}

/** A value as the content of a JSON file. */
export const formatJsonFile = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
