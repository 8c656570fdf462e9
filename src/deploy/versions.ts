import * as z from 'zod';
import type { ApiAnswer, PlatformApi } from './api.ts';
import { type PlatformBinding, bindingSchema, MARKER, parseMark } from './state-shapes.ts';

const listedSchema = z.looseObject({
  id: z.string(),
  number: z.number().default(0),
  metadata: z.looseObject({ created_on: z.string().optional() }).nullish(),
  annotations: z.record(z.string(), z.unknown()).nullish(),
});
const versionsSchema = z.looseObject({ items: z.array(listedSchema).default([]) });
const deploymentSchema = z.looseObject({ versions: z.array(z.looseObject({ version_id: z.string() })).default([]) });
const deploymentsSchema = z.looseObject({ deployments: z.array(deploymentSchema).default([]) });
const detailSchema = z.looseObject({
  id: z.string(),
  resources: z.looseObject({
    bindings: z.array(bindingSchema).default([]),
    script_runtime: z.looseObject({ migration_tag: z.string().nullish() }).optional(),
  }),
});

export type ListedVersion = {
  id: string;
  number: number;
  /** Unix milliseconds; NaN where the platform does not say. */
  createdMs: number;
  /** Whether it was made by a change of a secret. */
  isOfSecret: boolean;
};

/** The versions of a Worker, the newest first, and the one that answers. */
export type WorkerVersions = { live: string | undefined; versions: readonly ListedVersion[] };

/** Reads which versions of a Worker there are. @param path of its script */
export async function listWorkerVersions(api: PlatformApi, path: string): Promise<ApiAnswer<WorkerVersions>> {
  const [listed, deployed] = await Promise.all([
    api.get(`${path}/versions?deployable=true`, versionsSchema),
    api.get(`${path}/deployments`, deploymentsSchema),
  ]);
  if (!listed.ok) return listed;
  if (!deployed.ok) return deployed;
  const versions = listed.result.items.map(({ id, number, metadata, annotations }) => ({
    id,
    number,
    createdMs: Date.parse(metadata?.created_on ?? ''),
    isOfSecret: annotations?.['workers/triggered_by'] === 'secret',
  }));
  return {
    ok: true,
    result: {
      live: deployed.result.deployments[0]?.versions[0]?.version_id,
      versions: versions.toSorted((a, b) => b.number - a.number),
    },
  };
}

export type VersionDetail = {
  id: string;
  /** The hash of what was uploaded; undefined for a version that this command did not make. */
  sources: string | undefined;
  /** The hash of all Workers of the clone that it was uploaded from. */
  release: string | undefined;
  migrationTag: string | undefined;
  secrets: ReadonlySet<string>;
};

export async function readWorkerVersion(api: PlatformApi, path: string, id: string): Promise<ApiAnswer<VersionDetail>> {
  const read = await api.get(`${path}/versions/${id}`, detailSchema);
  if (!read.ok) return read;
  const { bindings, script_runtime: runtime } = read.result.resources;
  const mark = parseMark(findMarker(bindings));
  return {
    ok: true,
    result: {
      id,
      sources: mark?.sources,
      release: mark?.release,
      migrationTag: runtime?.migration_tag ?? undefined,
      secrets: new Set(bindings.filter(({ type }) => type === 'secret_text').map(({ name }) => name)),
    },
  };
}

/** The mark of a deployment among the bindings of a Worker. */
export const findMarker = (bindings: readonly PlatformBinding[]): string | undefined =>
  bindings.find(({ type, name }) => type === 'plain_text' && name === MARKER)?.text;
