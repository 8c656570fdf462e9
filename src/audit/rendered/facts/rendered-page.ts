import { rememberPerObject } from '../../../lib/memo.ts';
import type { Artifact } from '../../core/artifact.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { parsePage } from '../../page/facts/page.ts';
import { readPageFacts } from '../../reach/facts/site-files.ts';
import { comparePages, type ScriptShare } from './differences.ts';
import type { RenderedLook } from './rendered-look.ts';

/** What a browser showed of the start page, and how that differs from the raw HTML; or why nothing is known of it. */
export type RenderedPage =
  | { state: 'shown'; look: RenderedLook; page: PageFacts; scripts: ScriptShare }
  | { state: 'none'; note: string };

/** The page facts of a look: its HTML is read exactly as the raw HTML is. */
export const getRenderedFacts = rememberPerObject((look: RenderedLook): PageFacts =>
  parsePage(look.html, { url: look.url, bodyBytes: look.html.length }),
);

const NOT_ASKED =
  'Not rendered: no browser was asked to. The command line does it with --render, a service where its deployment has a browser.';

/** Artifact `rendered`: always ready, since what is not rendered keeps no other check from its verdict. */
export function readRendered(snapshot: Snapshot): Artifact<RenderedPage> {
  const { rendered } = snapshot;
  if (rendered === undefined) return { state: 'ready', value: { state: 'none', note: NOT_ASKED } };
  if (!rendered.ok) {
    const note = `Not rendered (${rendered.reason}): ${rendered.detail}.`;
    return { state: 'ready', value: { state: 'none', note } };
  }
  const raw = readPageFacts(snapshot);
  if (raw.state === 'failed') return { state: 'ready', value: { state: 'none', note: 'The start page is no page.' } };
  const page = getRenderedFacts(rendered);
  return { state: 'ready', value: { state: 'shown', look: rendered, page, scripts: comparePages(raw.value, page) } };
}
