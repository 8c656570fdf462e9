import { parityAgents } from '../../crawlers/facts/ai-agents.ts';
import { buildCovertTextEdit } from '../../text/fixes/content-edits.ts';
import { defineAdvice, FIX_FILES, type Recipes } from '../../../fixes/core/recipe.ts';
import { buildPageRecipe } from '../../page/fixes/page-recipe.ts';
import { buildPageWork } from '../../reach/fixes/render.ts';

/** Fixes that show people, crawlers and agents the same content. */
export const honestyRecipes: Recipes = {
  'geo.safety.no-invisible-instructions': buildPageWork({
    effort: 'minutes',
    how: 'If none of you wrote it, someone else changed the site: find out how.',
    expect: 'The HTML no longer holds the text of the evidence.',
  }),
  'geo.safety.unicode-covert': buildPageRecipe({
    edit: buildCovertTextEdit,
    action: 'replace',
    how: 'Strip these characters where texts are stored, too.',
    expect: 'No tag characters, bidirectional overrides or long runs of zero-width characters.',
  }),
  'geo.safety.no-cloaking-text': defineAdvice({
    file: FIX_FILES.server,
    action: 'configure',
    effort: 'hours',
    how: 'Look for code that tests the User-Agent, for a cache that keys on it, and for experiments that run for some visitors only.',
    expect: 'The headings and figures are those of the page in a browser.',
    userAgent: parityAgents[1].userAgent,
  }),
  'geo.parity.markdown-content': defineAdvice({
    file: FIX_FILES.pageMarkdown,
    action: 'replace',
    effort: 'hours',
    how: 'A converter that runs in the build (turndown, pandoc) over the main element keeps both alike.',
    expect: 'The Markdown copy holds the sentences of the page.',
  }),
};
