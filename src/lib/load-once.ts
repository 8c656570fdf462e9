/**
 * What the first use loads, such as a module. Only what is loaded is kept, never a pending promise: a request must not wait
 * for another request's promise, which may never settle.
 */
export function loadOnce<T extends object>(load: () => Promise<T>): () => Promise<T> {
  let loaded: T | undefined;
  return async () => (loaded ??= await load());
}
