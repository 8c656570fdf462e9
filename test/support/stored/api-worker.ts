import { alarmsByOurClock } from './worker-clock.ts';
import * as worker from '../../../local/api-worker.ts';

/** The api Worker of the local stack, at the time of the recording. */
export * from '../../../local/api-worker.ts';
export { default } from '../../../local/api-worker.ts';

alarmsByOurClock(worker);
