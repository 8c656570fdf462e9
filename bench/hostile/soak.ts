import { setTimeout as sleep } from 'node:timers/promises';
import { residentMiBOf } from '../process-usage.ts';
import type { LoadReport } from './lanes.ts';
import { chargedOn, CLIENTS, prepareLoad, withStack } from './load.ts';
import { medianBetween, peakOf, watchResident } from './resident.ts';

/** Memory of workerd in MiB. `half` and `end`: medians of the tenth of the time before the middle and before the end. */
export type SoakReport = {
  minutes: number;
  startMiB: number;
  halfMiB: number;
  endMiB: number;
  peakMiB: number;
  /** After the load, when nothing has been asked for a while. */
  afterMiB: number;
  charged: number;
  delivered: number;
  load: LoadReport;
};

/** Of the whole time, before hostile previews begin: a minute of ten. */
const START_SHARE = 0.1;
const MIN_START_S = 20;
const REST_S = 60;
/** More than this machine sells; what is left over is not presented. */
const MAX_SALES_PER_S = 60;

/** The load of the figures with hostile previews beside it, for so many minutes after a start without them. */
export function soak(minutes: number): Promise<SoakReport> {
  return withStack(async (stack, sites, folder) => {
    const hostileFromS = Math.max(MIN_START_S, minutes * 60 * START_SHARE);
    const seconds = hostileFromS + minutes * 60;
    const load = await prepareLoad(stack, folder, {
      clients: CLIENTS,
      hostileSites: Object.values(sites),
      warmUpS: hostileFromS,
      hostileFromS,
      seconds,
      payments: Math.ceil(seconds * MAX_SALES_PER_S),
    });
    const watch = watchResident(stack.workerdPid);
    const report = await load.run();
    const samples = await watch.stop();
    await sleep(REST_S * 1000);
    const windowS = minutes * 6;
    const halfS = hostileFromS + minutes * 30;
    return {
      minutes,
      startMiB: medianBetween(samples, hostileFromS - MIN_START_S / 4, hostileFromS),
      halfMiB: medianBetween(samples, halfS - windowS, halfS),
      endMiB: medianBetween(samples, seconds - windowS, seconds),
      peakMiB: peakOf(samples),
      afterMiB: residentMiBOf(stack.workerdPid),
      charged: await chargedOn(stack),
      delivered: report.lanes.paid.outcomes['200'] ?? 0,
      load: report,
    };
  });
}
