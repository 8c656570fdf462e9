import { defineArtifact, runFirst } from '../core/artifact.ts';
import { readRendered } from './facts/rendered-page.ts';
import { gatherRendered } from './gather/rendered.ts';

/** What the audit knows of this subject. The look makes no request of the audit: it has a budget of its own. */
export const renderedArtifacts = {
  rendered: defineArtifact(readRendered, ['rendered', 'page'], {
    rendered: runFirst(gatherRendered, { rank: 90 }),
  }),
};
