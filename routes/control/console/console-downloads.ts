import type { ConsoleDownload } from './console-page.ts';
import { logDownloads } from './logs.ts';
import { moneyCsv } from './money.ts';

/** Every file of the console. */
export const consoleDownloads: readonly ConsoleDownload[] = [moneyCsv, ...logDownloads];
