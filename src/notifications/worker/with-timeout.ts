const MAX_NAME_CHARS = 60;

/** How a call ended. `name`: of what it threw, or `Late`; nothing else of it, since its message may hold anything. */
export type SettledCall<T> = { ok: true; value: T } | { ok: false; name: string };

/** Waits for a call of something foreign: never throws, and never waits longer than `limitMs`. */
export async function callWithTimeout<T>(call: () => Promise<T>, limitMs: number): Promise<SettledCall<T>> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const late = new Promise<SettledCall<T>>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, name: 'Late' }), limitMs);
  });
  try {
    return await Promise.race([late, call().then((value): SettledCall<T> => ({ ok: true, value }))]);
  } catch (error) {
    return { ok: false, name: error instanceof Error ? error.name.slice(0, MAX_NAME_CHARS) : typeof error };
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}
