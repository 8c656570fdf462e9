import * as z from 'zod';
import { vendorRefusals } from '../../../lib/refusal.ts';
import type { Call, Context, Handler, Handlers } from '../../core/engine/operation.ts';

/** Names in the store. */
export const AISEARCH = {
  /** parent = account, id = name. `default` has a row only where its public endpoint was described. */
  namespaces: 'aisearch.namespaces',
  /** parent = `<account>/<namespace>`, id = its own; ref = `EVERY`. */
  instances: 'aisearch.instances',
  /** parent = account, id = a UUID. */
  tokens: 'aisearch.tokens',
} as const;

/** The `ref` of every instance: with it those of all accounts are found in one statement. */
export const EVERY = 'instance';
/** Always there, and what the flat paths mean. */
export const DEFAULT_NAMESPACE = 'default';
/** Ids of instances and names of namespaces. */
export const slug = z.string().regex(/^[a-z0-9_-]{1,64}$/, '1 to 64 of a-z, 0-9, - and _');

/** Where an instance is. */
export type NamespacePlace = { account: string; namespace: string; parent: string };

/** The namespace that a path means. @throws Refusal 404 for one that is not there */
export function requireNamespacePlace(call: Call, context: Context): NamespacePlace {
  const account = getAccountId(call);
  const namespace = call.path['name'] ?? DEFAULT_NAMESPACE;
  const isThere = namespace === DEFAULT_NAMESPACE || context.store.get(AISEARCH.namespaces, account, namespace);
  if (!isThere) throw refuseMissingNamespace();
  return { account, namespace, parent: formatInstanceParent(account, namespace) };
}

/** No namespace has a slash in its name: two accounts never share a parent. */
export const formatInstanceParent = (account: string, namespace: string): string => `${account}/${namespace}`;

/** The account that an instance's parent begins with. */
export const extractAccountId = (parent: string): string => parent.slice(0, parent.lastIndexOf('/'));

export const getAccountId = ({ path }: Call): string => path['account_id'] ?? '';

/** The handlers of what both families of paths have: the flat ones, and those below a namespace. */
export const defineInstanceHandlers = (handlers: Readonly<Record<string, Handler>>): Handlers =>
  Object.fromEntries(
    Object.entries(handlers).flatMap(([name, handler]) => [
      [`aisearch.instances.${name}`, handler],
      [`aisearch.namespaces.instances.${name}`, handler],
    ]),
  );

/** The vendor's words for what is not there; another's is not there either (rule K1). */
export const refuseMissingNamespace = () => vendorRefusals.missing('namespace_not_found');
export const refuseMissingInstance = () => vendorRefusals.missing('ai_search_not_found');
export const refuseMissingToken = () => vendorRefusals.missing('token_not_found');

const MAX_HOSTS = 100;
const MAX_HOST_CHARS = 253;
const MAX_ALLOWED = 10;
const MAX_DESCRIPTION_CHARS = 1_024;
const MAX_PERIOD_MS = 86_400_000;
const MAX_REQUESTS = 1_000_000;

const host = z.string().min(1).max(MAX_HOST_CHARS);
const disabled = z.strictObject({ disabled: z.boolean().optional() });

const parts = {
  authorized_hosts: z.array(host).max(MAX_HOSTS).optional(),
  chat_completions_endpoint: disabled.optional(),
  custom_domains: z.array(host).max(MAX_HOSTS).nullable().optional(),
  default_domain_enabled: z.boolean().optional(),
  enabled: z.boolean().optional(),
  mcp: disabled.extend({ description: z.string().max(MAX_DESCRIPTION_CHARS).optional() }).optional(),
  rate_limit: z
    .strictObject({
      period_ms: z.int().min(1).max(MAX_PERIOD_MS).optional(),
      requests: z.int().min(1).max(MAX_REQUESTS).optional(),
      technique: z.enum(['fixed', 'sliding']).optional(),
    })
    .optional(),
  search_endpoint: disabled.optional(),
};

/** What a public endpoint of an instance would be: kept and shown, but there are none here. */
export const publicEndpoint = z.strictObject(parts);

/** The same of a namespace. */
export const namespaceEndpoint = publicEndpoint.extend({
  instances_allowed: z.array(slug).max(MAX_ALLOWED).optional(),
});
