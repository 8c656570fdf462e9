import * as z from 'zod';
import { platforms } from '../plan/plan.ts';

type Facts = NonNullable<NonNullable<ClusterFacts['cassandra']>['ring']>;

/** A node of the ring; `UN` is up and normal. */
export type RingNode = { address: string; status: string; dataCenter: string };

/** `UN  10.16.2.6  690.17 KiB  256  ...`; `?` where the node could not be asked. */
const NODE = /^([UD?][NLJM?])\s+(\S+)/;
const DATA_CENTER = /^Datacenter:\s*(\S.*)$/;

/** The nodes of a ring. None, where the text is not what `nodetool status` prints: nothing is known then. */
export function parseRingNodes(ring: Facts): readonly RingNode[] {
  if (typeof ring !== 'string')
    return ring.map(({ address, status, dataCenter }) => ({ address, status, dataCenter: dataCenter ?? '' }));
  const nodes: RingNode[] = [];
  let dataCenter = '';
  for (const line of ring.split('\n').map((row) => row.trim())) {
    dataCenter = DATA_CENTER.exec(line)?.[1] ?? dataCenter;
    const [, status, address] = NODE.exec(line) ?? [];
    if (status !== undefined && address !== undefined) nodes.push({ address, status, dataCenter });
  }
  return nodes;
}

const MAX_TEXT_CHARS = 1_000;
const MAX_RING_CHARS = 200_000;
const MAX_ROWS = 1_000;
const MAX_PROPERTIES = 1_000;
const MAX_REPLICAS = 10_000;

const text = z.string().max(MAX_TEXT_CHARS);
const count = z.int().min(0).max(MAX_REPLICAS);

/** As the tool prints it, with more than this in it. */
const toolVersion = z.object({ major: text.nullish(), minor: text.nullish(), gitVersion: text.nullish() });

const deployment = z.strictObject({
  name: text,
  replicas: count.nullish(),
  /** Of its autoscaler; without one there is none. */
  minReplicas: count.nullish(),
  /** The image tag, of a control plane. */
  version: text.nullish(),
});

const group = z.strictObject({
  name: text,
  hostnames: z.array(text).max(MAX_ROWS).nullish(),
  /** Those that are attached to it. */
  environments: z.array(text).max(MAX_ROWS).nullish(),
});

/** A place, or whether there is one. */
const backup = z.union([z.boolean(), text]).nullish();

/**
 * What was seen of a cluster, as the tools print it where that can be (step 0 of a plan writes this file). What is missing
 * or null is unknown.
 */
export const clusterFacts = z.strictObject({
  /** `kubectl version -o json` */
  kubectl: z.object({ clientVersion: toolVersion.nullish(), serverVersion: toolVersion.nullish() }).nullish(),
  platform: z.enum(platforms).nullish(),
  /** Of Anthos, on `multi-cloud`. */
  platformVersion: text.nullish(),
  /** `apigeectl version` */
  apigeectl: text.nullish(),
  /** The image tags of the runtime pods, such as `1.2.0, 1.3.6`. */
  hybridVersion: text.nullish(),
  certManager: text.nullish(),
  /** `version` where the deployments do not have it. */
  mesh: z.strictObject({ version: text.nullish(), deployments: z.array(deployment).max(MAX_ROWS).nullish() }).nullish(),
  connect: z
    .strictObject({
      apiEnabled: z.boolean().nullish(),
      /** The e-mail address of the account that `connectAgent` names, and whether it has the role. */
      agentAccount: text.nullish(),
      agentHasRole: z.boolean().nullish(),
      /** In facts of earlier plans, which looked at the account of MART. */
      martHasAgentRole: z.boolean().nullish(),
      /** All properties of the organization. */
      properties: z
        .record(text, text)
        .refine((properties) => Object.keys(properties).length <= MAX_PROPERTIES)
        .nullish(),
    })
    .nullish(),
  watcher: z.strictObject({ accountExists: z.boolean().nullish(), hasRole: z.boolean().nullish() }).nullish(),
  /** All environment groups of the organization. */
  groups: z.array(group).max(MAX_ROWS).nullish(),
  cassandra: z
    .strictObject({
      replicas: count.nullish(),
      /** What `nodetool status` prints, or its lines. */
      ring: z
        .union([
          z.string().max(MAX_RING_CHARS),
          z.array(z.strictObject({ address: text, status: text, dataCenter: text.nullish() })).max(MAX_ROWS),
        ])
        .nullish(),
    })
    .nullish(),
  backups: z.strictObject({ apigeectl: backup, cassandra: backup, overrides: backup }).nullish(),
});
export type ClusterFacts = z.input<typeof clusterFacts>;
