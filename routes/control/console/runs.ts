import { renderRuns } from '../../../src/web/console/runs.tsx';
import type { ConsoleContext, ConsolePage, Tile } from './console-request.ts';

const LISTED = 50;

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
  tile: buildQueuesTile,
};

async function buildQueuesTile({ env: { OPERATIONS } }: ConsoleContext): Promise<Tile> {
  const { queues } = await OPERATIONS.queues();
  const counts = queues.map((queue) => (queue.read ? queue.messages : undefined));
  const known = counts.filter((count) => count !== undefined);
  if (known.length === 0) throw new Error('No queue could be read');
  const note = known.length < counts.length ? 'could not look at every queue' : undefined;
  const value = String(known.reduce((sum, count) => sum + count, 0));
  return { title: 'Prompts that wait', value, ...(note === undefined ? {} : { note }) };
}
