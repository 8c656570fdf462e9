import type { RewriterElement } from '../files/html-rewriter.ts';
import type { Fixing } from './fix-context.ts';
import type { JsonLdModel } from './json-ld-model.ts';

/**
 * A change to every element that `selector` finds in the rendered page (not inside `template` or `svg`, which the page
 * facts leave out as well). `index` counts those elements from 0, in the order of the page facts.
 */
export type ElementEdit = { selector: string; edit: (element: RewriterElement, index: number) => void };

/** An element for the head. Of two with one key the first counts. `first`: right after `<head>`, for the charset. */
export type HeadLine = { key: string; html: string; first?: true };

/** What one fix changes in the page. Several of them can be made in one pass. */
export type PageEdits = {
  head?: readonly HeadLine[];
  elements?: readonly ElementEdit[];
  /** Changes the structured data in place: its blocks are written again, new nodes become one block more. */
  jsonLd?: (model: JsonLdModel) => void;
  /** A change of characters, where they stand does not matter. Keeps every tag. */
  text?: (html: string) => string;
};

/** Decides what to change, from the facts of the page; `undefined` where a machine cannot know. */
export type PageEdit = (fixing: Fixing) => PageEdits | undefined;

/** The edits of several fixes, made in the given order. */
export const joinEdits = (all: readonly PageEdits[]): PageEdits => ({
  head: all.flatMap(({ head }) => head ?? []),
  elements: all.flatMap(({ elements }) => elements ?? []),
  jsonLd: (model) => {
    for (const { jsonLd } of all) jsonLd?.(model);
  },
  text: (html) => all.reduce((done, { text }) => text?.(done) ?? done, html),
});
