import { type AiAgent, aiAgents } from '../../audit/crawlers/facts/ai-agents-data.ts';

const roster = aiAgents.map((agent) => ({ agent, name: agent.token.toLowerCase() }));

/**
 * The agent of the roster that a User-Agent names as a product: by its whole name, outside of a comment, or first in a
 * part of a comment, or with a version. Of several, the first. `NotGPTBot`, `rules for GPTBot` and an address with its name
 * claim nothing.
 */
export function findClaimedAgent(userAgent: string): AiAgent | undefined {
  const text = userAgent.toLowerCase();
  let [first, found]: [number, AiAgent | undefined] = [text.length, undefined];
  for (const { agent, name } of roster) {
    const at = findProduct(text, name);
    if (at === -1 || at >= first) continue;
    [first, found] = [at, agent];
  }
  return found;
}

/** Where a text has a name as a product; -1 for nowhere. */
function findProduct(text: string, name: string): number {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (isWholeName(text, at, end) && isProductPlace(text, at, end)) return at;
  }
  return -1;
}

/** Other names go on with these, and so do addresses. */
const PART_OF_NAME = /[\w.@+-]/;

const isWholeName = (text: string, at: number, end: number): boolean =>
  !PART_OF_NAME.test(text[at - 1] ?? ' ') && !PART_OF_NAME.test(text[end] ?? ' ') && text[at - 1] !== '/';

function isProductPlace(text: string, at: number, end: number): boolean {
  if (text[end] === '/' && /\d/.test(text[end + 1] ?? '')) return true;
  if (!isInComment(text, at)) return true;
  const before = text.slice(0, at).trimEnd().at(-1) ?? '';
  return '([;,'.includes(before);
}

function isInComment(text: string, at: number): boolean {
  let depth = 0;
  for (let index = 0; index < at; index += 1) {
    const one = text[index] ?? '';
    if (one === '(' || one === '[') depth += 1;
    else if ((one === ')' || one === ']') && depth > 0) depth -= 1;
  }
  return depth > 0;
}
