import { alarmsByOurClock } from './worker-clock.ts';
import * as worker from '../../../local/control-worker.ts';

/** The control Worker of the local stack, at the time of the recording. */
export * from '../../../local/control-worker.ts';
export { default } from '../../../local/control-worker.ts';

alarmsByOurClock(worker);
