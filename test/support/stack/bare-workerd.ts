import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { COMPATIBILITY_DATE } from '../../../local/worker-resources-data.ts';

/** The variable by which a stack of the same process has miniflare start workerd through its guard. */
const GUARD_VARIABLE = 'MINIFLARE_WORKERD_PATH';

/** Starts workerd with one Worker, an ES module, and without the guard of stacks: whoever starts it disposes of it. */
export async function startBareWorkerd(
  script: string,
  compatibilityFlags: readonly string[] = [],
  bindings: Readonly<Record<string, string>> = {},
): Promise<Miniflare> {
  const guard = process.env[GUARD_VARIABLE];
  delete process.env[GUARD_VARIABLE];
  const workerd = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script,
      compatibilityDate: COMPATIBILITY_DATE,
      compatibilityFlags: [...compatibilityFlags],
      bindings: { ...bindings },
      cf: false,
    }),
  );
  try {
    await workerd.ready;
    return workerd;
  } finally {
    if (guard !== undefined) process.env[GUARD_VARIABLE] = guard;
  }
}
