import { engineLabels, howToConfigure } from '../../src/models/port.ts';
import { alertRows } from '../../src/notifications/core/alerts.ts';
import { channelEvents, type ChannelEvent, channelStates } from '../../src/notifications/channels/channel.ts';

/** A part of a page that is written by hand: what is between `<!-- name:start -->` and `<!-- name:end -->`. */
export type GeneratedPart = { file: string; name: string; make: () => string };

/**
 * Whether the owner has published `@sightline/cli`. Until then pages print forms that need no registry: a name that is free
 * there could be taken by others.
 */
const IS_PUBLISHED = false;

export const parts: readonly GeneratedPart[] = [
  { file: 'README.md', name: 'install', make: () => formatInstallation(IS_PUBLISHED) },
  { file: 'README.md', name: 'mcp-stdio', make: () => formatStdioConfiguration(IS_PUBLISHED) },
  { file: 'docs/guides/mcp-clients.md', name: 'mcp-stdio', make: () => formatStdioConfiguration(IS_PUBLISHED) },
  { file: 'docs/operate/deploy.md', name: 'engines', make: formatEngines },
  { file: 'docs/operate/webhooks.md', name: 'channels', make: formatChannels },
  { file: 'docs/operate/monitoring-and-alerts.md', name: 'alerts', make: formatAlerts },
];

/** How the command line is installed, as README says it. */
export function formatInstallation(isPublished: boolean): string {
  const commands = isPublished
    ? ['npm install --global @sightline/cli', 'sightline --version']
    : [
        'git clone <address of this repository> sightline && cd sightline && npm ci',
        'npm install --global "./$(npm pack --silent ./dist/package)"',
        'sightline --version',
      ];
  const note = isPublished
    ? 'To run it once without installing: `npx @sightline/cli audit example.com`.'
    : 'It is not published yet, so you install the packed file of a clone. Until it is, no registry has it: do not run a package of a similar name.';
  return ['```sh', ...commands, '```', '', note].join('\n');
}

/** The configuration of an MCP client that starts the command line, from any folder. */
export function formatStdioConfiguration(isPublished: boolean): string {
  const server = isPublished
    ? '{ "command": "npx", "args": ["-y", "@sightline/cli", "mcp"] }'
    : '{ "command": "sightline", "args": ["mcp"] }';
  return ['```json', `{ "mcpServers": { "sightline": ${server} } }`, '```'].join('\n');
}

function formatEngines(): string {
  const rows = Object.entries(engineLabels).map(([kind, label]) => `| \`${kind}\` | ${label} |`);
  return [...howToConfigure.map((step) => `- ${step}`), '', '| Engine | What it is |', '|---|---|', ...rows].join('\n');
}

function formatChannels(): string {
  const rows = channelStates.map(({ state, means, accepts, on }) => {
    const moves = Object.entries(on).map(([event, next]) => `${channelEvents[event as ChannelEvent]}: \`${next}\``);
    return `| \`${state}\` | ${means} | ${accepts} | ${moves.join('; ')} |`;
  });
  return ['| State | Means | Its messages are accepted | Moved on when |', '|---|---|---|---|', ...rows].join('\n');
}

function formatAlerts(): string {
  const rows = Object.entries(alertRows).map(
    ([kind, { severity, means, todo }]) => `| \`${kind}\` | ${severity} | ${means} | ${todo} |`,
  );
  return ['| Alert | Severity | Means | Do |', '|---|---|---|---|', ...rows].join('\n');
}
