import type { VisitorClaim } from './agent-class.ts';
import { browserBeginnings, browserEngines, namedBrowsers, programNames } from './browser-words-data.ts';
import { findClaimedAgent } from './claimed-agent.ts';

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
