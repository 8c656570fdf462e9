import { type AiAgent, aiAgents } from '../../audit/crawlers/facts/ai-agents-data.ts';
import type { VisitorClaim } from './agent-class.ts';
import { browserBeginnings, browserEngines, namedBrowsers, programNames } from './browser-words-data.ts';

const AUTOMATION: VisitorClaim = { class: 'automation' };
const PERSON: VisitorClaim = { class: 'person' };

/**
 * What a User-Agent says it is: an agent of the roster by its name; a person where it is a browser's string and nothing in
 * it says that a program is at work; other automation for the rest, the empty string too.
 */
export function classifyUserAgent(userAgent: string): VisitorClaim {
  const agent = findClaimedAgent(userAgent);
  if (agent !== undefined) return { class: agent.class, token: agent.token, owner: agent.owner };
  return isBrowser(userAgent.toLowerCase()) ? PERSON : AUTOMATION;
}

function isBrowser(whole: string): boolean {
  const text = whole.replaceAll(ADD_ON, '').replace(EMBEDDED, '');
  const isNamed = namedBrowsers.some((name) => text.startsWith(name));
  if (!isNamed && !browserBeginnings.some((name) => text.startsWith(name))) return false;
  if (!isNamed && !browserEngines.some((name) => text.includes(name)) && !NETSCAPE.test(text)) return false;
  return !hasProgramWord(text) && (isNamed || (!hasProgramName(text) && !hasForeignPart(text)));
}

/** Add-ons of browsers are a person's, whatever they are about. */
const ADD_ON = /[\w.-]{1,60}(?:extension|add-?on|toolbar|plugin)\b/g;
/** A component for Windows programs that show pages. */
const EMBEDDED = /embedded web browser from: https?:\/\/bsalsa\.com\/?/;
/** Netscape up to 4 names neither itself nor an engine. */
const NETSCAPE =
  /^mozilla\/[1-4]\.\d{1,3}(?:[a-z]\w{0,3})? ?(?:\[[a-z-]{2,8}\][\w-]{0,12} )?\((?:win|x11|macintosh|os\/2|amiga)/;

/** Words of what programs do, at the end of a name or by themselves, and signs of who runs one. */
const programWords: readonly RegExp[] = [
  /(?<!cu)bots?(?![a-z])/,
  /crawl|spider|spyder|scrap(?:er|y|ing)|slurp|harvest|archiv|fetcher|indexer|indexing|scanner|monitor|validator|checker|checklink/,
  /preview|unfurl|thumbnail|screenshot|analy[sz]er|audit|downloader|grabber|copier|extractor|collector|aggregator|subscribers/,
  /\bseo\b|seo-?tools?|(?:health|link|site|web|load|speed)-?(?:check|test|map|probe)|\brss\b|\bfeeds?\b|feed-?reader|\bproxy\b/,
  /[a-z]-(?:user|agent|fetch|search|scan|check)(?![a-z])/,
  /https?:|\bwww\.[a-z]|[\w.+-]{1,60}@[a-z0-9-]{1,60}\.[a-z]|\(at\)/,
];

const hasProgramWord = (text: string): boolean => programWords.some((word) => word.test(text));
/** Not asked of browsers of terminals, which name the libraries that they are made of. */
const hasProgramName = (text: string): boolean => programNames.some((name) => text.includes(name));

/** What browsers are compatible with themselves. */
const OWN_PART =
  /^(?:msie|konqueror|opera|windows|iemobile|netfront|icab|omniweb|khtml|gecko|trident|x11|linux|macintosh|palm|psp|playstation|nintendo|webtv|aol|ibrowse|amiga)/;

/** `compatible;` is what programs say before their name; so did browsers until 2013. */
function hasForeignPart(text: string): boolean {
  for (let at = text.indexOf('compatible'); at !== -1; at = text.indexOf('compatible', at + 1)) {
    const part = text.slice(at + 'compatible'.length).replace(/^[;,\s]+/, '');
    if (!OWN_PART.test(part)) return true;
  }
  return false;
}

const roster = aiAgents.map((agent) => ({ agent, name: agent.token.toLowerCase() }));

/**
 * The agent of the roster that a User-Agent names as a product: by its whole name, outside of a comment, or first in a
 * part of a comment, or with a version. Of several, the first. `NotGPTBot`, `rules for GPTBot` and an address with its name
 * claim nothing.
 */
function findClaimedAgent(userAgent: string): AiAgent | undefined {
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
