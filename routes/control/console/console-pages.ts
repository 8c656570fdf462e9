import { channelsPage } from './channels.ts';
import type { ConsoleAction, ConsoleDownload, ConsolePage } from './console-request.ts';
import { deadLettersPage } from './dead-letters.ts';
import { logsPage } from './logs.ts';
import { moneyPage } from './money.ts';
import { overviewPage } from './overview.ts';
import { paymentsPage } from './payments.ts';
import { quotasPage } from './quotas.ts';
import { runsPage } from './runs.ts';
import { cardPages } from './service/cards.ts';
import { clientPages } from './service/clients.ts';
import { customerPages } from './service/customers.ts';
import { operatorPages } from './service/operators.ts';
import { publishedPages } from './service/published.ts';
import { workerPages } from './service/workers.ts';
import { tracePage, tracesPage } from './traces.ts';

/** Every page of the console: its navigation and the lines of the overview follow this order. */
export const consolePages: readonly ConsolePage[] = [
  overviewPage,
  moneyPage,
  paymentsPage,
  ...cardPages,
  ...customerPages,
  ...publishedPages,
  runsPage,
  channelsPage,
  deadLettersPage,
  logsPage,
  tracesPage,
  tracePage,
  quotasPage,
  ...clientPages,
  ...operatorPages,
  ...workerPages,
];

/** Every file of the console. */
export const consoleDownloads: readonly ConsoleDownload[] = consolePages.flatMap(({ downloads = [] }) => downloads);

/** Everything that the console can have done. */
export const consoleActions: readonly ConsoleAction[] = consolePages.flatMap(({ actions = [] }) => actions);
