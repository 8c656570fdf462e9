import type { VisitorClass } from '../agents/agent-class.ts';
import type { UnreadableReason } from '../record.ts';
import type { Verification } from '../ranges/verify.ts';
import { formatTitles } from '../formats/formats-data.ts';
import {
  type AgentTraffic,
  type FileTraffic,
  MIN_PEOPLE_CELL,
  type TrafficPage,
  type TrafficReport,
} from '../tally/traffic-report.ts';

/** A part of a report: sentences, then tables. `code` cells are text of a log, or names of files. */
export type TrafficCell = string | { code: string };
export type TrafficTable = { caption: string; columns: readonly string[]; rows: readonly (readonly TrafficCell[])[] };
export type TrafficSection = { title: string; texts: readonly string[]; tables: readonly TrafficTable[] };

export const classTitles: Readonly<Record<VisitorClass, string>> = {
  search: 'search crawlers',
  user: 'agents of users',
  training: 'training crawlers',
  'multi-purpose': 'crawlers of several purposes',
  automation: 'other programs',
  person: 'people',
};

const verificationTitles: Readonly<Record<Verification, string>> = {
  verified: 'verified',
  claimed: 'claims to be',
  pretended: 'pretended',
};

const reasonTitles: Readonly<Record<UnreadableReason, string>> = {
  too_long: 'longer than 64 KiB',
  binary: 'with binary',
  incomplete: 'cut off',
  shape: 'of another form',
};

/** `1,234 requests`. */
export const countThings = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

const formatNumber = (count: number): string => count.toLocaleString('en-US');
const formatDay = (time: string | null): string => time?.slice(0, 10) ?? '-';
const formatShare = (share: number | null): string => (share === null ? '-' : `${(share * 100).toFixed(1)} %`);

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${UNITS[power]}`;
}

/** The parts of a report, in their order; each list has at most `maxRows` rows. */
export function listTrafficSections(report: TrafficReport, maxRows: number): readonly TrafficSection[] {
  return [
    describeReading(report),
    { title: 'Visitors', texts: [], tables: [listClasses(report)] },
    describeAgents(report, maxRows),
    describeRobots(report, maxRows),
    describeRefusals(report, maxRows),
    describeUnread(report, maxRows),
    describeReferrals(report, maxRows),
  ].filter(({ texts, tables }) => texts.length > 0 || tables.length > 0);
}

function describeReading({ lines, period, files, hosts }: TrafficReport): TrafficSection {
  const { requests, read, other, undated, unreadable, left_out: out } = lines;
  const broken = Object.entries(unreadable).filter(([, count]) => count > 0) as [UnreadableReason, number][];
  const skipped = [
    ['of another time', out.time],
    ['of another host or of none', out.host],
    ['outside of the chosen part of the site', out.root],
  ] as const;
  const total = broken.reduce((sum, [, count]) => sum + count, 0);
  return {
    title: 'Who came',
    texts: [
      `${countThings(requests, 'request')} in ${countThings(read, 'line')} of ${countThings(files.length, 'file')}${period.first === null ? '' : `, ${formatDay(period.first)} to ${formatDay(period.last)} (UTC)`}.`,
      ...(total === 0
        ? []
        : [
            `${countThings(total, 'line')} could not be read: ${broken.map(([reason, count]) => `${formatNumber(count)} ${reasonTitles[reason]}`).join(', ')}.`,
          ]),
      ...(other === 0 ? [] : [`${countThings(other, 'line')} said something else than a request.`]),
      ...(undated === 0 ? [] : [`${countThings(undated, 'request')} without a time that exists.`]),
      ...skipped.flatMap(([what, count]) =>
        count === 0 ? [] : [`${countThings(count, 'request')} ${what} left out.`],
      ),
      ...files.flatMap(describeFileEnd),
      ...files.flatMap(({ name, same_as: same }) =>
        same === null ? [] : [`${name}: it has the lines of ${same}, and they are counted twice.`],
      ),
      ...(hosts === 'several'
        ? ['The log is of several hosts, whose paths are counted together: choose one with --host.']
        : []),
    ],
    tables:
      files.length < 2
        ? []
        : [
            {
              caption: 'Files',
              columns: ['file', 'format', 'lines', 'requests', 'unreadable'],
              rows: files.map(({ name, format, lines: count, requests: found, unreadable: lost }) => [
                { code: name },
                format === null ? 'unknown' : formatTitles[format].title,
                formatNumber(count),
                formatNumber(found),
                formatNumber(lost),
              ]),
            },
          ],
  };
}

function describeFileEnd({ name, ended, compression }: FileTraffic): readonly string[] {
  if (ended === 'whole') return [];
  const why = ended === 'truncated' ? 'breaks off' : 'is damaged';
  return [`${name}: its ${compression} ${why}; what came before is counted.`];
}

function listClasses({ classes, lines }: TrafficReport): TrafficTable {
  return {
    caption: 'By class',
    columns: ['visitors', 'requests', 'share', 'pages', 'errors', 'sent', 'first seen', 'last seen'],
    rows: classes.map((one) => [
      classTitles[one.class],
      formatNumber(one.requests),
      formatShare(one.requests / Math.max(1, lines.requests)),
      formatNumber(one.pages),
      formatShare(one.error_share),
      formatBytes(one.bytes),
      formatDay(one.first_seen),
      formatDay(one.last_seen),
    ]),
  };
}

const isReal = ({ verification }: AgentTraffic): boolean => verification !== 'pretended';

function describeAgents(
  { agents, ranges_date: date, roster_date: roster }: TrafficReport,
  maxRows: number,
): TrafficSection {
  if (agents.length === 0)
    return { title: 'AI agents', texts: [`None of the agents of the roster (${roster}) came.`], tables: [] };
  const table: TrafficTable = {
    caption: 'By agent',
    columns: ['agent', 'of', 'identity', 'requests', 'pages', 'errors', 'sent', 'addresses', 'first seen', 'last seen'],
    rows: agents.map((agent) => [
      agent.token,
      agent.owner,
      verificationTitles[agent.verification],
      formatNumber(agent.requests),
      formatNumber(agent.pages),
      formatShare(agent.error_share),
      formatBytes(agent.bytes),
      `${agent.addresses_capped ? 'over ' : ''}${formatNumber(agent.addresses)}`,
      formatDay(agent.first_seen),
      formatDay(agent.last_seen),
    ]),
  };
  const busiest = agents.filter(isReal).filter(({ top_pages: pages }) => pages.length > 0);
  return {
    title: 'AI agents',
    texts: [
      `Verified: the address is in the ranges that the owner publishes (read ${date}). Pretended: the owner publishes ranges, and it is outside of them. "Claims to be": it cannot be said.`,
    ],
    tables: [
      table,
      ...busiest
        .slice(0, MAX_AGENTS_WITH_PAGES)
        .map((agent) => listPages(`Pages of ${labelAgent(agent)}`, agent.top_pages, maxRows)),
    ],
  };
}

/** Agents whose pages are listed in texts; the JSON has those of all. */
const MAX_AGENTS_WITH_PAGES = 5;

const labelAgent = ({ token, verification }: AgentTraffic): string =>
  verification === 'claimed' ? token : `${token}, ${verificationTitles[verification]}`;

const listPages = (
  caption: string,
  pages: readonly TrafficPage[],
  maxRows: number,
  counted = 'requests',
): TrafficTable => ({
  caption,
  columns: ['page', counted],
  rows: pages.slice(0, maxRows).map(({ path, requests }) => [{ code: path }, formatNumber(requests)]),
});

function describeRobots({ agents }: TrafficReport, maxRows: number): TrafficSection {
  const real = agents.filter(isReal);
  if (real.length === 0) return { title: 'robots.txt', texts: [], tables: [] };
  const isJudged = real.some(({ robots_txt: { disallowed } }) => disallowed !== null);
  return {
    title: 'robots.txt, llms.txt and Markdown',
    texts: isJudged ? [] : ['Name your robots.txt with --robots to see whether it was obeyed.'],
    tables: [
      {
        caption: 'What agents asked for beside pages',
        columns: ['agent', 'robots.txt', 'before its first page', 'against robots.txt', 'llms.txt', 'Markdown'],
        rows: real.map((agent) => {
          const { requests, before_first_page: before, disallowed } = agent.robots_txt;
          return [
            labelAgent(agent),
            formatNumber(requests),
            before === null ? '-' : requests === 0 ? 'never' : before ? 'yes' : 'no',
            disallowed === null ? '-' : formatNumber(disallowed.requests),
            formatNumber(agent.llms_txt),
            formatNumber(agent.markdown),
          ];
        }),
      },
      ...real.flatMap((agent) => {
        const pages = agent.robots_txt.disallowed?.pages ?? [];
        return pages.length === 0 ? [] : [listPages(`Against robots.txt: ${labelAgent(agent)}`, pages, maxRows)];
      }),
    ],
  };
}

function describeRefusals({ agents }: TrafficReport, maxRows: number): TrafficSection {
  const refused = agents.filter(isReal).filter((agent) => agent.refused.requests > 0);
  return {
    title: 'Refused to agents',
    texts: [],
    tables:
      refused.length === 0
        ? []
        : [
            {
              caption: 'Answers 401, 403, 429 and 5xx',
              columns: ['agent', 'page', 'statuses', 'requests'],
              rows: refused
                .flatMap((agent) => agent.refused.pages.map((page) => ({ agent, page })))
                .toSorted((one, other) => other.page.requests - one.page.requests)
                .slice(0, maxRows)
                .map(({ agent, page }) => [
                  labelAgent(agent),
                  { code: page.path },
                  page.statuses.join(' '),
                  formatNumber(page.requests),
                ]),
            },
          ],
  };
}

function describeUnread({ unread_pages: unread }: TrafficReport, maxRows: number): TrafficSection {
  const { by_people: known, of_sitemap: listed } = unread;
  return {
    title: 'Pages that no agent asked for',
    texts: [
      ...(known.count === 0 ? [] : [`${countThings(known.count, 'page')} that people read.`]),
      ...(listed === null
        ? []
        : [
            `${formatNumber(listed.unasked)} of ${countThings(listed.addresses, 'address', 'addresses')} of the sitemap.`,
          ]),
    ],
    tables: [
      ...(known.count === 0 ? [] : [listPages('Read by people', known.pages, maxRows, 'requests of people')]),
      ...(listed === null || listed.pages.length === 0
        ? []
        : [
            {
              caption: 'In the sitemap',
              columns: ['page'],
              rows: listed.pages.slice(0, maxRows).map((path) => [{ code: path }]),
            },
          ]),
    ],
  };
}

function describeReferrals({ referrals }: TrafficReport, maxRows: number): TrafficSection {
  return {
    title: 'People whom assistants sent',
    texts: referrals.length === 0 ? [] : [`Cells of fewer than ${MIN_PEOPLE_CELL} are left out.`],
    tables:
      referrals.length === 0
        ? []
        : [
            {
              caption: 'By assistant',
              columns: ['assistant', 'requests'],
              rows: referrals.map(({ assistant, requests }) => [
                assistant,
                requests === null ? `under ${MIN_PEOPLE_CELL}` : formatNumber(requests),
              ]),
            },
            ...referrals.flatMap(({ assistant, landing_pages: pages }) =>
              pages.length === 0 ? [] : [listPages(`Where ${assistant} sent them`, pages, maxRows)],
            ),
          ],
  };
}
