import type { Recipes } from '../../../fixes/core/recipe.ts';
import { buildPageWork } from '../../reach/fixes/render.ts';

/** What only a browser can see is repaired in scripts and style sheets, by hand. */
export const renderedRecipes: Recipes = {
  'agent.content.raw-vs-rendered': buildPageWork({
    effort: 'days',
    how: 'Begin with what the evidence names: prices and JSON-LD can often be written by the server alone.',
    expect: 'The HTML of the first answer has the words, links, JSON-LD and prices of the rendered page.',
  }),
  'agent.content.script-errors': buildPageWork({
    how: 'Open the page with the console of a browser to find where each one is thrown.',
    expect: 'The console of a browser shows no uncaught exception.',
  }),
  'agent.webmcp.registered': buildPageWork({
    content: 'document.modelContext.registerTool({ name, description, inputSchema, execute });\n',
    media_type: 'text/javascript',
    how: 'Register while the page loads, and look for exceptions: a refused registration is one.',
    expect: 'A browser that knows WebMCP lists each tool with name, description and input schema.',
  }),
  'agent.ui.target-size': buildPageWork({
    content: 'nav a, button {\n  min-block-size: 24px;\n  min-inline-size: 24px;\n}\n',
    media_type: 'text/css',
    how: 'Links in running text may stay as they are.',
    expect: 'Each target measures at least 24 by 24 CSS pixels, or has that much room.',
  }),
  'agent.ui.overlay': buildPageWork({
    how: 'A banner that leaves the page usable is better than a layer over all of it.',
    expect: 'What covers the page is a dialog with an accessible name and a named button that closes it.',
  }),
  'agent.ui.rendered-names': buildPageWork({
    how: 'The accessibility pane of a browser shows the name that each control has.',
    expect: 'Each button, link and field has a name in the accessibility tree.',
  }),
};
