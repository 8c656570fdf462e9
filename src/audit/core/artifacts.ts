import { agentFilesArtifacts } from '../agent-files/artifacts.ts';
import { apiArtifacts } from '../api/artifacts.ts';
import { crawlersArtifacts } from '../crawlers/artifacts.ts';
import { llmsTxtArtifacts } from '../llms-txt/artifacts.ts';
import { mcpArtifacts } from '../mcp/artifacts.ts';
import { pageArtifacts } from '../page/artifacts.ts';
import { publisherArtifacts } from '../publisher/artifacts.ts';
import { reachArtifacts } from '../reach/artifacts.ts';
import { renderedArtifacts } from '../rendered/artifacts.ts';
import { sitemapsArtifacts } from '../sitemaps/artifacts.ts';
import { textArtifacts } from '../text/artifacts.ts';
import { type Artifact, type ArtifactRow, type Gatherer, type GathererRow, WAVES } from './artifact.ts';
import type { Snapshot } from './snapshot.ts';

/** Every artifact by name. */
export const artifacts = {
  ...reachArtifacts,
  ...crawlersArtifacts,
  ...sitemapsArtifacts,
  ...llmsTxtArtifacts,
  ...mcpArtifacts,
  ...agentFilesArtifacts,
  ...apiArtifacts,
  ...publisherArtifacts,
  ...textArtifacts,
  ...pageArtifacts,
  ...renderedArtifacts,
};

type Rows = typeof artifacts;
type OwnOf<Row> = Row extends ArtifactRow<unknown, infer Own> ? Own : never;

/** The facts that checks judge, by artifact name. */
export type Artifacts = { [Name in keyof Rows]: Rows[Name] extends ArtifactRow<infer T> ? T : never };
export type ArtifactName = keyof Rows;
export type GathererName = OwnOf<Rows[ArtifactName]>;

const rows = Object.values(artifacts) as readonly ArtifactRow<unknown, GathererName>[];
const gathererRows = (
  rows.flatMap(({ gather }) => Object.entries(gather)) as readonly (readonly [GathererName, GathererRow])[]
).toSorted(([, a], [, b]) => WAVES.indexOf(a.wave) - WAVES.indexOf(b.wave) || a.rank - b.rank);

/** The names of all gatherers, in the order in which they begin. */
export const gathererNames: readonly GathererName[] = gathererRows.map(([name]) => name);

/** The gatherers that run as soon as they can, by name and in their order. */
export const firstGatherers: ReadonlyMap<GathererName, Gatherer> = new Map(
  gathererRows.flatMap(([name, row]) => (row.wave === 'first' ? [[name, row.run] as const] : [])),
);

/** A gatherer that shares the room that the first ones leave. */
export type LaterGatherer = { name: GathererName } & Exclude<GathererRow, { wave: 'first' }>;

/** The others in their order: `late`, then `last`. */
export const laterGatherers: readonly LaterGatherer[] = gathererRows.flatMap(([name, row]) =>
  row.wave === 'first' ? [] : [{ name, ...row }],
);

/** The gatherers whose exchanges an artifact is read from. */
export const listGatherersFor = (name: ArtifactName): readonly GathererName[] =>
  artifacts[name].from as readonly GathererName[];

/** Reads an artifact from a snapshot. */
export const parseArtifact = (name: ArtifactName, snapshot: Snapshot): Artifact<unknown> =>
  artifacts[name].parse(snapshot);
