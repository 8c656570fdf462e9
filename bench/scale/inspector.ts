import { once } from 'node:events';
import * as z from 'zod';

/** Memory of an isolate in bytes, as its inspector says: the heap, and what buffers hold outside of it. */
export type HeapUse = { heap: number; buffers: number };

export type Inspector = {
  heapUse: () => Promise<HeapUse>;
  close: () => void;
};

const listSchema = z.array(z.object({ webSocketDebuggerUrl: z.string() }));
const answerSchema = z.object({
  id: z.number().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});
const useSchema = z.object({ usedSize: z.number(), backingStorageSize: z.number().optional() });
const TIMEOUT_MS = 120_000;

/** Opens the inspector of the only isolate behind a port. */
export async function openInspector(port: number): Promise<Inspector> {
  const list = await fetch(`http://127.0.0.1:${port}/json/list`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const [target] = listSchema.parse(await list.json());
  if (!target) throw new Error('the inspector has no isolate');
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await once(socket, 'open', { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = answerSchema.parse(JSON.parse(String(data)));
    const asked = id === undefined ? undefined : waiting.get(id);
    if (id === undefined || asked === undefined) return; // An event.
    waiting.delete(id);
    if (error === undefined) asked.resolve(result);
    else asked.reject(new Error(`the inspector answers ${JSON.stringify(error)}`));
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the inspector closed'));
  });
  let last = 0;
  const ask = (method: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method }));
    });
  return {
    heapUse: async () => {
      const { usedSize, backingStorageSize = 0 } = useSchema.parse(await ask('Runtime.getHeapUsage'));
      return { heap: usedSize, buffers: backingStorageSize };
    },
    close: () => socket.close(),
  };
}
