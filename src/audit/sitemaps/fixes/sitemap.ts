import { defineAdvice, FIX_FILES, type Recipe, type Recipes } from '../../../fixes/core/recipe.ts';
import { formatSlot } from '../../../fixes/core/fix-slots.ts';
import { defineFileRecipe } from '../../../fixes/core/file-recipe.ts';
import { generateAtomFeed, generateSitemapXml } from '../../reach/fixes/site-files.ts';

const buildSitemapRecipe = (how: string, expect: string) =>
  defineFileRecipe({
    file: FIX_FILES.sitemap,
    mediaType: 'application/xml',
    role: 'sitemap-named:0',
    kind: 'xml',
    make: (fixing) => generateSitemapXml(fixing),
    how,
    expect,
  });

/** Dates that the pages state are written in; where they state too few, their author has to. */
function buildLastmodRecipe(): Recipe {
  const how = 'Take the date from the content itself; the time of the build says nothing.';
  const whole = buildSitemapRecipe(how, 'At least four of five entries have a lastmod that lies in the past.');
  return {
    async remedy(fixing, judged) {
      const draft = await whole.remedy(fixing, judged);
      const entries = draft.content?.match(/<url>/g)?.length ?? 0;
      const dated = draft.content?.match(/<lastmod>/g)?.length ?? 0;
      if (entries > 0 && dated >= MIN_DATED * entries) return draft;
      const { ready: _ready, ...work } = draft;
      return { ...work, effort: 'hours', how: `${how} Too few pages state a date of their own: let the CMS write it.` };
    },
  };
}

/** The share of entries that should have a date. */
const MIN_DATED = 0.8;

/** Sitemaps and feeds. */
export const sitemapRecipes: Recipes = {
  'aeo.sitemap.exists': buildSitemapRecipe(
    'The file lists the pages that the audit knows. Let the CMS or the build write it, so that it stays complete.',
    'Status 200 with an XML sitemap.',
  ),
  'aeo.sitemap.valid': buildSitemapRecipe(
    'Write the file with an XML library: it escapes what has to be. An index lists sitemaps, never another index.',
    'Well-formed XML in the namespace of sitemaps.org, with absolute addresses of this host.',
  ),
  'aeo.sitemap.lastmod': buildLastmodRecipe(),
  'aeo.sitemap.contains-start': buildSitemapRecipe(
    'The file lists the pages of the present sitemap and those that the start page links to.',
    'The audited page and those of its navigation are listed.',
  ),
  'aeo.sitemap.lastmod-agrees': defineAdvice({
    file: FIX_FILES.sitemap,
    action: 'insert',
    effort: 'hours',
    content: `<url><loc>${formatSlot('target')}</loc><lastmod>${formatSlot('dateModified')}</lastmod></url>\n`,
    media_type: 'application/xml',
    expect: 'lastmod and dateModified of a page are at most seven days apart.',
    at: '/sitemap.xml',
  }),
  'aeo.feed.exists': defineFileRecipe({
    file: FIX_FILES.feed,
    mediaType: 'application/atom+xml',
    make: generateAtomFeed,
    without:
      'The present feed stays: the evidence names what its entries lack, and whatever writes it has to add that.',
    how: 'Let the CMS write it, and link it from the head: <link rel="alternate" type="application/atom+xml" href="/feed.xml">.',
    effort: 'hours',
    expect: 'Status 200 with a feed whose entries have a link, an id and a date.',
  }),
  'agent.docs.sitemap-md': defineAdvice({
    file: FIX_FILES.sitemapMarkdown,
    action: 'create',
    effort: 'minutes',
    expect: 'Nothing has to change: the check only reports.',
    at: '/llms.txt',
  }),
};
