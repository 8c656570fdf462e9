import { type ClusterFacts, type RingNode, ringNodes } from '../verify/facts.ts';
import { holdsIf, unknown, type Found } from './look.ts';
import type { VerifyOptions } from '../verify/precondition.ts';

const FACTOR = 3;
const UP_AND_NORMAL = 'UN';

export function replicas({ cassandra }: ClusterFacts, _: unknown, { isTrial = false }: VerifyOptions): Found {
  const count = cassandra?.replicas;
  if (count === undefined || count === null) return unknown();
  return holdsIf(count > 0 && (isTrial || count % FACTOR === 0), String(count));
}

export const nodesUp = (facts: ClusterFacts): Found =>
  withNodes(facts, (nodes) => {
    const others = nodes.filter(({ status }) => status !== UP_AND_NORMAL);
    const seen = others.map(({ address, status }) => `${address} ${status}`).join(', ');
    return holdsIf(others.length === 0, others.length === 0 ? `${nodes.length} UN` : seen);
  });

export const ringComplete = (facts: ClusterFacts): Found =>
  withNodes(facts, (nodes) => {
    const wanted = facts.cassandra?.replicas;
    const count = new Set(nodes.map(({ address }) => address)).size;
    if (wanted === undefined || wanted === null) return unknown(`${count} nodes, replicas not in the facts`);
    return holdsIf(count === wanted || count === 2 * wanted, `${count} nodes, ${wanted} replicas`);
  });

export const oneDataCenter = (facts: ClusterFacts): Found =>
  withNodes(facts, (nodes) => {
    const names = [...new Set(nodes.map(({ dataCenter }) => dataCenter).filter((name) => name !== ''))];
    return names.length === 0 ? unknown('no data center named') : holdsIf(names.length === 1, names.join(', '));
  });

/** Without a node in it the text is an error of the tool, and says nothing of the ring. */
function withNodes({ cassandra }: ClusterFacts, judge: (nodes: readonly RingNode[]) => Found): Found {
  const ring = cassandra?.ring;
  if (ring === undefined || ring === null || ring === '') return unknown();
  const nodes = ringNodes(ring);
  return nodes.length === 0 ? unknown(typeof ring === 'string' ? `no nodes: ${ring}` : 'no nodes') : judge(nodes);
}
