import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type Snapshot, getExchangeLookup } from '../../core/snapshot.ts';
import { AGENT_ROLES } from '../../agent-files/facts/agent-places.ts';
import { readExistence } from '../../reach/facts/existence.ts';
import { parseMediaType } from '../../reach/facts/html-answer.ts';

/** Roles under which a copy may have been read, in order of preference. */
const ROLES = [AGENT_ROLES.markdown, 'markdown-alternate', 'markdown-suffix'] as const;

/** Characters of the page that are looked for; of the copy, twice as many are searched. */
const MAX_CHARS = 200_000;
const GRAM = 5;

/**
 * Artifact `markdownCopy`: the exchange that has the Markdown copy of the start page, or that there is none. Failed when
 * none was found and a place could not be read.
 */
export function readMarkdownCopy(snapshot: Snapshot): Artifact<Exchange | 'none'> {
  const find = getExchangeLookup(snapshot);
  const control = find('control');
  for (const role of ROLES) {
    const exchange = find(role);
    if (exchange && isCopy(role, exchange, control)) return { state: 'ready', value: exchange };
  }
  const unread = ROLES.flatMap((role) => find(role) ?? []).find(({ answer }) => !answer.ok);
  if (!unread || unread.answer.ok) return { state: 'ready', value: 'none' };
  return { state: 'failed', reason: unread.answer.reason, url: unread.url };
}

/** A negotiated answer must say that it is Markdown; a file at its own address is believed by its bytes. */
function isCopy(role: (typeof ROLES)[number], exchange: Exchange, control: Exchange | undefined): boolean {
  const found = readExistence(exchange, control, 'markdown');
  if (found.state !== 'exists') return false;
  return (
    role !== AGENT_ROLES.markdown || parseMediaType(found.answer.headers['content-type'] ?? '') === 'text/markdown'
  );
}

/** Share of the word 5-grams of `text` that `markdown` contains too, 0 to 1; undefined when `text` is shorter. */
export function computeContainedShare(text: string, markdown: string): number | undefined {
  const wanted = buildWordGrams(splitCopyWords(text.slice(0, MAX_CHARS)));
  if (wanted.size === 0) return undefined;
  const there = buildWordGrams(splitCopyWords(withoutSyntax(markdown.slice(0, 2 * MAX_CHARS))));
  return [...wanted].filter((gram) => there.has(gram)).length / wanted.size;
}

/** Link targets, images and tags say nothing; emphasis, fences and table bars are no letters anyway. */
const withoutSyntax = (markdown: string): string =>
  markdown
    .replace(/\]\([^()\s]{0,2000}(?:\s"[^"\n]{0,300}")?\)/g, '] ')
    .replace(/<[^<>\n]{1,500}>/g, ' ')
    .replace(/\\([^\p{L}\p{N}\s])/gu, '$1');

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** Runs of letters and digits, lower case; a character of a script without spaces is a word. */
function splitCopyWords(text: string): readonly string[] {
  const spaced = text.normalize('NFKC').toLowerCase().replace(UNSPACED, ' $& ');
  return spaced.match(/[\p{L}\p{N}]{1,100}/gu) ?? [];
}

const buildWordGrams = (words: readonly string[]): ReadonlySet<string> =>
  new Set(words.slice(GRAM - 1).map((_, index) => words.slice(index, index + GRAM).join(' ')));
