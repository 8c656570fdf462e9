/**
 * Child of the comparison on the corpus: audits the page of each message by the tool that its argument names, from memory
 * (no network for either), and answers what it took. One page at a time; an error of the tool is an answer too.
 */
import { answerFrom, judge, onePage, ORIGIN, record, type Took, timed, withOtherHashes } from './in-memory.ts';

export type PageQuestion = { body: string };
/** `engine`: from what was fetched to the report; `whole`: with the fetching. The peer has no door between the two. */
export type PageTook = { engine: Took; whole: Took };
export type PageAnswer = ({ ok: true } & PageTook) | { ok: false; error: string };

type Auditing = (body: string) => Promise<PageTook>;
type AiseoAudit = {
  loadConfig: () => Promise<object>;
  analyzeUrl: (options: { url: string }, config: object) => Promise<unknown>;
};

const tools: Readonly<Record<string, () => Promise<Auditing>>> = {
  sightline: async () => async (body) => {
    const whole = await timed(async () => judge(await record(onePage(body))));
    const snapshot = withOtherHashes(await record(onePage(body)), 0);
    return { engine: await timed(() => judge(snapshot)), whole };
  },
  'aiseo-audit': async () => {
    const file = new URL('../node_modules/aiseo-audit/dist/index.mjs', import.meta.url).href;
    const { loadConfig, analyzeUrl } = (await import(file)) as AiseoAudit; // The published types say so.
    const config = await loadConfig();
    return async (body) => {
      globalThis.fetch = (input) => answerWithUrl(onePage(body), new Request(input).url);
      const took = await timed(() => analyzeUrl({ url: `${ORIGIN}/` }, config));
      return { engine: took, whole: took };
    };
  },
};

/** An answer made by hand has no URL, and the peer asks for it. */
async function answerWithUrl(...[fileAt, url]: Parameters<typeof answerFrom>): Promise<Response> {
  return Object.defineProperty(await answerFrom(fileAt, url), 'url', { value: url });
}

const auditing = tools[process.argv[2] ?? '']?.();

process.on('message', ({ body }: PageQuestion) => {
  void answer(body).then((said) => process.send?.(said));
});

async function answer(body: string): Promise<PageAnswer> {
  const run = await auditing;
  if (!run) return { ok: false, error: 'no such tool' };
  try {
    return { ok: true, ...(await run(body)) };
  } catch (error) {
    return { ok: false, error: String(error).slice(0, 200) };
  }
}
