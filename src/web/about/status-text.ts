import type { ServiceStatus, PartState } from '../../about/service-status.ts';
import { brand } from '../brand.ts';
import { buildLink, buildText, type PageText, type TextBlock } from '../start/document.ts';

const DAY_CHARS = 10;

/** States in words. */
const words: Readonly<Record<PartState, string>> = {
  open: 'open',
  closed: 'closed',
  ready: 'ready',
  not_configured: 'not configured',
  answers: 'answers',
  refuses: 'answers with errors',
  behind: 'behind',
  not_read: 'could not be looked up',
};

/** What the service knows of itself now, as a page. */
export const buildStatusPage = (status: ServiceStatus): PageText => ({
  path: '/status',
  title: `Status of ${brand.name}`,
  description: `Whether ${brand.name} sells now, and whether the chain, the facilitator and the queues that it needs answer. One look, no history.`,
  changed: status.looked_at.slice(0, DAY_CHARS),
  lead: [
    `This is what one look at ${status.looked_at} found, by version ${status.version}. Another look is made after a minute at the earliest. For programs: `,
    buildLink('status.json', '/status.json'),
    '.',
  ],
  sections: [
    {
      id: 'parts',
      heading: 'What is needed to buy and to audit',
      level: 2,
      blocks: [
        {
          kind: 'table',
          caption: 'What the service needs',
          columns: ['What', 'State', 'Seen'],
          rows: status.parts.map(({ name, state, detail }) => ({ cells: [[name], [words[state]], [detail]] })),
        },
      ],
    },
    { id: 'queues', heading: 'What waits', level: 2, blocks: [listQueues(status)] },
    {
      id: 'limits',
      heading: 'What this page does not say',
      level: 2,
      blocks: [
        buildText(
          'Nothing is measured over time here, so this page claims no availability. What could not be looked up may well work. What became of purchases week by week is on ',
          buildLink('the page of deliveries', '/delivery'),
          ', from the ledger.',
        ),
      ],
    },
  ],
});

function listQueues({ queues }: ServiceStatus): TextBlock {
  if (queues.length === 0) return buildText('This deployment has no queues.');
  return {
    kind: 'table',
    caption: 'Messages that wait in queues',
    columns: ['Queue', { number: 'Messages' }],
    rows: queues.map(({ name, waiting }) => ({
      cells: [[name], [waiting === null ? words.not_read : String(waiting)]],
    })),
  };
}
