import { aiAgents } from '../../../src/audit/crawlers/facts/ai-agents-data.ts';
import { formatHost, type WireHost } from '../../../src/ownership/host-wire.ts';
import { openProof } from '../../../src/ownership/proof.ts';
import type { HostAccess } from '../../../src/traffic/access/access-row.ts';
import { buildAccessTable } from '../../../src/traffic/access/access-table.ts';
import { buildCrawlerReport, type CrawlerReport } from '../../../src/traffic/edge/crawler-report.ts';
import type { StoredCell, StoredPage } from '../../../src/traffic/edge/stored-counts.ts';
import type { AccountFrame } from '../../../src/web/account/frame.tsx';
import { renderHostPage } from '../../../src/web/hosts/host-page.tsx';
import { HOSTS_PAGE_PATH, renderHostsPage } from '../../../src/web/hosts/hosts-page.tsx';
import { hostsWords } from '../../../src/web/hosts/hosts-words.ts';
import type { PageLanguage } from '../../../src/web/language/language.ts';
import { MONITORS_PAGE_PATH } from '../../../src/web/monitors/describe-monitor.ts';
import { monitorWords } from '../../../src/web/monitors/monitor-words.ts';
import { NOW_MS } from '../../monitors/receivers/made.ts';
import { PAY_TO } from './fixed-pages.ts';

/** Pages of a person's hosts, with who came, made of data that is the same in every run. */

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
export const WATCHED_HOST = 'www.lanternbay.example';

/** The frame of a page of monitors or hosts. */
export const frameWatched = (path: string, language: PageLanguage): AccountFrame => ({
  language,
  csrf: 'token',
  address: PAY_TO,
  path,
  nav: [
    { path: MONITORS_PAGE_PATH, title: monitorWords[language].title },
    { path: HOSTS_PAGE_PATH, title: hostsWords[language].title },
  ],
});

const cellOf = (agent: string, n: number, more: Partial<StoredCell> = {}): StoredCell => ({
  agent,
  verification: 'verified',
  status_class: 2,
  n,
  bytes: n * 20_000,
  writes: 0,
  refused: 0,
  robots: 2,
  llms: 1,
  markdown: 0,
  first_ms: NOW_MS - 20 * DAY_MS,
  last_ms: NOW_MS - HOUR_MS,
  ...more,
});

const pageOf = (agent: string, path: string, n: number, list: StoredPage['list'] = 'top'): StoredPage => ({
  list,
  agent,
  path,
  n,
  errors: 0,
  pages: 2,
});

const TODAY = Math.floor(NOW_MS / DAY_MS);
const counted: CrawlerReport = buildCrawlerReport(
  WATCHED_HOST,
  { fromDay: TODAY - 27, toDay: TODAY },
  {
    cells: [
      cellOf('OAI-SearchBot', 812),
      cellOf('PerplexityBot', 96, { status_class: 4, refused: 96 }),
      cellOf('ChatGPT-User', 311),
      cellOf('GPTBot', 1_204),
      cellOf('ClaudeBot', 40, { verification: 'claimed' }),
      cellOf('automation', 2_310, { verification: 'claimed' }),
      cellOf('person', 18_441, { verification: 'claimed' }),
    ],
    days: Array.from({ length: 28 }, (_, at) => TODAY - 27 + at).flatMap((day, at) => [
      { day, agent: 'OAI-SearchBot', n: 20 + ((at * 7) % 19) },
      { day, agent: 'ChatGPT-User', n: 8 + ((at * 5) % 11) },
      { day, agent: 'GPTBot', n: 30 + ((at * 11) % 43) },
    ]),
    pages: [
      pageOf('OAI-SearchBot', '/pricing', 120),
      pageOf('OAI-SearchBot', '/guides/returns', 66),
      pageOf('OAI-SearchBot', '', 31),
      pageOf('GPTBot', '/', 210),
      pageOf('person', '/careers', 640),
    ],
    unread: [pageOf('person', '/careers', 640, 'unread'), pageOf('person', '/press', 88, 'unread')],
    referrals: [
      { assistant: 'ChatGPT', n: 412 },
      { assistant: 'Perplexity', n: 57 },
    ],
    received: { batches: 1_382, dropped: 3, lastMs: NOW_MS },
  },
);

const NO_STATUSES = { '1xx': 0, '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, none: 0 } as const;
const visits = (token: string, requests: number, refused = 0) => ({
  token,
  verification: 'verified' as const,
  requests,
  statuses: { ...NO_STATUSES, '2xx': requests - refused, '4xx': refused },
  refused: { requests: refused, pages: [] },
  robots_txt: { requests: 2, before_first_page: null, disallowed: null },
  last_seen: '2026-11-24T00:00:00Z',
});

const watched = aiAgents.slice(0, 9);
const declare = (name: string) => {
  const at = watched.findIndex(({ token }) => token === name);
  return { declared: at === 4 ? ('forbidden' as const) : ('allowed' as const), named: at % 2 === 0 };
};

/** Every contradiction of the roster's first agents, as far as their rows have one. */
const access: HostAccess = {
  state: 'ready',
  report_id: 'c'.repeat(32),
  audited_at: '2026-11-20T08:00:00Z',
  table: buildAccessTable(
    {
      edge: {
        browser: { state: 'served', exchange: undefined },
        provider: undefined,
        reaches: watched.map((agent, at) => ({
          agent,
          asked: agent,
          ...declare(agent.token),
          observed: at === 1 ? ('refused' as const) : ('served' as const),
          why: '',
          exchange: undefined,
        })),
        ads: undefined,
      },
      declare,
    },
    {
      period: { first: '2026-10-29T00:00:00Z', last: '2026-11-25T00:00:00Z' },
      agents: [
        visits('OAI-SearchBot', 812),
        visits('PerplexityBot', 96, 96),
        visits('ChatGPT-User', 311),
        visits('GPTBot', 1_204),
        ...aiAgents.slice(1, 6).map(({ token }, at) => visits(token, 40 + at, at === 0 ? 40 : 0)),
      ],
    },
    aiAgents,
  ),
};

const proofOf = (host: string, foundAtMs: number | null): WireHost =>
  formatHost(
    {
      ...openProof('acc_1', host, NOW_MS - 40 * DAY_MS),
      value: 'a'.repeat(32),
      foundAtMs,
      foundIn: foundAtMs === null ? null : 'dns',
      lookedAtMs: foundAtMs,
    },
    NOW_MS,
  );

export const provenHost = proofOf(WATCHED_HOST, NOW_MS - DAY_MS);
const waiting = proofOf('lanternbay.example', null);

/** Every page of hosts, by its name. */
export function listHostPages(language: PageLanguage): Readonly<Record<string, () => unknown>> {
  const frame = frameWatched(HOSTS_PAGE_PATH, language);
  return {
    hosts: () => renderHostsPage({ frame, hosts: [provenHost, waiting] }),
    'hosts-none': () => renderHostsPage({ frame, hosts: [], fault: 'invalid_host' }),
    host: () =>
      renderHostPage({ frame, host: provenHost, tokenSinceMs: NOW_MS - 30 * DAY_MS, report: counted, access }),
    'host-waiting': () =>
      renderHostPage({
        frame,
        host: waiting,
        tokenSinceMs: undefined,
        report: undefined,
        access: undefined,
        look: { state: 'absent', places: [{ name: '_sightline.lanternbay.example', detail: 'no such record' }] },
      }),
    'host-no-report': () =>
      renderHostPage({
        frame,
        host: provenHost,
        tokenSinceMs: undefined,
        report: counted,
        access: { state: 'none' },
        token: 'sht_x',
      }),
  };
}
