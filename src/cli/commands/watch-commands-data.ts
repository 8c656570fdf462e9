import { logFormats } from '../../traffic/formats/formats-data.ts';
import type { CommandRow } from './rows.ts';
import { configOptions, outputOptions, plainOutputOptions } from './shared-options-data.ts';

export const watchCommand = {
  group: 'audit',
  summary: 'say what changed on your sites and brands since the last run',
  arguments: [],
  options: {
    history: {
      type: 'string',
      value: '<folder>',
      description: 'where the history is (default: .sightline/history beside the configuration)',
    },
    ...plainOutputOptions,
    format: {
      type: 'string',
      value: '<name>',
      values: ['text', 'json', 'md'],
      description: 'output format: text, json or md (Markdown for a comment or a mail)',
    },
    config: configOptions.config,
  },
  examples: [
    { run: 'sightline watch', does: 'run what sightline.config.json lists, and compare with the last run' },
    { run: 'sightline watch --format md -o changes.md', does: 'what changed, for a comment of a pull request' },
  ],
  notes: [
    'Each entry of watch in sightline.config.json is a site or a brand; without it the sites of urls are watched. The first run only keeps what it found.',
    'A site that could not be read once is named without an alert; twice in a row is an alert. Alerts come before what could not be checked: the exit is 1.',
  ],
  exits: {
    1: 'something changed that rings',
    3: 'nothing rang, and a site or an engine could not be reached',
  },
} as const satisfies CommandRow;

export const logsCommand = {
  group: 'audit',
  first: true,
  summary: 'say which AI agents came to a site, from its access logs',
  arguments: [
    { name: 'file', description: 'access logs, also .gz and .zst; - for standard input', many: true, file: 'read' },
  ],
  options: {
    'log-format': {
      type: 'string',
      value: '<name>',
      values: logFormats,
      description: `format of the logs, found from their first lines otherwise: ${logFormats.join(', ')}`,
    },
    since: {
      type: 'string',
      value: '<time>',
      description: 'only requests from then on: 2026-11-01, or 7d for a week',
    },
    until: { type: 'string', value: '<time>', description: 'only requests before then' },
    host: { type: 'string', value: '<host>', description: 'only requests of this host, where the log names hosts' },
    'site-root': { type: 'string', value: '<path>', description: 'only requests below this path, such as /shop/' },
    robots: { type: 'string', value: '<file>', file: 'read', description: 'your robots.txt: says who obeyed it' },
    sitemap: {
      type: 'string',
      value: '<file>',
      file: 'read',
      description: 'your sitemap: says which of its pages no agent asked for',
    },
    ranges: {
      type: 'string',
      value: '<file>',
      file: 'read',
      description: 'newer address ranges of agents, as their owners publish them',
    },
    dns: { type: 'boolean', description: 'also look up the names of addresses, which asks the network' },
    ...outputOptions,
    format: {
      type: 'string',
      value: '<name>',
      values: ['text', 'json', 'md'],
      description: 'output format: text, json or md',
    },
  },
  examples: [
    { run: 'sightline logs /var/log/nginx/access.log*', does: 'who came, by class and by agent' },
    {
      run: 'sightline logs access.log.gz --robots robots.txt --sitemap sitemap.xml --format md -o came.md',
      does: 'also who obeyed robots.txt, and which pages no agent asked for',
    },
    { run: 'sightline logs - --since 30d --json < access.log', does: 'the last 30 days of a pipe, for programs' },
  ],
  notes: [
    'No address is printed or written: they are compared with the published ranges of agents and counted. Paths lose their query, ids and e-mail addresses, and cells of fewer than 5 requests of people are left out.',
    'A line that cannot be read is counted with its reason. A compressed file that breaks off counts up to there.',
  ],
} as const satisfies CommandRow;
