import { refuseViolations } from '../../core/conventions/invalid.ts';
import { Refusal } from '../../../lib/refusal.ts';

/** The service and id of a quota: as long as host names and ids of the vendor get. */
const MAX_SERVICE_CHARS = 253;
const MAX_QUOTA_ID_CHARS = 128;
const MAX_PREFERENCE_ID_CHARS = 128;
/** There is one location: preferences and infos are `global`. */
const LOCATION = 'global';

export type QuotaContainer = {
  /** `projects/p`. */
  container: string;
  kind: 'projects' | 'folders' | 'organizations';
};

/** The container of `projects/p/locations/global`. @throws Refusal for another location, and for `-` */
export function parseQuotaContainer(parent: string, field = 'parent'): QuotaContainer {
  const [, container = '', kind, id = '', location = ''] =
    /^((projects|folders|organizations)\/([^/]+))\/locations\/([^/]+)$/.exec(parent) ?? [];
  if (kind === undefined || id === '-') throw refuseQuotaField(field, `Invalid resource container in ${field}`);
  if (location !== LOCATION) throw refuseQuotaField(field, `The location of ${field} must be "${LOCATION}"`);
  return { container, kind: kind as QuotaContainer['kind'] }; // One of the pattern's.
}

/** The parts of `projects/p/locations/global/services/s`. @throws Refusal */
export function parseServiceParent(parent: string): QuotaContainer & { service: string } {
  const [, above = '', service = ''] = /^(.+)\/services\/([^/]+)$/.exec(parent) ?? [];
  requireService(service, 'parent');
  return { ...parseQuotaContainer(above), service };
}

/** @throws Refusal for what can be no name of a service */
export function requireService(service: string, field: string): void {
  const fits = service.length <= MAX_SERVICE_CHARS && /^[a-z0-9][a-z0-9.-]*$/.test(service);
  if (!fits) throw refuseQuotaField(field, `Invalid service name in ${field}`);
}

/** @throws Refusal for what can be no id of a quota */
export function requireQuotaId(quotaId: string, field: string): void {
  const fits = quotaId.length <= MAX_QUOTA_ID_CHARS && /^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(quotaId);
  if (!fits) throw refuseQuotaField(field, `Invalid quota id in ${field}`);
}

/** @throws Refusal for what can be no id of a preference */
export function requirePreferenceId(id: string): void {
  const fits = id.length <= MAX_PREFERENCE_ID_CHARS && /^[A-Za-z0-9][A-Za-z0-9_.~-]*$/.test(id);
  if (!fits) throw refuseQuotaField('quotaPreferenceId', 'Invalid quota preference id');
}

/** 400 INVALID_ARGUMENT for one field. */
export const refuseQuotaField = (field: string, description: string): Refusal =>
  new Refusal(refuseViolations([{ field, description }]));
