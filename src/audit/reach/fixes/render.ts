import { defineAdvice, type FixDraft, FIX_FILES, type Recipe, type Recipes } from '../../../fixes/core/recipe.ts';
import { formatSlot } from '../../../fixes/core/fix-slots.ts';

/** Work on the text or the build of the page, with a template where one helps. */
export const buildPageWork = (draft: Pick<FixDraft, 'expect'> & Partial<FixDraft>): Recipe =>
  defineAdvice({
    file: FIX_FILES.page,
    action: 'replace',
    effort: 'hours',
    ...(draft.content === undefined ? {} : { media_type: 'text/html' }),
    ...draft,
  });

/** What a reader without scripts gets, and how long it takes to read. */
export const renderRecipes: Recipes = {
  'aeo.render.ssr-text': buildPageWork({
    effort: 'days',
    how: 'Most frameworks have a switch for it; the script then takes over what is there.',
    configure: {
      nextjs:
        '// app/**/page.js: a server component renders on the server; fetch data in it, not in useEffect\nexport default async function Page() {\n  const data = await load();\n  return <main>{data.text}</main>;\n}\n',
      cloudflare:
        'For an application shell that cannot change: prerender with the build (vite-plugin-ssg, Astro, SvelteKit adapter-static) and deploy the HTML as static assets.\n',
      vercel:
        '// Frameworks render on the server by default: look for "use client", ssr: false and dynamic imports around the content.\n',
    },
    expect: 'The sentences of the page are in the HTML that the command prints.',
  }),
  'aeo.render.hidden-text': buildPageWork({
    content: `<details><summary>${formatSlot('term')}</summary>\n<p>${formatSlot('passage')}</p>\n</details>\n`,
    how: 'Use the template for panels that open and close.',
    expect: 'At most a fifth of the text is under hidden, display:none or visibility:hidden.',
  }),
  'aeo.render.noscript-wall': buildPageWork({
    content: `<main>\n<h1>${formatSlot('pageTitle')}</h1>\n<p>${formatSlot('about')}</p>\n</main>\n`,
    expect: 'The HTML holds a readable text, not only the request to turn JavaScript on.',
  }),
  'agent.tokens.page': buildPageWork({
    how: 'This page can stay as the list of the parts, with a sentence for each.',
    expect: 'The visible text has at most 50,000 characters.',
  }),
  'agent.tokens.preamble': buildPageWork({
    how: 'CSS grid or order moves them back to where they are seen now.',
    content: '<body>\n  <main><h1>...</h1>...</main>\n  <nav aria-label="Main">...</nav>\n</body>\n',
    expect: 'The h1 or main element is in the first tenth of the text.',
  }),
  'agent.tokens.inline-bloat': buildPageWork({
    how: 'State can be a JSON file that the script fetches.',
    expect: 'State, data addresses and inline svg make up less than a third of the HTML.',
  }),
  'geo.text.ratio': buildPageWork({
    how: 'They are loaded once and shared by all pages then.',
    expect: 'At least a tenth of the characters of the HTML is text.',
  }),
};
