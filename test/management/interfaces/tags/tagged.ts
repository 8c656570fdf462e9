import type { QueryValue } from '../../../../src/management/core/engine/operation.ts';
import { isText, type Json, type JsonObject } from '../../../../src/lib/json.ts';
import { testTenant, type TestTenant } from '../../../support/management/management.ts';

export const TYPES = 'type.googleapis.com/google.cloud.resourcemanager.v3';
export const RESOURCE = '//cloudresourcemanager.googleapis.com/projects/local';

type Sent = { path?: Record<string, string>; query?: Record<string, QueryValue>; body?: JsonObject };

/** A tenant whose tags are asked for by the end of a method's id: `tagKeys.get`. */
export type Tagged = {
  tenant: TestTenant;
  ok: (method: string, sent: Sent) => JsonObject;
  refused: (method: string, sent: Sent) => string;
  /** Name of a new key: `env` of the project unless said otherwise. */
  key: (more?: JsonObject) => string;
  /** Name of a new value: `prod` unless said otherwise. */
  value: (parent: string, more?: JsonObject) => string;
  /** Binds a value to the resource, or to another one. @returns the binding */
  bind: (tagValue: string, parent?: string) => JsonObject;
};

export function tagged(): Tagged {
  const tenant = testTenant();
  const ok: Tagged['ok'] = (method, sent) => tenant.ok(`cloudresourcemanager.${method}`, sent);
  const made = (method: string, body: JsonObject): JsonObject => ok(method, { body })['response'] as JsonObject;
  return {
    tenant,
    ok,
    refused: (method, sent) => tenant.refused(`cloudresourcemanager.${method}`, sent),
    key: (more = {}) => text(made('tagKeys.create', { parent: 'projects/local', shortName: 'env', ...more })['name']),
    value: (parent, more = {}) => text(made('tagValues.create', { parent, shortName: 'prod', ...more })['name']),
    bind: (tagValue, parent = RESOURCE) => made('tagBindings.create', { parent, tagValue }),
  };
}

/** A text of an answer. @throws Error when it is none */
export function text(value: Json | undefined): string {
  if (!isText(value)) throw new Error('Not a text');
  return value;
}
