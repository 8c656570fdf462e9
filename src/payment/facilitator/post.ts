/** What came back: a body that is JSON with its status, or why there is none. */
export type FacilitatorReply = { ok: true; status: number; json: unknown } | { ok: false; detail: string };

export type PostTools = {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** For the whole call, body included. */
  timeoutMs: number;
};

/** Largest answer of a facilitator, in bytes: a verdict is a few hundred. */
const MAX_REPLY_BYTES = 64 * 1024;

/**
 * Posts JSON and reads a JSON answer. Redirects are not followed, since the headers authorise (rule P29). Never throws:
 * whatever went wrong is a `detail` for the log, without anything the other side said.
 */
export async function post(
  tools: PostTools,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<FacilitatorReply> {
  try {
    const response = await tools.fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(tools.timeoutMs),
    });
    return await readReply(response);
  } catch (error) {
    return { ok: false, detail: isTimeout(error) ? `no answer within ${tools.timeoutMs} ms` : 'the connection failed' };
  }
}

async function readReply(response: Response): Promise<FacilitatorReply> {
  const { status } = response;
  // A redirect that is not followed has status 0 in some runtimes.
  if (status === 0 || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    return { ok: false, detail: 'redirected' };
  }
  const text = await readCapped(response);
  if (text === undefined) return { ok: false, detail: `status ${status}, body over ${MAX_REPLY_BYTES} bytes` };
  try {
    return { ok: true, status, json: JSON.parse(text) };
  } catch {
    return { ok: false, detail: `status ${status}, no JSON` }; // nginx answers overload in HTML.
  }
}

/** The body's text; undefined when it is over the cap. A plain body cannot be longer than it says. */
async function readCapped(response: Response): Promise<string | undefined> {
  const declared = Number(response.headers.get('content-length') ?? Number.NaN);
  if (declared <= MAX_REPLY_BYTES && !response.headers.has('content-encoding')) return response.text();
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_REPLY_BYTES) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
