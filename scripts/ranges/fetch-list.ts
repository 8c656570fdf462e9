import { Parser } from 'htmlparser2';
import { readAtMost } from '../../src/net/read-body.ts';
import type { AgentSource } from '../../src/traffic/ranges/agent-sources-data.ts';
import { MAX_RANGES_FILE_BYTES } from '../../src/traffic/ranges/read-ranges-file.ts';
import { type ReadList, readPublishedList } from '../../src/traffic/ranges/read-published-list.ts';

/** Time for one list. */
const FETCH_MS = 20_000;
/** Code elements of a page that are read. */
const MAX_CODE_ELEMENTS = 100;

/** What came of asking an owner: its list, or a sentence why there is none. */
export type FetchedList = Extract<ReadList, { ok: true }> | { ok: false; detail: string };

/** Asks the address of an owner for its list. Whatever comes instead of one is said, never thrown. */
export async function fetchList(url: string, form: AgentSource['form']): Promise<FetchedList> {
  const body = await fetchText(url);
  if (!body.ok) return body;
  const json = form === 'json' ? parseJson(body.text) : findJson(body.text);
  if (json === undefined)
    return { ok: false, detail: form === 'json' ? 'no JSON came' : 'the page has no list as JSON' };
  return readPublishedList(json);
}

async function fetchText(url: string): Promise<{ ok: true; text: string } | { ok: false; detail: string }> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json, text/html;q=0.5', 'user-agent': 'sightline-ranges' },
      signal: AbortSignal.timeout(FETCH_MS),
    });
    if (response.status !== 200 || response.body === null) return { ok: false, detail: `status ${response.status}` };
    const bytes = await readAtMost(response.body, MAX_RANGES_FILE_BYTES);
    if (bytes === undefined) return { ok: false, detail: `more than ${MAX_RANGES_FILE_BYTES} bytes` };
    return { ok: true, text: new TextDecoder().decode(bytes) };
  } catch (error) {
    const { message, cause } = error as Error;
    return { ok: false, detail: cause instanceof Error ? `${message}: ${cause.message}` : message };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first code element of a page that is JSON with prefixes. */
function findJson(html: string): unknown {
  const texts: string[] = [];
  let depth = 0;
  const parser = new Parser({
    onopentag(name) {
      if (name !== 'code' || texts.length === MAX_CODE_ELEMENTS) return;
      depth += 1;
      if (depth === 1) texts.push('');
    },
    ontext(text) {
      if (depth > 0) texts[texts.length - 1] += text;
    },
    onclosetag(name) {
      if (name === 'code' && depth > 0) depth -= 1;
    },
  });
  parser.end(html);
  return texts.map(parseJson).find((json) => typeof json === 'object' && json !== null && 'prefixes' in json);
}
