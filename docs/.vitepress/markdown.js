// How Markdown becomes HTML: nothing in it is a template or a component, diagrams become SVG, and colours of code become
// classes, so that the pages need no inline style.
import { existsSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { renderMermaidSVG } from 'beautiful-mermaid';

/** The HTML that pages may hold; any other is shown as text. */
const TAGS = /^<\/?(?:br|kbd|sub|sup|details|summary|img|picture|source)(?:\s[^<>]*)?\/?>$/i;

/**
 * @param {import('markdown-it')} md
 * @param {{ root: string, repository: string | undefined }} site
 */
export function configureMarkdown(md, site) {
  refuseTemplates(md);
  drawDiagrams(md);
  alignByClass(md);
  leadOutside(md, site);
}

/** Numbers of a table stand at the right by a class. */
function alignByClass(md) {
  for (const name of ['th_open', 'td_open'])
    md.renderer.rules[name] = (tokens, index, options, _env, self) => {
      const token = tokens[index];
      const [, side] = /text-align:\s*(right|center)/.exec(token.attrGet('style') ?? '') ?? [];
      token.attrs = (token.attrs ?? []).filter(([attribute]) => attribute !== 'style');
      if (side !== undefined) token.attrJoin('class', side);
      return self.renderToken(tokens, index, options);
    };
}

const escapeHtml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
/** Braces would be evaluated by the generator's templates. */
const hideBraces = (html) => html.replaceAll('{', '&#123;').replaceAll('}', '&#125;');

function refuseTemplates(md) {
  const { text: renderText } = md.renderer.rules;
  md.renderer.rules.text = (...given) => hideBraces(renderText(...given));
  const render = (tokens, index) => {
    const { content } = tokens[index];
    if (content.trimStart().startsWith('<!--')) return '';
    return TAGS.test(content.trim()) ? content : hideBraces(escapeHtml(content));
  };
  md.renderer.rules.html_inline = render;
  md.renderer.rules.html_block = render;
}

/** Mermaid's own words for what a picture shows. */
const TITLE = /^\s*accTitle:\s*(.+)$/m;
const DESCRIPTION = /^\s*accDescr:\s*(.+)$/m;

function drawDiagrams(md) {
  const renderFence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const { info, content } = tokens[index];
    if (info.trim() !== 'mermaid') return renderFence(tokens, index, options, env, self);
    return drawDiagram(content, findHeading(tokens, index), `${env.relativePath ?? ''}-${index}`);
  };
}

/** @param {string} source @param {string} heading what the picture is below @param {string} key */
export function drawDiagram(source, heading, key) {
  const title = TITLE.exec(source)?.[1] ?? `Diagram: ${heading}`;
  const label = [title, DESCRIPTION.exec(source)?.[1]].filter((text) => text !== undefined).join('. ');
  const plain = source.replace(TITLE, '').replace(DESCRIPTION, '');
  const prefix = `d${hash(key)}-`;
  const svg = renderMermaidSVG(plain, { transparent: true, padding: 16 })
    .replace(/<style>[\s\S]*?<\/style>/, '') // It asks another host for a font; the rules are in the theme.
    .replace(/ style="[^"]*"/, '')
    .replaceAll(/ id="([^"]+)"/g, ` id="${prefix}$1"`)
    .replaceAll(/url\(#([^)]+)\)/g, `url(#${prefix}$1)`)
    .replace('<svg ', `<svg role="img" aria-label="${escapeHtml(label).replaceAll('"', '&quot;')}" `);
  if (/(?<![\w-])style=|@import|https?:\/\/(?!www\.w3\.org\/)/.test(svg))
    throw new Error(`${heading}: the picture has more than shapes`);
  return `<figure class="diagram" v-pre>${svg}</figure>\n`;
}

function findHeading(tokens, index) {
  const at = tokens.slice(0, index).findLastIndex(({ type }) => type === 'heading_open');
  return at === -1 ? '' : tokens[at + 1].content;
}

const hash = (text) => {
  let sum = 0;
  for (const char of text) sum = (Math.imul(sum, 31) + char.codePointAt(0)) >>> 0;
  return sum.toString(36);
};

/** Links to files that are no pages lead to the repository, or are plain text where none is known. */
function leadOutside(md, { root, repository }) {
  md.core.ruler.push('lead-outside', ({ tokens, env }) => {
    for (const { children } of tokens) {
      for (const [index, token] of (children ?? []).entries()) {
        if (token.type !== 'link_open') continue;
        const file = findOutside(root, env.relativePath ?? '', token.attrGet('href') ?? '');
        if (file === undefined) continue;
        if (repository !== undefined) token.attrSet('href', `${repository}/blob/main/${file}`);
        else unlink(children, index);
      }
    }
  });
}

/** The path of a linked file in the repository, where it is no page of the site. */
function findOutside(root, page, href) {
  const [path = ''] = decodeURI(href).split('#');
  if (path === '' || /^[a-z][a-z+.-]*:|^\//i.test(path)) return undefined;
  const target = normalize(join(root, dirname(page), path));
  const inside = relative(root, target);
  const isPage = !inside.startsWith('..') && !inside.startsWith('examples') && /\.(?:md|svg|png|json)$/.test(inside);
  return isPage || !existsSync(target) ? undefined : relative(dirname(root), target);
}

function unlink(children, from) {
  children[from].type = 'text';
  children[from].tag = '';
  children[from].nesting = 0;
  children[from].content = '';
  const close = children.findIndex(({ type }, index) => index > from && type === 'link_close');
  if (close === -1) return;
  children[close].type = 'text';
  children[close].nesting = 0;
  children[close].content = '';
}

/** Colours of a piece of code as a class: `c-d73a49-f97583`, light and dark. `scripts/build-docs.js` writes their rules. */
export const colourClasses = {
  name: 'colour-classes',
  span(node) {
    const style = String(node.properties.style ?? '');
    const [, light] = /--shiki-light:#([0-9a-f]{6})/i.exec(style) ?? [];
    const [, dark] = /--shiki-dark:#([0-9a-f]{6})/i.exec(style) ?? [];
    delete node.properties.style;
    if (light !== undefined && dark !== undefined)
      node.properties.class = `c-${light.toLowerCase()}-${dark.toLowerCase()}`;
  },
  pre(node) {
    delete node.properties.style;
  },
};
