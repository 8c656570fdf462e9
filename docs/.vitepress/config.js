import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { listDays } from '../../scripts/docs/finish-site.js';
import { makeAnchor } from './anchors.js';
import { describePage } from './describe.js';
import { colourClasses, configureMarkdown } from './markdown.js';
import { buildNav, buildSidebar, leftOut } from './tree.js';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const repository = /https:\/\/[^\s]+?(?=\.git$|$)/.exec(manifest.repository?.url ?? manifest.repository ?? '')?.[0];
const [, product = ''] =
  /PRODUCT = '([^']+)'/.exec(readFileSync(new URL('../../src/lib/product.ts', import.meta.url), 'utf8')) ?? [];
const days = listDays(root);
const BASE = '/docs/';
/** Stands for the address of the deployment, which the api Worker writes in its place. */
const ORIGIN = 'https://origin.invalid';

export default defineConfig({
  title: `${product} docs`,
  titleTemplate: `:title · ${product} docs`,
  lang: 'en',
  base: BASE,
  appearance: { disableTransition: false }, // That would write a style sheet into the page, which its policy refuses.
  cleanUrls: true,
  metaChunk: true,
  srcExclude: leftOut,
  rewrites: (path) => path.replace(/(^|\/)README\.md$/, '$1index.md'),
  ignoreDeadLinks: true, // test/links.test.ts follows every link, anchors too.
  outDir: '.vitepress/dist',
  cacheDir: '.vitepress/cache',
  head: [
    ['link', { rel: 'icon', href: '/web/icon.svg', type: 'image/svg+xml' }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
  ],
  vite: { esbuild: { tsconfigRaw: {} } }, // The configuration of TypeScript above is not for this site.
  markdown: {
    anchor: { slugify: makeAnchor },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    codeTransformers: [colourClasses],
    config: (md) => configureMarkdown(md, { root, repository }),
  },
  themeConfig: {
    nav: buildNav(root),
    sidebar: buildSidebar(root),
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    externalLinkIcon: false,
  },
  transformPageData(page, { siteConfig }) {
    const file = `${siteConfig.srcDir}/${page.filePath}`;
    // Without a sidebar the bar of headings comes late, and pushes the page down.
    if (page.relativePath === 'index.md') page.frontmatter.outline = false;
    page.frontmatter.changed = days.get(page.filePath) ?? days.get('');
    page.description = page.frontmatter.description ?? describePage(readFileSync(file, 'utf8'), page.title);
  },
  transformHead({ pageData: { relativePath, title, description, isNotFound, frontmatter } }) {
    if (isNotFound) return [['meta', { name: 'robots', content: 'noindex' }]];
    const path = `${BASE}${relativePath.replace(/(?:^|(?<=\/))index\.md$|\.md$/, '')}`;
    const address = `${ORIGIN}${path}`;
    return [
      ['link', { rel: 'canonical', href: address }],
      ['link', { rel: 'alternate', type: 'text/markdown', href: `${BASE}${relativePath}` }],
      ['meta', { property: 'og:type', content: 'article' }],
      ['meta', { property: 'og:title', content: title }],
      ['meta', { property: 'og:description', content: description }],
      ['meta', { property: 'og:url', content: address }],
      ['meta', { property: 'og:site_name', content: product }],
      ['meta', { property: 'og:image', content: `${ORIGIN}/web/card.png` }],
      [
        'script',
        { type: 'application/ld+json' },
        buildGraph({ path, title, description, changed: frontmatter.changed }),
      ],
    ];
  },
});

/** The page and where it is, for machines (schema.org). The Worker says beside it who publishes the site. */
function buildGraph({ path, title, description, changed }) {
  const address = `${ORIGIN}${path}`;
  const publisher = { '@id': `${ORIGIN}/#organization` };
  const article = {
    '@type': 'TechArticle',
    '@id': `${address}#page`,
    url: address,
    headline: title,
    description,
    inLanguage: 'en',
    dateModified: changed,
    author: publisher,
    publisher,
    isPartOf: { '@id': `${ORIGIN}/#website` },
  };
  const places = [
    [product, `${ORIGIN}/`],
    ['Documentation', `${ORIGIN}${BASE}`],
    ...(path === BASE ? [] : [[title, address]]),
  ];
  const crumbs = places.map(([name, item], index) => ({ '@type': 'ListItem', position: index + 1, name, item }));
  const graph = [article, { '@type': 'BreadcrumbList', itemListElement: crumbs }];
  return JSON.stringify({ '@context': 'https://schema.org', '@graph': graph })
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026');
}
