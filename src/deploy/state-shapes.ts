import * as z from 'zod';

/** The variable with which a deployment marks its Workers: a `DeploymentMark`, or `stub`. */
export const MARKER = 'SIGHTLINE_DEPLOYMENT';
export const STUB_MARK = 'stub';

/** Hashes of what a Worker was made of, of all addresses, and of what all Workers of the clone were made of. */
export type DeploymentMark = { sources: string; addresses: string; release: string | undefined };

export const formatMark = ({ sources, addresses, release }: DeploymentMark): string =>
  [sources, addresses, ...(release === undefined ? [] : [release])].join('.');

/** A mark by its text; undefined for a stub, and where there is none. */
export function parseMark(text: string | undefined): DeploymentMark | undefined {
  if (text === undefined || text === STUB_MARK) return undefined;
  const [sources = '', addresses = '', release] = text.split('.');
  return { sources, addresses, release };
}

/** A binding of a Worker as the platform lists it: secrets without their values. */
export const bindingSchema = z.looseObject({
  type: z.string(),
  name: z.string(),
  text: z.string().optional(),
  class_name: z.string().optional(),
  service: z.string().optional(),
});
export type PlatformBinding = z.infer<typeof bindingSchema>;

export const serviceSchema = z.looseObject({
  default_environment: z.looseObject({ script: z.looseObject({ migration_tag: z.string().nullish() }) }),
});
/** The list is required: a secret that was not seen would be made again. */
export const scriptSettingsSchema = z.looseObject({ bindings: z.array(bindingSchema) });
export const scriptSubdomainSchema = z.looseObject({ enabled: z.boolean() });
export const schedulesSchema = z.looseObject({
  schedules: z.array(z.looseObject({ cron: z.string() })).default([]),
});

const consumerSchema = z.looseObject({
  script: z.string().optional(),
  service: z.string().optional(),
  script_name: z.string().optional(),
});
export const queueSchema = z.looseObject({
  queue_name: z.string(),
  consumers: z.array(consumerSchema).default([]),
});

const ruleSchema = z.looseObject({ id: z.string() });
export type LifecycleRule = z.infer<typeof ruleSchema>;
export const rulesSchema = z.looseObject({ rules: z.array(ruleSchema).default([]) });
export const attachedDomainSchema = z.looseObject({ hostname: z.string(), service: z.string() });
