import type { Artifacts } from '../../audit/core/artifacts.ts';
import type { ArtifactName } from '../../audit/core/check.ts';
import { artifactReader } from '../../audit/core/run.ts';
import { type Lookup, lookup, type Snapshot } from '../../audit/core/snapshot.ts';
import type { PageFacts } from '../../audit/page/facts/page-facts.ts';
import { isHtmlAnswer } from '../../audit/reach/facts/html-answer.ts';
import type { Audited } from '../files/audited.ts';
import type { NewRewriter } from '../files/html-rewriter.ts';
import { openElementsExceed } from './open-elements.ts';
import { type SiteWords, siteWords } from './site-words.ts';

/** All that a recipe may look at. Nothing is fetched: the snapshot holds what was read. */
export type Fixing = {
  audited: Audited;
  newRewriter: NewRewriter;
  find: Lookup;
  /** An artifact of the audit; undefined when it could not be read. */
  read: <K extends ArtifactName>(name: K) => Artifacts[K] | undefined;
  /** The facts of the start page, if it is HTML. */
  page: PageFacts | undefined;
  /** The start page as it can be rewritten, or why it cannot. */
  source: PageSource;
  words: SiteWords;
};

/** Open elements at which the rewriter of the platform stops; the polyfill would go on, and give other bytes. */
const MAX_OPEN_ELEMENTS = 16_000;

/** Reads once what all recipes share. */
export function fixingOf(audited: Audited, newRewriter: NewRewriter): Fixing {
  const artifactOf = artifactReader(audited.snapshot);
  const read: Fixing['read'] = (name) => {
    const artifact = artifactOf(name);
    return artifact.state === 'ready' ? artifact.value : undefined;
  };
  const page = read('page');
  return {
    audited,
    newRewriter,
    find: lookup(audited.snapshot),
    read,
    page,
    source: pageSource(audited.snapshot, page),
    words: siteWords(audited, page),
  };
}

const TOO_DEEP = 'its elements are nested deeper than an HTML rewriter follows';

function pageSource(snapshot: Snapshot, page: PageFacts | undefined): PageSource {
  const answer = lookup(snapshot)('page')?.answer;
  if (!answer?.ok || !page) return { ok: false, why: 'it could not be read as an HTML page' };
  if (!isHtmlAnswer(answer)) return { ok: false, why: 'it is not served as HTML' };
  if (answer.truncated) return { ok: false, why: 'it is larger than the audit reads' };
  const html = answer.body.replace(/^\uFEFF/, '').toWellFormed();
  if (page.tooDeep || openElementsExceed(html, MAX_OPEN_ELEMENTS)) return { ok: false, why: TOO_DEEP };
  return { ok: true, html, page };
}

/** A page that can be changed, or why it cannot, in our words. */
export type PageSource = { ok: true; html: string; page: PageFacts } | { ok: false; why: string };
