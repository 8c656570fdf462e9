import type { AiAgent } from '../../audit/crawlers/facts/ai-agents-data.ts';
import type { Edge } from '../../audit/crawlers/facts/edge.ts';
import type { AccessConflict, AccessRow, AgentVisits } from './access-row.ts';

type Row = Omit<AccessRow, 'conflicts'>;
type About = { agent: AiAgent; provider: Edge['provider']; browser: Edge['browser']['state']; isEmpty: boolean };

/** Share of its requests from which on an agent counts as refused, or as answered with errors. */
const MOST = 0.5;
const MANY_ERRORS = 0.2;
/** Requests below which a share says nothing. */
const MIN_REQUESTS = 5;

/**
 * The contradictions of one agent. Visits count as the agent's own where their addresses are its owner's, or where no one can say;
 * those from elsewhere never do.
 */
export function findConflicts(row: Row, about: About): readonly AccessConflict[] {
  const own = row.came.verified ?? row.came.claimed;
  const found = [
    ...findRefusals(row, own, about),
    ...findDisobedience(row, own, about),
    ...findFailures(row, own),
    ...findAbsence(row, own, about),
  ];
  return row.came.pretended === null ? found : [...found, describePretended(row, row.came.pretended)];
}

const computeServed = ({ statuses }: AgentVisits): number => statuses['2xx'] + statuses['3xx'];
const isMostly = (part: number, { requests }: AgentVisits): boolean =>
  requests >= MIN_REQUESTS && part / requests >= MOST;

const describeVisits = ({ requests }: AgentVisits): string =>
  requests === 1 ? '1 request' : `${requests.toLocaleString('en-US')} requests`;

const explainProvider = ({ provider }: About): string =>
  provider?.setting ?? 'Look for rules about bots in the firewall, the CDN and the server, and allow this agent there.';

function findRefusals(row: Row, own: AgentVisits | null, about: About): readonly AccessConflict[] {
  const { token, owner, declared, observed } = row;
  const isRefused = own !== null && isMostly(own.refused, own);
  if (observed === 'charged')
    return [
      {
        id: 'charged',
        needs_action: row.class === 'user' || row.class === 'search',
        what: `${token} is asked to pay: it got a price instead of the page.`,
        cause: 'The edge charges crawlers.',
        remedy:
          row.class === 'training'
            ? 'Leave it as it is where training should be paid for.'
            : `Take ${token} out of what is charged: an answer that a person waits for goes without the page.`,
      },
    ];
  if (declared === 'forbidden' || about.browser !== 'served') return [];
  if (observed === 'refused' && isRefused)
    return [
      {
        id: 'allowed_but_refused',
        needs_action: true,
        what: `robots.txt lets ${token} in, and the site refuses it: our request under its name, and ${own.refused} of ${describeVisits(own)} in the log.`,
        cause: about.provider === undefined ? 'A rule in front of the site.' : `A rule of ${about.provider.name}.`,
        remedy: explainProvider(about),
      },
    ];
  if (observed === 'refused' && own !== null && isMostly(computeServed(own), own))
    return [
      {
        id: 'refused_to_us_only',
        needs_action: false,
        what: `Our request as ${token} was refused, and ${owner}'s own were served (${describeVisits(own)}).`,
        cause: "The site knows the agent by its address, and ours is not its owner's.",
        remedy: 'Nothing: the agent gets in.',
      },
    ];
  if (observed === 'refused' && own === null)
    return [
      {
        id: 'allowed_but_refused',
        needs_action: true,
        what: `robots.txt lets ${token} in, our request under its name was refused, and it did not come in this time.`,
        cause: about.provider === undefined ? 'A rule in front of the site.' : `A rule of ${about.provider.name}.`,
        remedy: explainProvider(about),
      },
    ];
  if (observed === 'served' && isRefused)
    return [
      {
        id: 'refused_by_address',
        needs_action: true,
        what: `Our request as ${token} was served, and ${own.refused} of ${describeVisits(own)} of its own were refused.`,
        cause: 'A limit of requests or a block of addresses: it acts on the network that the agent comes from.',
        remedy: `Allow the addresses that ${owner} publishes, and raise the limit of requests for them.`,
      },
    ];
  return [];
}

function findDisobedience(row: Row, own: AgentVisits | null, { agent }: About): readonly AccessConflict[] {
  const { token, declared, class: kind } = row;
  if (own === null) return [];
  const remedy = `To keep ${token} out, refuse it by User-Agent and address at the edge: robots.txt only asks.`;
  const cause =
    kind === 'user' || !agent.obeysRobots
      ? 'It fetches what a person asks for, and its owner does not promise to follow robots.txt then.'
      : 'It read robots.txt before the rule was there, or does not follow it.';
  if (own.disallowed !== null)
    return own.disallowed === 0
      ? []
      : [
          {
            id: 'forbidden_and_came',
            needs_action: kind !== 'user',
            what: `${token} asked for pages that robots.txt keeps it from: ${own.disallowed} of ${describeVisits(own)}.`,
            cause,
            remedy,
          },
        ];
  if (declared !== 'forbidden' || computeServed(own) === 0) return [];
  return [
    {
      id: 'forbidden_but_served',
      needs_action: kind !== 'user',
      what: `robots.txt keeps ${token} from the start page, and the site served it: ${describeVisits(own)}.`,
      cause,
      remedy,
    },
  ];
}

function findFailures({ token }: Row, own: AgentVisits | null): readonly AccessConflict[] {
  if (own === null || own.requests < MIN_REQUESTS) return [];
  const errors = own.statuses['5xx'];
  if (errors / own.requests < MANY_ERRORS || own.refused - errors >= errors) return [];
  return [
    {
      id: 'answers_fail',
      needs_action: true,
      what: `The server failed for ${token}: ${errors} of ${describeVisits(own)} were answered 5xx.`,
      cause: 'The server breaks, or is too slow, for the pages that it asks for.',
      remedy: 'Look at these pages in the error log of the server, by the time and path of these requests.',
    },
  ];
}

function findAbsence(row: Row, own: AgentVisits | null, { agent, isEmpty }: About): readonly AccessConflict[] {
  if (isEmpty) return [];
  const { token, declared, observed } = row;
  const isAwaited = agent.answers && (row.class === 'search' || row.class === 'multi-purpose');
  if (own !== null || !isAwaited || declared !== 'allowed' || observed !== 'served') return [];
  return [
    {
      id: 'never_came',
      needs_action: false,
      what: `${token} may come and would be served, and did not come in this time.`,
      cause: 'The log is short, the site is new, or the crawler has found no link to it.',
      remedy:
        'Read a log of four weeks. If it is missing there too, submit the sitemap to its owner and get links from pages that it reads.',
    },
  ];
}

const describePretended = ({ token, owner }: Row, pretended: AgentVisits): AccessConflict => ({
  id: 'pretended',
  needs_action: false,
  what: `${describeVisits(pretended)} came as ${token} from addresses that are not ${owner}'s.`,
  cause: 'Someone borrows the name: to scrape, or, as we do, to test how the site answers.',
  remedy: `Refuse the name from other addresses than those that ${owner} publishes, where it does harm.`,
});
