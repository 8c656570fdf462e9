import { expect, test } from 'vitest';
import { aiAgents } from '../../../src/audit/crawlers/facts/ai-agents-data.ts';
import type { AgentReach, Edge } from '../../../src/audit/crawlers/facts/edge.ts';
import { edgeProviders } from '../../../src/audit/crawlers/facts/edge-providers-data.ts';
import { describeAccessTable } from '../../../src/traffic/access/access-section.ts';
import { buildAccessTable, type CountedVisits } from '../../../src/traffic/access/access-table.ts';
import type { StatusCounts } from '../../../src/traffic/tally/traffic-report.ts';

type Seen = Partial<Pick<AgentReach, 'declared' | 'observed' | 'named'>>;
type Counted = CountedVisits['agents'][number];

const NONE: StatusCounts = { '1xx': 0, '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, none: 0 };

function reach(token: string, seen: Seen = {}): AgentReach {
  const agent = aiAgents.find((one) => one.token === token);
  if (agent === undefined) throw new Error(token);
  return {
    agent,
    asked: agent,
    declared: 'allowed',
    named: false,
    observed: 'served',
    why: '',
    exchange: undefined,
    ...seen,
  };
}

const edgeOf = (reaches: readonly AgentReach[], provider?: Edge['provider']): Edge => ({
  browser: { state: 'served', exchange: undefined },
  provider,
  reaches,
  ads: undefined,
});

/** robots.txt forbids training by name, and nothing else. */
const declare = (token: string) =>
  token === 'CCBot'
    ? ({ declared: 'forbidden', named: true } as const)
    : ({ declared: 'allowed', named: false } as const);

/** The table of what was seen: agents are declared what their reach says, the others as above. */
const build = (edge: Edge, counted: CountedVisits) => {
  const reaches = new Map(edge.reaches.map((one) => [one.agent.token, one]));
  return buildAccessTable({ edge, declare: (token) => reaches.get(token) ?? declare(token) }, counted, aiAgents);
};

const visits = (
  token: string,
  statuses: Partial<StatusCounts>,
  more: Partial<Counted> & { refusedRequests?: number; disallowed?: number } = {},
): Counted => {
  const { refusedRequests = 0, disallowed, ...rest } = more;
  return {
    token,
    verification: 'verified',
    requests: Object.values(statuses).reduce((sum, count) => sum + count, 0),
    statuses: { ...NONE, ...statuses },
    refused: { requests: refusedRequests, pages: [] },
    robots_txt: {
      requests: 0,
      before_first_page: null,
      disallowed: disallowed === undefined ? null : { requests: disallowed, pages: [] },
    },
    last_seen: '2026-11-20T00:00:00Z',
    ...rest,
  };
};

function conflictsOf(seen: Seen, counted: readonly Counted[], token = 'OAI-SearchBot') {
  const period = { first: null, last: null };
  const table = build(edgeOf([reach(token, seen)]), { period, agents: counted });
  return table.rows.find((row) => row.token === token)?.conflicts.map(({ id }) => id);
}

test('an agent that may come, is served and came contradicts nothing', () =>
  expect(conflictsOf({}, [visits('OAI-SearchBot', { '2xx': 90, '4xx': 3 })])).toEqual([]));

test.each<[string, Seen, readonly Counted[]]>([
  ['allowed_but_refused', { observed: 'refused' }, [visits('OAI-SearchBot', { '4xx': 9 }, { refusedRequests: 9 })]],
  ['allowed_but_refused', { observed: 'refused' }, []],
  ['refused_to_us_only', { observed: 'refused' }, [visits('OAI-SearchBot', { '2xx': 9 })]],
  ['refused_by_address', {}, [visits('OAI-SearchBot', { '2xx': 2, '4xx': 8 }, { refusedRequests: 8 })]],
  ['forbidden_but_served', { declared: 'forbidden' }, [visits('OAI-SearchBot', { '2xx': 1 })]],
  ['forbidden_and_came', { declared: 'forbidden' }, [visits('OAI-SearchBot', { '2xx': 9 }, { disallowed: 4 })]],
  ['charged', { observed: 'charged' }, []],
  ['answers_fail', {}, [visits('OAI-SearchBot', { '2xx': 7, '5xx': 3 }, { refusedRequests: 3 })]],
  ['never_came', {}, []],
])('%s: %j, %j', (id, seen, counted) => expect(conflictsOf(seen, counted)).toEqual([id]));

test.each<[string, Seen, readonly Counted[]]>([
  ['too few requests to say that it is refused', {}, [visits('OAI-SearchBot', { '4xx': 2 }, { refusedRequests: 2 })]],
  ['kept out as declared', { declared: 'forbidden', observed: 'refused' }, []],
  [
    'read robots.txt and obeyed it',
    { declared: 'forbidden' },
    [visits('OAI-SearchBot', { '2xx': 9 }, { disallowed: 0 })],
  ],
  ['could not be looked at', { declared: 'unknown', observed: 'unknown' }, []],
  ['was not asked', { observed: 'not_asked' }, []],
])('nothing is said of one that %s', (_title, seen, counted) => expect(conflictsOf(seen, counted)).toEqual([]));

test('requests from other addresses are said apart, and are never the agent', () => {
  const pretended = visits('OAI-SearchBot', { '4xx': 50 }, { verification: 'pretended', refusedRequests: 50 });
  expect(conflictsOf({}, [pretended])).toEqual(['never_came', 'pretended']);
  expect(conflictsOf({}, [pretended, visits('OAI-SearchBot', { '2xx': 9 })])).toEqual(['pretended']);
});

test('an agent without published addresses counts by its own word', () =>
  expect(
    conflictsOf({ declared: 'forbidden' }, [visits('OAI-SearchBot', { '2xx': 9 }, { verification: 'claimed' })]),
  ).toEqual(['forbidden_but_served']));

test('what fetches for a person is no disobedience that needs action', () => {
  const counted = { period: { first: null, last: null }, agents: [visits('ChatGPT-User', { '2xx': 9 })] };
  const table = build(edgeOf([reach('ChatGPT-User', { declared: 'forbidden' })]), counted);
  expect(table.rows[0]?.conflicts).toMatchObject([{ id: 'forbidden_but_served', needs_action: false }]);
});

test('the remedy of a refusal is the setting of who answers in front of the site', () => {
  const [provider] = edgeProviders;
  const edge = edgeOf([reach('OAI-SearchBot', { observed: 'refused' })], provider);
  const table = build(edge, { period: { first: null, last: null }, agents: [] });
  expect(table.provider).toBe(provider?.name);
  expect(table.rows[0]?.conflicts[0]?.remedy).toBe(provider?.setting);
});

test('agents of the log that were not asked have a row with what robots.txt says to them; those of neither have none', () => {
  const counted = { period: { first: null, last: null }, agents: [visits('CCBot', { '2xx': 3 })] };
  const { rows } = build(edgeOf([reach('OAI-SearchBot')]), counted);
  expect(rows.map(({ token, observed, declared }) => [token, observed, declared])).toEqual([
    ['OAI-SearchBot', 'served', 'allowed'],
    ['CCBot', 'not_asked', 'forbidden'],
  ]);
});

test('a report names what needs action first', () => {
  const edge = edgeOf([reach('OAI-SearchBot'), reach('Claude-SearchBot', { observed: 'refused' })]);
  const period = { first: '2026-11-01T00:00:00Z', last: '2026-11-20T00:00:00Z' };
  const { texts, tables } = describeAccessTable(build(edge, { period, agents: [] }));
  expect(texts.join(' ')).toContain('2026-11-01 to 2026-11-20');
  expect(tables[0]?.rows.map(([agent, , observed]) => [agent, observed])).toEqual([
    ['OAI-SearchBot', 'served'],
    ['Claude-SearchBot', 'refused'],
  ]);
  expect(tables[1]?.rows.map(([agent]) => agent)).toEqual(['Claude-SearchBot', 'OAI-SearchBot']);
});
