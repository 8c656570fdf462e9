import type { QueryValue } from '../../../../src/management/core/engine/operation.ts';
import { isText, type JsonObject } from '../../../../src/lib/json.ts';
import { testTenant, type TestTenant } from '../../../support/management/management.ts';

export const PUBLISHER = 'accounts/pub-1234567890123456';
export const DIGITS = '1234567890123456';
/** Ad units that were never made here: mappings and groups take them as they are. */
export const UNIT = `${PUBLISHER}/adUnits/1111111111`;
export const UNIT_ID = `ca-app-pub-${DIGITS}/1111111111`;

/** AppLovin, whose Android adapter asks for an SDK key, and takes a zone. */
export const APPLOVIN = '1063618907739174004';
export const MAPPING = {
  displayName: 'Zone 1',
  adapterId: '107',
  adUnitConfigurations: { '1071': 'key', '1072': 'z1' },
};

type Sent = { path?: Record<string, string>; query?: Record<string, QueryValue>; body?: JsonObject };

/** A tenant whose mediation is asked for by the end of a method's id: `adUnits.list`. */
export type Publishing = {
  tenant: TestTenant;
  ok: (method: string, sent?: Sent) => JsonObject;
  refused: (method: string, sent?: Sent) => string;
  /** Below the publisher, unless another parent is named. */
  create: (method: string, body: JsonObject, parent?: string) => JsonObject;
  list: (method: string, query?: Record<string, QueryValue>, parent?: string) => JsonObject;
};

/** @param seen gets every statement, before it runs */
export function publishing(seen?: (query: string) => void): Publishing {
  const tenant = testTenant(undefined, seen);
  const ok: Publishing['ok'] = (method, sent) => tenant.ok(`admob.accounts.${method}`, sent);
  return {
    tenant,
    ok,
    refused: (method, sent) => tenant.refused(`admob.accounts.${method}`, sent),
    create: (method, body, parent = PUBLISHER) => ok(`${method}.create`, { path: { parent }, body }),
    list: (method, query = {}, parent = PUBLISHER) => ok(`${method}.list`, { path: { parent }, query }),
  };
}

/** The members of a list as objects. */
export const itemsOf = (body: JsonObject, name: string): JsonObject[] => {
  const items = body[name];
  return Array.isArray(items) ? (items as JsonObject[]) : []; // Lists of these methods have objects only.
};

/** A text member. @throws Error where it is none */
export function textOf(body: JsonObject | undefined, name: string): string {
  const value = body?.[name];
  if (!isText(value)) throw new Error(`No text ${name}`);
  return value;
}
