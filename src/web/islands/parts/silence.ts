/**
 * The same bytes, with an end where none came for too long: a connection that broke without a word never ends by itself.
 * @param ms longest silence, in milliseconds; the service writes a comment each second
 */
export function endSilence(body: ReadableStream<Uint8Array>, ms: number): ReadableStream<Uint8Array> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = (controller: TransformStreamDefaultController<Uint8Array>): void => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.error(new Error('nothing came any more')), ms);
  };
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      start: watch,
      transform(piece, controller) {
        watch(controller);
        controller.enqueue(piece);
      },
      flush: () => clearTimeout(timer),
    }),
  );
}
