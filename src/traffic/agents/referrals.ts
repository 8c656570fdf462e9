/** Assistants by the hosts of their pages, without `www.`, and by the bare names that they put into `utm_source`. */
export const referringAssistants: readonly { name: string; hosts: readonly string[]; sources: readonly string[] }[] = [
  { name: 'ChatGPT', hosts: ['chatgpt.com', 'chat.openai.com'], sources: ['chatgpt'] },
  { name: 'Perplexity', hosts: ['perplexity.ai'], sources: ['perplexity'] },
  { name: 'Gemini', hosts: ['gemini.google.com'], sources: ['gemini'] },
  { name: 'Copilot', hosts: ['copilot.microsoft.com', 'copilot.com'], sources: ['copilot'] },
  { name: 'Claude', hosts: ['claude.ai'], sources: ['claude'] },
  { name: 'Grok', hosts: ['grok.com'], sources: ['grok'] },
  { name: 'DeepSeek', hosts: ['chat.deepseek.com'], sources: ['deepseek'] },
  { name: 'Mistral', hosts: ['chat.mistral.ai'], sources: ['mistral'] },
  { name: 'Meta AI', hosts: ['meta.ai'], sources: [] },
  { name: 'Kimi', hosts: ['kimi.com'], sources: ['kimi'] },
];

const byHost = new Map(referringAssistants.flatMap(({ name, hosts }) => hosts.map((host) => [host, name] as const)));
const bySource = new Map([
  ...byHost,
  ...referringAssistants.flatMap(({ name, sources }) => sources.map((source) => [source, name] as const)),
]);
const LONGEST_NAME = Math.max(...[...bySource.keys()].map(({ length }) => length)) + 'www.'.length;

const findName = (names: ReadonlyMap<string, string>, text: string): string | undefined => {
  if (text.length > LONGEST_NAME) return undefined;
  const lower = text.toLowerCase();
  return names.get(lower.startsWith('www.') ? lower.slice(4) : lower);
};

/**
 * The assistant whose answer a request came from: by the host of the referrer, else by `utm_source` of the path. Hosts that
 * only contain such a name are others.
 */
export function findAssistantReferral(referrer: string, path: string): string | undefined {
  const scheme = referrer.indexOf('://');
  if (scheme !== -1) {
    const start = scheme + 3;
    const found = findName(byHost, referrer.slice(start, findEnd(referrer, start, HOST_ENDS)));
    if (found !== undefined) return found;
  }
  const query = path.indexOf('?');
  return query === -1 ? undefined : findName(bySource, readSource(path, query));
}

const HOST_ENDS = '/?#:';
const VALUE_ENDS = '&;#';
const SOURCE = 'utm_source=';

function findEnd(text: string, from: number, ends: string): number {
  let at = from;
  while (at < text.length && !ends.includes(text.charAt(at))) at += 1;
  return at;
}

/** The value of `utm_source` behind the question mark at a place. */
function readSource(path: string, query: number): string {
  for (let at = path.indexOf(SOURCE, query); at !== -1; at = path.indexOf(SOURCE, at + 1)) {
    if (!'?&;'.includes(path.charAt(at - 1))) continue;
    const start = at + SOURCE.length;
    return path.slice(start, findEnd(path, start, VALUE_ENDS));
  }
  return '';
}
