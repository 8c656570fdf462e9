import { inflateAtMost, inflateStream } from '../../../src/net/inflate.ts';

/** Inflates the gzip it is sent: `?limit=` bytes of it, or as a stream of which the answer says the size. */
export default {
  async fetch(request: Request): Promise<Response> {
    const limit = new URL(request.url).searchParams.get('limit');
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (limit !== null) {
      const { bytes: made, end } = await inflateAtMost(bytes, 'gzip', Number(limit));
      return Response.json({ size: made.byteLength, end });
    }
    let size = 0;
    for await (const part of inflateStream(new Blob([bytes]).stream(), 'gzip')) size += part.byteLength;
    return Response.json({ size });
  },
};
