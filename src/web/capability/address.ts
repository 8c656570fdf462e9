import { resultNames } from '../../capabilities/capability-name.ts';

/** Families that share the first part of their addresses: `check_health` is at `/check/health`. */
const FAMILY = /^(check|score|generate)_(.+)$/;

/** Rows with an address of their own. The page of the full audit is the live audit. */
const OWN_PATHS: Readonly<Record<string, string>> = {
  full_audit: '/audit',
  fix_pack: '/fix',
  full_report: '/report',
  visibility_check: '/visibility',
  visibility_vs_competitor: '/visibility/compare',
  visibility_fix_pack: '/visibility/fix',
  visibility_panel_2: '/visibility/panel-2',
  visibility_panel_4: '/visibility/panel-4',
  seller_check: '/check/seller',
};

/** Where people buy a capability. A row without an address of its own has its name with dashes. */
export function formatCapabilityPath(name: string): string {
  if (Object.hasOwn(OWN_PATHS, name)) return OWN_PATHS[name] ?? '/';
  const [, family, rest] = FAMILY.exec(name) ?? [];
  const path = family === undefined || rest === undefined ? name : `${family}/${rest}`;
  return `/${path.replaceAll('_', '-')}`;
}

/** Addresses of the pages of all rows, in the order of the catalogue. */
export const listCapabilityPaths = (): readonly string[] => resultNames.map(formatCapabilityPath);

/**
 * The page of a capability with its fields filled in. Members of a list are named by number, from 0:
 * `/visibility/fix?brand=Acme&niche=CRM&weak_spots.0.topic=prices`.
 */
export function formatCapabilityLink(name: string, body: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams(listOrderTexts(body)).toString();
  return query === '' ? formatCapabilityPath(name) : `${formatCapabilityPath(name)}?${query}`;
}

/** Names and texts of the fields that a body fills. */
export function listOrderTexts(body: unknown, under = ''): [name: string, text: string][] {
  if (body === undefined || body === null) return [];
  if (typeof body !== 'object') return [[under, typeof body === 'string' ? body : JSON.stringify(body)]];
  if (Array.isArray(body) && !body.some((each) => typeof each === 'object')) return [[under, body.join('\n')]];
  return Object.entries(body).flatMap(([name, value]) =>
    listOrderTexts(value, under === '' ? name : `${under}.${name}`),
  );
}
