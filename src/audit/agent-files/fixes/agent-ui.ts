import {
  buildAriaEdit,
  buildAutocompleteEdit,
  buildControlNamesEdit,
  buildFieldNamesEdit,
  buildNativeButtonsEdit,
  buildWebMcpEdit,
} from '../../controls/fixes/control-edits.ts';
import { buildNoFollowActionsEdit } from '../../page/fixes/link-edits.ts';
import { formatSlot } from '../../../fixes/core/fix-slots.ts';
import { buildPageRecipe } from '../../page/fixes/page-recipe.ts';
import type { Recipes } from '../../../fixes/core/recipe.ts';
import { buildPageWork } from '../../reach/fixes/render.ts';

/** What a browser agent can name, reach and use. */
export const agentUiRecipes: Recipes = {
  'agent.ui.form-labels': buildPageRecipe({
    edit: buildFieldNamesEdit,
    action: 'replace',
    how: 'A visible label element serves people as well.',
    expect: 'Every field has a label, an aria-label or a title.',
  }),
  'agent.ui.control-names': buildPageRecipe({
    edit: buildControlNamesEdit,
    action: 'replace',
    expect: 'Every button and link has a text or an aria-label.',
  }),
  'agent.ui.autocomplete': buildPageRecipe({
    edit: buildAutocompleteEdit,
    action: 'replace',
    expect: 'Fields for personal data have an autocomplete token.',
  }),
  'agent.ui.native-controls': buildPageRecipe({
    edit: buildNativeButtonsEdit,
    action: 'replace',
    effort: 'hours',
    byHand:
      'Make each place of the evidence a button inside the element that it is on, or a link with href where it leads to another page.',
    how: 'Reset the style of the buttons in the style sheet; what leads to another page becomes a link with href.',
    expect: 'What can be clicked is a button, a link or a field.',
  }),
  'agent.ui.forms-no-js': buildPageWork({
    content: `<form action="${formatSlot('target')}" method="post">...</form>\n`,
    how: 'The script may go on to take the form over; without it, the server answers.',
    expect: 'Every form has an action and a method.',
  }),
  'agent.ui.search-url': buildPageWork({
    content:
      '<form role="search" action="/search" method="get">\n<label>Search <input type="search" name="q"></label>\n<button>Search</button>\n</form>\n',
    how: 'Render the results on the server at that address.',
    expect: 'A search has an address such as /search?q=..., which answers 200 with results in its HTML.',
  }),
  'agent.ui.captcha': buildPageWork({
    how: 'Load it when a form that writes something is sent, not on pages that are only read.',
    expect: 'The page loads no captcha before something is sent.',
  }),
  'agent.ui.dangerous-get': buildPageRecipe({
    edit: buildNoFollowActionsEdit,
    action: 'replace',
    effort: 'hours',
    how: 'nofollow only keeps crawlers off. Make each a form with method="post", and let GET of its address change nothing.',
    expect: 'No plain link logs out, deletes, unsubscribes or buys.',
  }),
  'agent.ui.aria-valid': buildPageRecipe({
    edit: buildAriaEdit,
    action: 'replace',
    how: 'What stood there wrongly is taken out: put the right role or id in its place where it was needed.',
    expect: 'Roles exist, aria values are legal, and ids that are referred to are there.',
  }),
  'agent.webmcp.forms': buildPageRecipe({
    edit: buildWebMcpEdit,
    action: 'replace',
    effort: 'hours',
    how: 'Give each field a label or toolparamdescription.',
    expect: 'Forms with toolname have a legal, unique name and a tooldescription.',
  }),
  'agent.webmcp.script': buildPageWork({
    effort: 'minutes',
    content: 'document.modelContext.registerTool({ name, description, inputSchema, execute });\n',
    media_type: 'text/javascript',
    how: 'The interface moved from navigator to document.',
    expect: 'Scripts call document.modelContext, not navigator.modelContext.',
  }),
};
