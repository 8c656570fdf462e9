import { alarmsByOurClock } from './worker-clock.ts';
import * as worker from '../../../local/webhook-worker.ts';

/** The webhook Worker of the local stack, at the time of the recording. */
export * from '../../../local/webhook-worker.ts';
export { default } from '../../../local/webhook-worker.ts';

alarmsByOurClock(worker);
