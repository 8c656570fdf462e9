import * as z from 'zod';
import { slug } from './rows.ts';

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
