type Kept = { bytes: Uint8Array<ArrayBuffer>; uploaded: Date; customMetadata: Record<string, string> };

/** Objects of a bucket in memory, with the times of a clock: what the store of reports asks of R2. */
export function memoryBucket(now: () => number) {
  const objects = new Map<string, Kept>();
  const head = (key: string) => {
    const kept = objects.get(key);
    return kept === undefined ? null : { key, uploaded: kept.uploaded, customMetadata: kept.customMetadata };
  };
  const bucket = {
    head: async (key: string) => head(key),
    get: async (key: string) => {
      const kept = objects.get(key);
      if (kept === undefined) return null;
      const response = new Response(kept.bytes);
      return { ...head(key), body: response.body, text: () => response.text() };
    },
    put: async (key: string, value: BodyInit, options: { customMetadata?: Record<string, string> } = {}) => {
      const bytes = new Uint8Array(await new Response(value).arrayBuffer());
      objects.set(key, { bytes, uploaded: new Date(now()), customMetadata: options.customMetadata ?? {} });
    },
    delete: async (keys: string | readonly string[]) => {
      for (const key of [keys].flat()) objects.delete(key);
    },
    list: async ({ prefix }: { prefix: string }) => ({
      objects: [...objects.keys()].filter((key) => key.startsWith(prefix)).map((key) => ({ key })),
    }),
  };
  /** What a lifecycle rule does to a prefix. */
  const expire = (prefix: string): void => {
    for (const key of objects.keys()) if (key.startsWith(prefix)) objects.delete(key);
  };
  return { bucket: bucket as unknown as R2Bucket, objects, expire };
}
