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
