// For `node --import`: a command of the command line at the time of the recording.
import { setBack } from './clock.ts';

setBack(Number(process.env['CLOCK_SET_BACK_MS'] ?? 0));
