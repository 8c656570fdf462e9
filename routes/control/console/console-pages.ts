import { channelsPage, renewAction } from './channels.ts';
import type { ConsoleAction, ConsoleDownload, ConsolePage } from './console-request.ts';
import { deadLettersPage } from './dead-letters.ts';
import { logDownloads, logsPage } from './logs.ts';
import { moneyCsv, moneyPage } from './money.ts';
import { overviewPage } from './overview.ts';
import { paymentsPage } from './payments.ts';
import { quotasPage } from './quotas.ts';
import { replayAll, replayChosen } from './replay.ts';
import { runsPage } from './runs.ts';
import { tracePage } from './trace.ts';
import { tracesPage } from './traces.ts';

/** Every file of the console. */
export const consoleDownloads: readonly ConsoleDownload[] = [moneyCsv, ...logDownloads];

/** Everything that the console can have done. */
export const consoleActions: readonly ConsoleAction[] = [renewAction, replayChosen, replayAll];

/** Every page of the console: its navigation and the tiles of the overview follow this order. */
export const consolePages: readonly ConsolePage[] = [
  overviewPage,
  moneyPage,
  paymentsPage,
  runsPage,
  channelsPage,
  deadLettersPage,
  logsPage,
  tracesPage,
  tracePage,
  quotasPage,
];
