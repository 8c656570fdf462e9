import { type ClusterFacts, type RingNode, parseRingNodes } from '../verify/facts.ts';
import { judgeCondition, buildUnknownResult, type ConditionResult } from './look.ts';
import type { VerifyOptions } from '../verify/precondition.ts';

const FACTOR = 3;
const UP_AND_NORMAL = 'UN';

export function judgeCassandraReplicas(
  { cassandra }: ClusterFacts,
  _: unknown,
  { isTrial = false }: VerifyOptions,
): ConditionResult {
  const count = cassandra?.replicas;
  if (count === undefined || count === null) return buildUnknownResult();
  return judgeCondition(count > 0 && (isTrial || count % FACTOR === 0), String(count));
}

export const judgeNodeStates = (facts: ClusterFacts): ConditionResult =>
  withNodes(facts, (nodes) => {
    const others = nodes.filter(({ status }) => status !== UP_AND_NORMAL);
    const seen = others.map(({ address, status }) => `${address} ${status}`).join(', ');
    return judgeCondition(others.length === 0, others.length === 0 ? `${nodes.length} UN` : seen);
  });

export const judgeRingSize = (facts: ClusterFacts): ConditionResult =>
  withNodes(facts, (nodes) => {
    const wanted = facts.cassandra?.replicas;
    const count = new Set(nodes.map(({ address }) => address)).size;
    if (wanted === undefined || wanted === null) return buildUnknownResult(`${count} nodes, replicas not in the facts`);
    return judgeCondition(count === wanted || count === 2 * wanted, `${count} nodes, ${wanted} replicas`);
  });

export const judgeDataCenters = (facts: ClusterFacts): ConditionResult =>
  withNodes(facts, (nodes) => {
    const names = [...new Set(nodes.map(({ dataCenter }) => dataCenter).filter((name) => name !== ''))];
    return names.length === 0
      ? buildUnknownResult('no data center named')
      : judgeCondition(names.length === 1, names.join(', '));
  });

/** Without a node in it the text is an error of the tool, and says nothing of the ring. */
function withNodes(
  { cassandra }: ClusterFacts,
  judge: (nodes: readonly RingNode[]) => ConditionResult,
): ConditionResult {
  const ring = cassandra?.ring;
  if (ring === undefined || ring === null || ring === '') return buildUnknownResult();
  const nodes = parseRingNodes(ring);
  return nodes.length === 0
    ? buildUnknownResult(typeof ring === 'string' ? `no nodes: ${ring}` : 'no nodes')
    : judge(nodes);
}
