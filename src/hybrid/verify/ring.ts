import type { ClusterFacts } from './facts.ts';

type Facts = NonNullable<NonNullable<ClusterFacts['cassandra']>['ring']>;

/** A node of the ring; `UN` is up and normal. */
export type RingNode = { address: string; status: string; dataCenter: string };

/** `UN  10.16.2.6  690.17 KiB  256  ...`; `?` where the node could not be asked. */
const NODE = /^([UD?][NLJM?])\s+(\S+)/;
const DATA_CENTER = /^Datacenter:\s*(\S.*)$/;

/** The nodes of a ring. None, where the text is not what `nodetool status` prints: nothing is known then. */
export function ringNodes(ring: Facts): readonly RingNode[] {
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
