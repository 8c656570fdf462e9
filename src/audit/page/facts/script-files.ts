import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type Snapshot, listNumberedExchanges } from '../../core/snapshot.ts';
import type { PageFacts } from './page-facts.ts';
import { readPageFacts } from '../../reach/facts/site-files.ts';

/** Roles of the exchanges for script files are `page-script:<number>`. */
export const SCRIPT_ROLE = 'page-script';

/** Script files that are read, and how much of each. */
export const MAX_SCRIPT_FILES = 2;
export const MAX_SCRIPT_BYTES = 512 * 1024;

/** Addresses that speak of tools for agents are read before the others. */
const TELLING = /(?:web)?mcp|model-?context|agent/i;

/** Script files of the page's own origin in the order in which they are searched, each once. */
export function listOwnScriptFiles(page: PageFacts): readonly string[] {
  const { origin } = new URL(page.url);
  const files = page.scriptTags.flatMap(({ src }) => {
    if (!URL.canParse(src) || new URL(src).origin !== origin) return [];
    return [src.split('#')[0] ?? src];
  });
  const unique = [...new Set(files)];
  const telling = unique.filter((src) => TELLING.test(new URL(src).pathname));
  return [...new Set([...telling, ...unique])];
}

/** The script files of a page: how many of its own origin it names, and the exchanges of those that were read. */
export type ScriptFiles = { named: number; exchanges: readonly Exchange[] };

/** Artifact `scriptFiles`. */
export function readScriptFiles(snapshot: Snapshot): Artifact<ScriptFiles> {
  const page = readPageFacts(snapshot);
  if (page.state === 'failed') return page;
  return {
    state: 'ready',
    value: { named: listOwnScriptFiles(page.value).length, exchanges: listNumberedExchanges(snapshot, SCRIPT_ROLE) },
  };
}
