import { channelsPage } from './channels.ts';
import type { ConsolePage } from './console-page.ts';
import { deadLettersPage } from './dead-letters.ts';
import { logsPage } from './logs.ts';
import { moneyPage } from './money.ts';
import { overviewPage } from './overview.ts';
import { paymentsPage } from './payments.ts';
import { quotasPage } from './quotas.ts';
import { runsPage } from './runs.ts';
import { tracePage } from './trace.ts';
import { tracesPage } from './traces.ts';

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
