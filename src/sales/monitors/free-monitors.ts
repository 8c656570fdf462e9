import { getWatchedHost, type Monitor } from '../../monitors/core/monitor.ts';
import { normaliseTargetHost } from '../../rate-limits/target-gate.ts';

/** Monitors that an operator runs without charge, as the deployment allows them. */
export type FreeMonitors = {
  /** Names of `MONITOR_FREE_HOSTS`, each as `normaliseTargetHost` writes it. */
  hosts: ReadonlySet<string>;
  /** What all free runs of this deployment may spend on engines in a day of UTC, in micro-USD. */
  engineMicroUsdPerDay: number;
  /**
   * Takes what the engines of a run cost from the budget of its day; the same run takes it once. False: it is used up.
   * @throws LedgerUnavailable
   */
  spendOnEngines: (runId: string, microUsd: number) => Promise<boolean>;
};

/** Why a monitor may not run without charge; undefined where it may. */
export type FreeRefusal = 'not_operator' | 'host_not_named';

/**
 * Judges whether a monitor may be free: its owner is an operator now, and the deployment names its host and those of all
 * sites that its runs read. A brand without a site of its own has no host that could be named.
 */
export function judgeFreeMonitor(
  monitor: Pick<Monitor, 'subject'>,
  { kind }: { kind?: 'payer' | 'operator' | 'service' },
  { hosts }: Pick<FreeMonitors, 'hosts'>,
): FreeRefusal | undefined {
  if (kind !== 'operator') return 'not_operator';
  const { subject } = monitor;
  const competitors = subject.kind === 'site' ? (subject.competitors ?? []) : [];
  const read = [getWatchedHost(monitor), ...competitors.map((url) => new URL(url).hostname)];
  return read.every((host) => host !== undefined && hosts.has(normaliseTargetHost(host)))
    ? undefined
    : 'host_not_named';
}

/** The hosts of a list by commas. */
export const parseFreeHosts = (list: string): ReadonlySet<string> =>
  new Set(
    list
      .split(',')
      .map((host) => host.trim())
      .filter((host) => host !== '')
      .map(normaliseTargetHost),
  );
