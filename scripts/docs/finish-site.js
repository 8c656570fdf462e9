// What the generator leaves to do: no inline script or style in any page, colours of code as rules, a Markdown twin of each
// page, all pages in one text, and the list of pages for sitemap and links.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describePage } from '../../docs/.vitepress/describe.js';

/** Scripts that the generator writes into each page. */
const INLINE_SCRIPT = /<script(?: id="[a-z-]+")?>([^<]*)<\/script>\s*/g;
/** Stands for the address of the deployment. */
const ORIGIN = 'https://origin.invalid';
const INLINE_STYLE = / style="[^"]*"/g;
/** The generator's script adds this class to the bar; without it in the page the bar would move. */
const SIDEBAR = 'VPNavBarTitle has-sidebar';
const COLOURS = /\bc-([0-9a-f]{6})-([0-9a-f]{6})\b/g;
const LEFT_OUT = /(?:^|\/)(?:node_modules|examples|pictures|\.vitepress)\//;
/** Sections first in the whole text; what is about the project itself comes last. */
const ORDER = ['index', 'start', 'guides', 'reference', 'operate', 'platform', 'project'];

/** Most bytes of all pages in one text. */
const MAX_WHOLE_BYTES = 3 * 1024 * 1024;

/** @param {{ docs: string, built: string }} folders the sources, and what the generator made of them */
export function finishSite({ docs, built }) {
  rmSync(join(built, '404.html')); // The Worker answers for addresses that lead nowhere.
  rmSync(join(built, 'hashmap.json'), { force: true });
  const script = writeEarlyScript(built);
  for (const file of listFiles(built, '.html')) finishPage(join(built, file), script);
  writeColours(built);
  const pages = listPages(docs);
  for (const { source, path } of pages) writeTwin(readText(docs, source, path), join(built, `${path}.md`));
  if (pages.length === 0) throw new Error('there is no page');
  writeFileSync(join(built, 'llms-full.txt'), joinPages(docs, pages));
  writeFileSync(join(built, 'pages.json'), JSON.stringify(pages.map(({ source: _source, ...page }) => page)));
  if (existsSync(join(docs, 'pictures'))) cpSync(join(docs, 'pictures'), join(built, 'pictures'), { recursive: true });
}

const listFiles = (folder, ending) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(ending));

/** The inline scripts of a page as one file, which runs before anything is painted. @returns its path on the site */
function writeEarlyScript(built) {
  const [page = ''] = listFiles(built, '.html');
  const html = readFileSync(join(built, page), 'utf8');
  const text = [...html.matchAll(INLINE_SCRIPT)].map(([, script]) => script).join('\n');
  if (text === '') throw new Error('the pages have no script that sets light and dark');
  const name = `assets/early.${createHash('sha256').update(text).digest('hex').slice(0, 8)}.js`;
  writeFileSync(join(built, name), text);
  return `/docs/${name}`;
}

function finishPage(file, script) {
  let isFirst = true;
  const html = readFileSync(file, 'utf8')
    .replaceAll(INLINE_SCRIPT, () => {
      const place = isFirst ? `<script src="${script}"></script>\n    ` : '';
      isFirst = false;
      return place;
    })
    .replaceAll(INLINE_STYLE, '')
    .replaceAll(' role="switch" title aria-', ' role="switch" title="Switch between light and dark" aria-')
    .replace(
      'class="VPNavBar"',
      (_all, _at, whole) => `class="VPNavBar ${whole.includes(SIDEBAR) ? 'has-sidebar ' : ''}top"`,
    );
  if (/<script>|<style|\son[a-z]+="/.test(html)) throw new Error(`${file} has a script or style of its own`);
  writeFileSync(file, html);
}

/** The rules of all colours that pieces of code have, at the end of the style sheet. */
function writeColours(built) {
  const found = new Set();
  for (const file of listFiles(built, '.html'))
    for (const [name] of readFileSync(join(built, file), 'utf8').matchAll(COLOURS)) found.add(name);
  const rules = [...found]
    .toSorted((a, b) => a.localeCompare(b))
    .map((name) => {
      const [, light, dark] = name.split('-');
      return `.${name}{--shiki-light:#${light};--shiki-dark:#${dark}}`;
    });
  const sheet = listFiles(built, '.css').find((name) => name.startsWith('assets/style.'));
  if (sheet === undefined) throw new Error('the site has no style sheet');
  writeFileSync(join(built, sheet), `${readFileSync(join(built, sheet), 'utf8')}\n${rules.join('\n')}\n`);
}

/** Every page: its source, its path without an ending, and its title, in the order of the whole text. */
export function listPages(docs) {
  const changed = listDays(docs);
  const pages = listFiles(docs, '.md')
    .filter((file) => !LEFT_OUT.test(file))
    .map((source) => {
      const text = readFileSync(join(docs, source), 'utf8');
      const title = /^# (.+)$/m.exec(text)?.[1]?.replaceAll(/\\(?=\W)|`/g, '') ?? source;
      return {
        source,
        path: source.replace(/README\.md$/, 'index.md').slice(0, -'.md'.length),
        title,
        description: describePage(removeFrontmatter(text), title),
        changed: changed.get(source) ?? changed.get('') ?? '',
      };
    });
  const rank = ({ path }) => {
    const at = ORDER.indexOf(path.split('/', 1)[0]);
    return at === -1 ? ORDER.length : at;
  };
  return pages.toSorted((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
}

/** The day on which each page changed last, as the repository has it; under `''` the newest, or today without one. */
export function listDays(docs) {
  const today = new Date().toISOString().slice(0, 10);
  const { status, stdout } = spawnSync('git', ['log', '--format=@%cs', '--name-only', '--relative', '--', '.'], {
    cwd: docs,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const days = new Map();
  if (status !== 0) return days.set('', today);
  let day = '';
  for (const line of stdout.split('\n')) {
    if (line.startsWith('@')) day = line.slice(1);
    else if (line !== '' && !days.has(line)) days.set(line, day);
  }
  return days.set('', days.values().next().value ?? today);
}

function writeTwin(text, target) {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

const removeFrontmatter = (text) => text.replace(/^---\n[\s\S]*?\n---\n+/, '');

/** A page as Markdown that is read away from the site: its relative links become addresses. */
function readText(docs, source, path) {
  const text = removeFrontmatter(readFileSync(join(docs, source), 'utf8'));
  return text.replaceAll(/\]\((?![a-z]+:|#|\/)([^)\s]+)\)/g, (_all, href) => `](${makeAbsolute(path, href)})`);
}

/** All pages in one text. @throws Error where it would be more than a reader can take */
function joinPages(docs, pages) {
  const text = pages.map(({ source, path }) => `${readText(docs, source, path).trim()}\n`).join('\n---\n\n');
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_WHOLE_BYTES) throw new Error(`llms-full.txt would have ${bytes} bytes: at most ${MAX_WHOLE_BYTES}`);
  return text;
}

/** The Markdown twin of a linked page; the Worker writes the address of the deployment in the place of the origin. */
function makeAbsolute(path, href) {
  const { pathname, hash } = new URL(href, `${ORIGIN}/docs/${path}`);
  return `${ORIGIN}${pathname.replace(/README\.md$/, 'index.md')}${hash}`;
}
