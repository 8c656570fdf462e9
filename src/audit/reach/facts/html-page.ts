import { parseMediaType } from '../../../lib/media-type.ts';
import type { SnapshotAnswer } from '../../core/snapshot.ts';
import { isHtmlText } from './existence.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { parsePage } from '../../page/facts/page.ts';

/** Whether an answer is an HTML page by its media type, or by its bytes when it names none. */
export function isHtmlAnswer(answer: SnapshotAnswer): boolean {
  const type = parseMediaType(answer.headers['content-type'] ?? '');
  if (type === '') return isHtmlText(answer.body.trimStart());
  return type === 'text/html' || type === 'application/xhtml+xml';
}

/** Tags of one page that are read, start tags and end tags; the largest of our saved pages (1.6 MB) has 5,028. */
export const MAX_TAGS = 400_000;

/**
 * The part of a page before its tag number `max` + 1, or undefined where it has no more tags than that. What looks like a
 * tag counts as one, in scripts and comments too.
 */
export function cutPage(html: string, max: number = MAX_TAGS): string | undefined {
  const tag = /<[a-z/!?]/gi;
  for (let tags = 0; tags < max; tags += 1) if (!tag.test(html)) return undefined;
  const next = tag.exec(html);
  return next === null ? undefined : html.slice(0, next.index);
}

/** Pages of different requests that are remembered by their bytes: those of a few audits at once. */
const MAX_SHARED = 32;

const read = new WeakMap<SnapshotAnswer, PageFacts>();
/** Facts by URL and hash of the bytes, held weakly: a page outlives its audit nowhere. */
const shared = new Map<string, WeakRef<PageFacts>>();

/**
 * The page facts of an answer, parsed once per answer, and once for all answers of one URL with the same bytes: a site
 * that treats every User-Agent alike sends the same page many times.
 */
export function getPageFacts(answer: SnapshotAnswer): PageFacts {
  const known = read.get(answer);
  if (known) return known;
  const key = `${answer.sha256} ${answer.url} ${answer.headers['content-type'] ?? ''}`;
  const facts = shared.get(key)?.deref() ?? parsePage(answer.body, answer);
  read.set(answer, facts);
  share(key, facts);
  return facts;
}

function share(key: string, facts: PageFacts): void {
  shared.delete(key);
  shared.set(key, new WeakRef(facts));
  const [oldest] = shared.keys();
  if (shared.size > MAX_SHARED && oldest !== undefined) shared.delete(oldest);
}

/** A mount point with less text than this waits for a script to fill it. */
const EMPTY_ROOT_CHARS = 50;

/** Visible words below which a page with a module script is taken for an application shell. */
export const FEW_WORDS = 60;

/** The sign by which a page seems to be filled by a script, or undefined. */
export function findRenderSign(page: PageFacts): { selector: string; line?: number } | undefined {
  const root = page.appRoots.find(({ textChars }) => textChars < EMPTY_ROOT_CHARS);
  if (root) return { selector: root.marker, line: root.line };
  if (page.scripts.module > 0 && page.words < FEW_WORDS) return { selector: 'script[type=module]' };
  return page.scripts.total > page.jsonLd.length && page.words < 10 ? { selector: 'script' } : undefined;
}
