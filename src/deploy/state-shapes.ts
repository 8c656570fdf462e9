import * as z from 'zod';

/** The variable with which a deployment marks its Workers: `<hash of what was uploaded>.<hash of its addresses>`, or `stub`. */
export const MARKER = 'SIGHTLINE_DEPLOYMENT';
export const STUB_MARK = 'stub';

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
export const scriptSettingsSchema = z.looseObject({ bindings: z.array(bindingSchema).default([]) });
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
