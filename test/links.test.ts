import MarkdownIt from 'markdown-it';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { makeAnchor } from '../docs/.vitepress/anchors.js';
import { checks } from '../src/audit/core/catalogue.ts';
import { splitSourceLinks } from '../src/report/source-links.ts';
import { findAddressFault } from './support/links/links.ts';

/** Every link that the texts of this repository print: inside all are followed, outside each is judged by its form. */
const root = join(import.meta.dirname, '..');
const markdown = new MarkdownIt({ html: true, linkify: false });
const files = globSync(['docs/**/*.md', '*.md'], { cwd: root }).filter(
  (file) => !/node_modules|\/\.vitepress\//.test(file),
);

type Page = { links: readonly string[]; anchors: ReadonlySet<string> };
const pages = new Map<string, Page>();

type Token = ReturnType<typeof markdown.parse>[number];

/** Of a link or a picture, in Markdown or in HTML. */
function listTokenLinks(token: Token): readonly string[] {
  if (token.type.startsWith('html_'))
    return [...token.content.matchAll(/\s(?:href|src|srcset)="([^"]*)"/g)].map(([, href = '']) => href);
  const href = token.type === 'link_open' ? token.attrGet('href') : token.attrGet('src');
  return typeof href === 'string' ? [href] : [];
}

/** Links and anchors of a Markdown file. */
function readPage(file: string): Page {
  const known = pages.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(join(root, file), 'utf8').replace(/^---\n[\s\S]*?\n---\n/, '');
  const environment: { references?: Record<string, { href: string; title: string }> } = {};
  const tokens = markdown.parse(text, environment);
  const references = Object.values(environment.references ?? {}).map(({ href }) => href); // Those that no text uses, too.
  const links = tokens.flatMap((block) => [block, ...(block.children ?? [])]).flatMap(listTokenLinks);
  const counts = new Map<string, number>();
  const anchors = tokens.flatMap(({ type }, index) => {
    if (type !== 'heading_open') return [];
    const words = (tokens[index + 1]?.children ?? []).map(({ content }) => content).join('');
    const anchor = makeAnchor(words);
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return [count === 0 ? anchor : `${anchor}-${count}`];
  });
  const page = { links: [...links, ...references], anchors: new Set(anchors) };
  pages.set(file, page);
  return page;
}

const isOutside = (href: string): boolean => /^[a-z][a-z+.-]*:/i.test(href);

/** What is wrong with a link to a place in this repository; undefined for a good one. */
function findInsideFault(file: string, href: string): string | undefined {
  const [path = '', anchor = ''] = href.split('#', 2);
  const target = path === '' ? file : normalize(join(dirname(file), decodeURI(path)));
  if (target.startsWith('..')) return 'leaves the repository';
  if (!existsSync(join(root, target))) return 'leads to no file';
  if (statSync(join(root, target)).isDirectory()) return target.startsWith('docs/examples') ? undefined : 'is a folder';
  if (anchor === '' || !target.endsWith('.md')) return undefined;
  return readPage(target).anchors.has(decodeURI(anchor)) ? undefined : 'leads to no heading';
}

test('every link inside the documents leads to a file, and to a heading of it', () => {
  const faults = files.flatMap((file) =>
    readPage(file)
      .links.filter((href) => !isOutside(href))
      .flatMap((href) => {
        const fault = findInsideFault(file, href);
        return fault === undefined ? [] : [`${file}: ${href} ${fault}`];
      }),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(faults).toEqual([]);
});

test('every link that leaves them has the right form, and none is known to be dead', () => {
  const faults = files.flatMap((file) =>
    readPage(file)
      .links.filter(isOutside)
      .flatMap((href) => {
        const fault = findAddressFault(href);
        return fault === undefined ? [] : [`${file}: ${href} ${fault}`];
      }),
  );
  expect(faults).toEqual([]);
});

test('every address in the source of a check has the right form', () => {
  const addresses = checks.flatMap(({ source }) =>
    splitSourceLinks(source).flatMap((part) => ('href' in part ? [part.href] : [])),
  );
  expect(addresses.length).toBeGreaterThan(150);
  expect(addresses.filter((address) => findAddressFault(address) !== undefined)).toEqual([]);
});

test('the words of a source stay as they are, and no mark at the end of an address is part of it', () => {
  const source = 'Names (https://a.example/x), https://b.example/y: and https://c.example/z; RFC 1';
  const parts = splitSourceLinks(source);
  expect(parts.map((part) => ('href' in part ? part.href : part.text)).join('')).toBe(source);
  expect(parts.flatMap((part) => ('href' in part ? [part.href] : []))).toEqual([
    'https://a.example/x',
    'https://b.example/y',
    'https://c.example/z',
  ]);
});

test('a link or a picture in HTML is a link too', () => {
  const page = markdown.parse('<p><a class="x" href="a.md">x</a></p>\n\nb <img src="b.png">', {});
  expect(page.flatMap((block) => [block, ...(block.children ?? [])]).flatMap(listTokenLinks)).toEqual([
    'a.md',
    'b.png',
  ]);
  expect(readPage('README.md').links).toContain('docs/pictures/report-dark.png');
});

test('the judge of addresses refuses what it should', () => {
  const refused = ['https://a.org/x:', 'http://a.org/', 'https://nowhere/', 'https://u@a.org/', 'javascript:alert(1)'];
  expect(refused.map(findAddressFault)).not.toContain(undefined);
  expect(findAddressFault('https://www.npmjs.com/package/sightline')).toMatch(/^is dead/);
  expect(['https://a.org/x', 'http://127.0.0.1:8787/', 'mailto:a@b.org'].map(findAddressFault)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
