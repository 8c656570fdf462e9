import type { Artifact } from '../../core/artifact.ts';
import { type Snapshot, getExchangeLookup } from '../../core/snapshot.ts';
import { type Issue, isJsonRecord, getString } from '../../structured-data/facts/json-document.ts';
import { readTextFile, type SiteTextFile } from '../../llms-txt/facts/llms-files.ts';
import { readFences, readHeading, splitFrontMatter } from '../../llms-txt/facts/markdown-quality.ts';
import { type DocumentState, readDocument } from '../../mcp/facts/document.ts';

/** Lines of one text that are read. */
const MAX_LINES = 20_000;

/** Artifact `agentsMd`: /AGENTS.md. Never fails as a whole. */
export const readAgentsMd = (snapshot: Snapshot): Artifact<SiteTextFile> => readTextArtifact(snapshot, 'agents-md');

/** Artifact `sitemapMd`: /sitemap.md. Never fails as a whole. */
export const readSitemapMd = (snapshot: Snapshot): Artifact<SiteTextFile> => readTextArtifact(snapshot, 'sitemap-md');

function readTextArtifact(snapshot: Snapshot, role: string): Artifact<SiteTextFile> {
  const find = getExchangeLookup(snapshot);
  return { state: 'ready', value: readTextFile(find(role), find('control')) };
}

/** How many sections a Markdown text has: headings below the first level, or of it when there are several. */
export function countSections(body: string): number {
  const { lines } = readFences(body.split(/\r\n|\n|\r/u).slice(0, MAX_LINES));
  const levels = splitFrontMatter(lines)
    .rest.flatMap(readHeading)
    .map(({ level }) => level);
  const deeper = levels.filter((level) => level > 1).length;
  return deeper > 0 ? deeper : Math.max(0, levels.length - 1);
}

/** A UCP business profile; `issues` are what a client would stumble over. */
export type CommerceProfile = { version: string; issues: readonly Issue[] };

/** Artifact `commerceProfile`: /.well-known/ucp. Never fails as a whole. */
export function readCommerceProfile(snapshot: Snapshot): Artifact<DocumentState<CommerceProfile>> {
  const find = getExchangeLookup(snapshot);
  return { state: 'ready', value: readDocument(find('ucp'), find('control'), readProfile) };
}

/** Versions are dates (ucp.dev, "Versioning"). */
function readProfile(value: unknown): CommerceProfile | undefined {
  const ucp = isJsonRecord(value) ? value['ucp'] : undefined;
  if (!isJsonRecord(ucp)) return undefined;
  const version = getString(ucp, 'version') ?? '';
  const services = ucp['services'];
  const capabilities = ucp['capabilities'];
  return {
    version: version.slice(0, 40),
    issues: [
      ...(/^\d{4}-\d{2}-\d{2}$/u.test(version)
        ? []
        : [{ pointer: '/ucp/version', message: 'must be a date, YYYY-MM-DD' }]),
      ...(isJsonRecord(services) && Object.keys(services).length > 0
        ? []
        : [{ pointer: '/ucp/services', message: 'must name at least one service' }]),
      ...(capabilities === undefined || typeof capabilities === 'object'
        ? []
        : [{ pointer: '/ucp/capabilities', message: 'must be a list or a map' }]),
    ],
  };
}
