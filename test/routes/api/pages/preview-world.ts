import { env, exports } from 'cloudflare:workers';

/** One event of a stream, its data parsed. */
export type Told = { event: string; data: Record<string, unknown> };

let callers = 0;

/** Headers of our own page's request, from a caller of its own unless they say otherwise. */
export function fromOurPage(headers: Record<string, string> = {}): Record<string, string> {
  callers += 1;
  return {
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
    origin: env.BASE_URL,
    'cf-connecting-ip': `198.18.${Math.floor(callers / 250)}.${callers % 250}`,
    ...headers,
  };
}

export type Asked = { body?: BodyInit; headers?: Record<string, string>; path?: string; signal?: AbortSignal };

/** Asks for a preview as our page does. */
export const askPreview = (
  url: string,
  { body, headers, path = '/audit/stream', signal }: Asked = {},
): Promise<Response> =>
  exports.default.fetch(
    new Request(`${env.BASE_URL}${path}`, {
      method: 'POST',
      headers: headers ?? fromOurPage(),
      body: body ?? JSON.stringify({ url }),
      ...(signal === undefined ? {} : { signal }),
    }),
  );

/** All events of an answer. Each has one `data` line of JSON: anything else throws. */
export async function eventsIn(answer: Response): Promise<readonly Told[]> {
  const blocks = (await answer.text()).split('\n\n').filter((block) => block !== '' && !block.startsWith(':'));
  return blocks.map((block) => {
    const [name = '', data = '', ...more] = block.split('\n');
    if (!name.startsWith('event: ') || !data.startsWith('data: ') || more.length > 0)
      throw new Error(`not one event: ${block}`);
    return { event: name.slice(7), data: JSON.parse(data.slice(6)) as Record<string, unknown> };
  });
}
