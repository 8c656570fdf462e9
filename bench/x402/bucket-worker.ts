/** Objects that the in-memory bucket keeps, so that a long run does not grow. */
const MAX_OBJECTS = 1_000;

/** Plain workerd has no R2: a map in its place, the same for every side that stores a result. */
export function createMemoryBucket(): R2Bucket {
  const objects = new Map<
    string,
    { text: string; customMetadata: Record<string, string> | undefined; uploaded: Date }
  >();
  const bucket = {
    put: async (key: string, text: string, options: R2PutOptions) => {
      objects.set(key, { text, customMetadata: options.customMetadata, uploaded: new Date() });
      const [oldest] = objects.keys();
      if (objects.size > MAX_OBJECTS && oldest !== undefined) objects.delete(oldest);
    },
    get: async (key: string) => {
      const object = objects.get(key);
      return object ? { ...object, text: async () => object.text } : null;
    },
  };
  return bucket as Pick<R2Bucket, 'put' | 'get'> as R2Bucket; // The app puts and gets, nothing more.
}
