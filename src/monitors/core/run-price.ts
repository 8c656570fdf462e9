import { findCapability } from '../../capabilities/catalog.ts';
import { findPanel } from '../../capabilities/panels.ts';
import type { Monitor } from './monitor.ts';

/** The capability that audits the sites of a monitor. */
export const SITE_CAPABILITY = 'full_audit';

/** The row that a monitor buys at each run; undefined for one that is in the catalogue no more. */
export function findWatchedRow({ subject }: Pick<Monitor, 'subject'>) {
  const name = subject.kind === 'site' ? SITE_CAPABILITY : subject.capability;
  return findPanel(name) ?? findCapability(name);
}

/** The same. @throws Error for a name that is not in the catalogue: a bug */
export function getWatchedRow(monitor: Pick<Monitor, 'subject'>) {
  const row = findWatchedRow(monitor);
  if (row === undefined) throw new Error('the row of a monitor is not in the catalogue');
  return row;
}

/** What one run costs its account, in micro-USDC: each competitor is an audit of its own. */
export function computeRunMicroUsdc(monitor: Pick<Monitor, 'subject' | 'payment'>): number {
  if (monitor.payment === 'operator') return 0;
  const { priceMicroUsdc } = getWatchedRow(monitor);
  const { subject } = monitor;
  return subject.kind === 'site' ? priceMicroUsdc * (1 + (subject.competitors?.length ?? 0)) : priceMicroUsdc;
}
