import counting from './counting-worker.ts';

export * from './counting-worker.ts';

/** Never lets go of the processor once it was asked for `/loop`. */
export default {
  ...counting,
  fetch(request: Request): Response {
    // oxlint-disable-next-line no-unmodified-loop-condition -- it never ends: that is what it is for
    while (new URL(request.url).pathname === '/loop');
    return new Response('ready');
  },
};
