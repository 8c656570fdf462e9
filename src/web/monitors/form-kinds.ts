import { urlBody } from '../../capabilities/bodies.ts';
import { panelNames } from '../../capabilities/capability-name.ts';
import type { Monitor } from '../../monitors/core/monitor.ts';
import { getWatchedRow, SITE_CAPABILITY } from '../../monitors/core/run-price.ts';
import type { PageRow } from '../capability/faults.ts';

/** What can be watched, each with a form of its own. */
export const MONITOR_FORM_KINDS = ['site', 'visibility_check', ...panelNames] as const;
export type MonitorFormKind = (typeof MONITOR_FORM_KINDS)[number];

/** The kind that an address or a form names; a site for any other text. */
export const readFormKind = (text: string | undefined): MonitorFormKind =>
  MONITOR_FORM_KINDS.find((kind) => kind === text) ?? 'site';

export const getFormKind = ({ subject }: Pick<Monitor, 'subject'>): MonitorFormKind =>
  subject.kind === 'site' ? 'site' : subject.capability;

const NO_BRAND = { brand: '', niche: '' };

/** The row whose fields the form has. What is watched is not published by that. */
export function getFormRow(kind: MonitorFormKind): PageRow {
  if (kind !== 'site') return getWatchedRow({ subject: { kind: 'brand', capability: kind, body: NO_BRAND } });
  const { refuse: _refuse, ...row } = getWatchedRow({ subject: { kind: 'site', url: '' } });
  return { ...row, name: SITE_CAPABILITY, body: urlBody };
}
