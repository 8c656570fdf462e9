import type * as z from 'zod';

/**
 * Makes the reader of a Worker's settings: parsed once per isolate and environment.
 * The reader throws an Error that names the variables (never their values) that do not parse: the deployment is broken,
 * answer 500.
 */
export function createSettingsReader<T>(schema: z.ZodType<T>): (env: object) => T {
  const parsed = new WeakMap<object, T>();
  return (env) => {
    const known = parsed.get(env);
    if (known !== undefined) return known;
    const outcome = schema.safeParse(env);
    if (!outcome.success) {
      const names = outcome.error.issues.map(({ path }) => String(path[0] ?? ''));
      throw new Error(`Settings that do not parse: ${[...new Set(names)].join(', ')}`);
    }
    parsed.set(env, outcome.data);
    return outcome.data;
  };
}

/**
 * A setting of a deployment that an operator should look at: `fail` is unsafe or stops sales, `warn` is a choice that is
 * rarely meant. It names the setting and never its value.
 */
export type SettingFinding = { setting: string; severity: 'warn' | 'fail'; detail: string; next: string };

const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || hostname.startsWith('127.');

/** Whether a deployment is for others than this machine: what is fine on a local stack is not fine there. */
export const isDeployedAt = (origin: string): boolean => !isLoopbackHost(new URL(origin).hostname);

/** Addresses of a deployment that are no https addresses of elsewhere. Those that are not set are left out. */
export function findUnsafeAddresses(
  addresses: Readonly<Record<string, string | undefined>>,
): readonly SettingFinding[] {
  return Object.entries(addresses).flatMap(([setting, address]): SettingFinding[] => {
    if (address === undefined) return [];
    const { protocol, hostname } = new URL(address);
    if (isLoopbackHost(hostname))
      return [
        {
          setting,
          severity: 'fail',
          detail: 'It is an address of one machine, which Workers cannot reach',
          next: 'Set it to the public https address',
        },
      ];
    if (protocol === 'https:') return [];
    return [
      {
        setting,
        severity: 'fail',
        detail: 'It is an http address: anyone on the way can read and change what is sent',
        next: 'Set it to an https address',
      },
    ];
  });
}
