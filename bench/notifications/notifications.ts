import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Aim, atLeast, atMost } from '../aims.ts';
import { bundleForWorkerd } from '../bundle-worker.ts';
import { runNode } from '../children.ts';
import { acknowledge, type Acknowledged, CONNECTIONS } from './acknowledgements.ts';
import { type Forgeries, timeForgeries } from './forgeries.ts';
import type { ManyChannels } from './many-channels-run.ts';
import { type InboxKind, type Side, startSide } from './side.ts';

export type NotificationResults = {
  acknowledged: readonly Acknowledged[];
  forgeries: Forgeries;
  manyChannels: ManyChannels;
  bundleGzipKiB: number;
  aims: readonly Aim[];
};

/** The first against the last is the aim; the others tell where the time goes. */
const KINDS: readonly InboxKind[] = ['kept', 'worked', 'empty object', 'nothing kept'];
const MIN_RATIO = 0.8;
const MAX_DIFFERENCE_MS = 0.5;
const MAX_PASS_CPU_MS = 100;

const fileOf = (name: string): string => new URL(name, import.meta.url).pathname;

/** Measures the webhook Worker: acknowledgements, forgeries, and 100,000 channels in the registry. */
export async function measureNotifications(say: (line: string) => void): Promise<NotificationResults> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  const sides: Side[] = [];
  try {
    const script = await bundleForWorkerd(fileOf('ours-worker.ts'));
    for (const kind of KINDS) sides.push(await startSide(kind, script, folder));
    const acknowledged: Acknowledged[] = [];
    for (const connections of CONNECTIONS) acknowledged.push(...(await acknowledge(sides, folder, connections)));
    for (const one of acknowledged) say(shown(one));
    const [kept] = sides;
    if (kept === undefined) throw new Error('no Worker was started');
    const forgeries = await timeForgeries(kept);
    say(`forgeries: ${JSON.stringify(forgeries)}`);
    await Promise.all(sides.splice(0).map((side) => side.stop()));
    const manyChannels = JSON.parse(await runNode([fileOf('many-channels-run.ts'), folder])) as ManyChannels;
    say(`100,000 channels: ${JSON.stringify(manyChannels)}`);
    const bundle = await bundleForWorkerd(fileOf('../../src/webhook-worker.ts'));
    const bundleGzipKiB = Math.round(gzipSync(bundle).byteLength / 1024);
    say(`bundle of the webhook Worker: gzip ${bundleGzipKiB} KiB`);
    const aims = aimsOf(acknowledged, forgeries, manyChannels);
    return { acknowledged, forgeries, manyChannels, bundleGzipKiB, aims };
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

const shown = ({ kind, connections, best, perSOfRounds, peakMiB }: Acknowledged): string =>
  `${kind}, ${connections} connections: ${best.perS.toFixed(0)} acknowledgements/s, p50 ${best.p50.toFixed(1)} ms, p99 ${best.p99.toFixed(1)} ms, ${best.cpuUs.toFixed(0)} us CPU; rounds ${perSOfRounds.join(', ')}; peak ${peakMiB} MiB`;

function aimsOf(
  acknowledged: readonly Acknowledged[],
  { differenceMs }: Forgeries,
  { passCpuMs, outage }: ManyChannels,
): readonly Aim[] {
  const rateOf = (wanted: InboxKind, at: number): number =>
    acknowledged.find(({ kind, connections }) => kind === wanted && connections === at)?.best.perS ?? Number.NaN;
  return [
    ...CONNECTIONS.map((at) =>
      atLeast(
        `notifications, acknowledgements with the durable write against none kept, ${at} connections`,
        rateOf('kept', at) / rateOf('nothing kept', at),
        MIN_RATIO,
        'x',
      ),
    ),
    atMost(
      'notifications, forged messages: mean time of a known channel from that of an unknown one',
      Math.abs(differenceMs),
      MAX_DIFFERENCE_MS,
      'ms',
    ),
    atMost('notifications, a renewal pass of 500 of 100,000 channels, CPU', passCpuMs.median, MAX_PASS_CPU_MS, 'ms'),
    atMost('notifications, channels with a lead over an hour lost to an outage of an hour', outage.lapsedLong, 0, ''),
    atMost('notifications, watches without a successor an hour after the outage', outage.notCaughtUp, 0, ''),
    atMost('notifications, lapsed channels whose users are not read again', outage.withoutResync, 0, ''),
  ];
}
