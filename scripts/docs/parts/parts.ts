import { formatCosts } from './costs-part.ts';
import { formatMigrations } from './migrations-part.ts';
import { formatHybridConditions, formatHybridProblems, formatInterfacesTable } from './platform-parts.ts';
import { engineLabels, howToConfigure } from '../../../src/models/port.ts';
import { alertRows } from '../../../src/notifications/core/alerts.ts';
import { channelEvents, type ChannelEvent, channelStates } from '../../../src/notifications/channels/channel.ts';

/** A part of a page that is written by hand: what is between `<!-- name:start -->` and `<!-- name:end -->`. */
export type GeneratedPart = { file: string; name: string; make: () => string };

export const parts: readonly GeneratedPart[] = [
  { file: 'docs/operate/deploy.md', name: 'engines', make: formatEngines },
  { file: 'docs/operate/costs.md', name: 'costs', make: formatCosts },
  { file: 'docs/operate/backup-restore-rollback.md', name: 'migrations', make: formatMigrations },
  { file: 'docs/operate/webhooks.md', name: 'channels', make: formatChannels },
  { file: 'docs/operate/monitoring-and-alerts.md', name: 'alerts', make: formatAlerts },
  { file: 'docs/platform/index.md', name: 'management', make: formatInterfacesTable },
  { file: 'docs/platform/hybrid/check.md', name: 'problems', make: formatHybridProblems },
  { file: 'docs/platform/hybrid/verify.md', name: 'conditions', make: formatHybridConditions },
];

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
