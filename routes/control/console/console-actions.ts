import { renewAction } from './channels.ts';
import type { ConsoleAction } from './console-page.ts';
import { replayAll, replayChosen } from './replay.ts';

/** Everything that the console can have done. */
export const consoleActions: readonly ConsoleAction[] = [renewAction, replayChosen, replayAll];
