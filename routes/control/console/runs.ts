import { formatRunsCsv, renderRuns } from '../../../src/web/console/runs.tsx';
import { CSV_TYPE, type ConsolePage } from './console-request.ts';
import { runSignals } from './pulse.ts';

const LISTED = 50;
const MAX_DOWNLOAD = 100;

/** `/console/runs`: measurements with their state and progress, and how many prompts wait. */
export const runsPage: ConsolePage = {
  path: '/console/runs',
  title: 'Runs',
  show: async ({ env: { OPERATIONS } }) => {
    const [runs, { queues, deadLetters }] = await Promise.all([
      OPERATIONS.runs({ limit: LISTED }),
      OPERATIONS.queues(),
    ]);
    return renderRuns({ runs, queues, deadLetters });
  },
  signals: runSignals,
  downloads: [
    {
      path: '/console/runs.csv',
      read: async ({ env: { OPERATIONS } }) => {
        const found = await OPERATIONS.runs({ limit: MAX_DOWNLOAD });
        if (!found.read) throw new Error('The runs could not be read');
        return { name: 'runs.csv', type: CSV_TYPE, text: formatRunsCsv(found.runs) };
      },
    },
  ],
};
