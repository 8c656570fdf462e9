import { type Aim, atMost, round } from '../aims.ts';
import { type Case, type Kind, OURS, PEER, PLAIN_PEER } from './matrix.ts';

const LIMITS: Readonly<Record<Kind, number>> = { unpaid: 0.35, paid: 0.8 };

/** The aims (against the peer with the discovery block that ours has), and every other ratio as a line. */
export function x402Aims(cases: readonly Case[]): { aims: Aim[]; lines: string[] } {
  const aims: Aim[] = [];
  const lines: string[] = [];
  for (const { server, kind, connections, best } of cases) {
    if (server === PEER || server === PLAIN_PEER) continue;
    for (const peerName of [PEER, PLAIN_PEER]) {
      const peer = cases.find((one) => one.server === peerName && one.kind === kind && one.connections === connections);
      if (!peer) continue;
      const ratio = best.cpuUs / peer.best.cpuUs;
      lines.push(
        `ratio ${kind} c=${connections} ${server} / ${peerName}: CPU ${round(ratio)}, requests/s ${round(best.rps / peer.best.rps)}`,
      );
      if (server !== OURS || peerName !== PEER) continue;
      aims.push(atMost(`x402 ${kind} c=${connections}, CPU per request against ${peerName}`, ratio, LIMITS[kind], 'x'));
    }
  }
  return { aims, lines };
}
