import { maskPaths, formatIsoTimestamp } from '../../core/engine/named-collection.ts';
import type { Call, Context } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { requireQuotaEtag } from './etag.ts';
import { parseQuotaContainer, refuseQuotaField } from './names.ts';
import { QUOTA } from './preference-rows.ts';

const SCHEMA = 'QuotaAdjusterSettings';
const NAME = 'quotaAdjusterSettings.name';
const ID = 'settings';
const ENABLEMENTS = ['ENABLED', 'DISABLED'] as const;
/** What holds where nothing was set; no container of ours has another above it that is known. */
const DEFAULT = { enablement: 'DISABLED', inherited: true, inheritedFrom: 'default' } as const;

/** What is stored where a container has its own setting, or gave it back: its etag is never one of before. */
export type Adjuster = { enablement: RequestedEnablement; updatedMs: number };

/** Whether a body can be one: a restore takes no other (rule K3). */
export const isAdjuster = ({ enablement, updatedMs }: JsonObject): boolean =>
  isWanted(enablement) && Number.isSafeInteger(updatedMs) && Number(updatedMs) >= 0;

export function getAdjusterSettings(call: Call, context: Context): JsonObject {
  const container = parseSettingsContainer(call.path['name'] ?? '', 'name');
  return toSettingsResource(container, context.store.get(QUOTA.adjuster, container, ID), context);
}

/** Sets the container's own enablement, or, with `inherited`, gives it back. */
export function updateAdjusterSettings(call: Call, context: Context): JsonObject {
  const container = parseSettingsContainer(call.path[NAME] ?? '', NAME);
  const before = context.store.get(QUOTA.adjuster, container, ID);
  requireQuotaEtag(before?.revision ?? 0, call.body['etag'], context);
  const wanted = parseEnablement(call, context);
  const isDry = call.query['validateOnly'] === true;
  const isInherited = before === undefined || before.body['enablement'] === 'inherit';
  if (wanted === undefined || (wanted === 'inherit' && isInherited))
    return toSettingsResource(container, before, context);
  const row = { collection: QUOTA.adjuster, parent: container, id: ID };
  const body = { enablement: wanted, updatedMs: context.now() };
  if (isDry) return toSettingsResource(container, { ...row, body, revision: before?.revision ?? 0 }, context);
  return toSettingsResource(
    container,
    before ? context.store.put({ ...row, body }) : context.store.insert({ ...row, body }),
    context,
  );
}

type RequestedEnablement = (typeof ENABLEMENTS)[number] | 'inherit';

const isWanted = (value: unknown): boolean => value === 'inherit' || ENABLEMENTS.some((each) => each === value);

/** What the named fields ask for; undefined: nothing. @throws Refusal for an enablement that is none */
function parseEnablement(call: Call, context: Context): RequestedEnablement | undefined {
  const paths = maskPaths(call, SCHEMA, context);
  const takes = (field: string): boolean => paths === undefined || paths.some(([name]) => name === field);
  const { enablement, inherited } = call.body;
  if (takes('inherited') && inherited === true) return 'inherit';
  if (!takes('enablement')) return undefined;
  const known = ENABLEMENTS.find((each) => each === enablement);
  if (known === undefined)
    throw refuseQuotaField('quotaAdjusterSettings.enablement', 'The enablement must be ENABLED or DISABLED');
  return known;
}

function toSettingsResource(container: string, row: ResourceRow | undefined, context: Context): JsonObject {
  const name = `${container}/locations/global/quotaAdjusterSettings`;
  const etag = context.etagOf(row?.revision ?? 0);
  if (row === undefined) return { name, ...DEFAULT, etag };
  const { enablement, updatedMs } = row.body as Adjuster; // As `update` put it there.
  if (enablement === 'inherit') return { name, ...DEFAULT, etag };
  return { name, enablement, updateTime: formatIsoTimestamp(updatedMs), etag, inherited: false, inheritedFrom: '' };
}

function parseSettingsContainer(name: string, field: string): string {
  const [, parent = ''] = /^(.+)\/quotaAdjusterSettings$/.exec(name) ?? [];
  return parseQuotaContainer(parent, field).container;
}
