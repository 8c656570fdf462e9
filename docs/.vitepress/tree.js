// The pages as a tree: navigation and sidebars come from the folders, so that a new page appears by itself. Plain
// JavaScript, because the generator runs it with whatever Node the machine has.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The sections of the site in their order, with their titles. Folders that are not here follow by name. */
const SECTIONS = {
  start: 'Get started',
  guides: 'Guides',
  reference: 'Reference',
  operate: 'Operate',
  platform: 'Platform',
  project: 'Project',
};
/** Titles of folders inside a section. */
const FOLDERS = { hybrid: 'Hybrid', adr: 'Decisions', checks: 'Checks' };
/** Pages that come first in their folder, in this order; the others follow by title. */
const FIRST = {
  start: ['site-owner', 'brand-manager', 'agent-developer', 'operator', 'platform-engineer'],
  guides: [
    'read-a-report',
    'read-in-pieces',
    'fix-with-a-coding-agent',
    'compare',
    'measure-a-brand',
    'first-party-data',
    'who-came',
    'crawler-counts',
    'ci-gate',
    'watch-in-ci',
    'sign-in',
    'mcp-clients',
    'client-typescript',
  ],
  reference: ['cli', 'capabilities', 'checks', 'scores', 'problems', 'http-api', 'mcp-tools', 'report-format'],
  operate: ['local-stack', 'install-and-images', 'deploy', 'staging', 'domains', 'secrets-and-rotation'],
  platform: ['first-calls', 'conventions', 'directory', 'reseller', 'logging-and-tracing'],
  project: ['architecture', 'module-map', 'storage'],
};
/** Folders that are no part of the site. */
const LEFT_OUT = new Set(['examples', 'node_modules', 'pictures']);
/** A folder of more pages has its index in the sidebar, and no more. */
const MAX_LISTED = 40;
/** Folders inside folders. */
const MAX_DEPTH = 5;

/** Globs of Markdown that is no page. */
export const leftOut = [...[...LEFT_OUT].map((name) => `${name}/**`), '**/node_modules/**'];

/** @param {string} root the folder of the docs */
export function listSections(root) {
  const found = listFolders(root);
  const known = Object.keys(SECTIONS).filter((name) => found.includes(name));
  return [...known, ...found.filter((name) => !known.includes(name))];
}

/** The items at the top: each section with its first page. @param {string} root */
export const buildNav = (root) =>
  listSections(root).flatMap((name) => {
    const [first] = listItems(root, name, 0);
    const link = findFirstLink(first);
    return link === undefined ? [] : [{ text: getTitle(name), link, activeMatch: `^/${name}/` }];
  });

const findFirstLink = (item) => item?.link ?? item?.items?.[0]?.link;

/** A sidebar for each section. @param {string} root */
export const buildSidebar = (root) =>
  Object.fromEntries(
    listSections(root).map((name) => [`/${name}/`, [{ text: getTitle(name), items: listItems(root, name, 0) }]]),
  );

function listItems(root, folder, depth) {
  if (depth > MAX_DEPTH) throw new Error(`${folder} is nested deeper than ${MAX_DEPTH}`);
  const path = join(root, folder);
  const pages = readdirSync(path).filter((name) => name.endsWith('.md'));
  const index = pages.filter(isIndex).map(() => ({ text: readTitle(findIndex(path)), link: `/${folder}/` }));
  const shown = pages.length > MAX_LISTED && index.length > 0 ? [] : pages.filter((name) => !isIndex(name));
  const items = [
    ...shown.map((name) => {
      const stem = name.slice(0, -'.md'.length);
      return { name: stem, text: readTitle(join(path, name)), link: `/${folder}/${stem}` };
    }),
    ...listFolders(path).map((name) => buildGroup(root, folder, name, depth)),
  ];
  const first = FIRST[folder] ?? [];
  const rank = ({ name }) => (first.includes(name) ? first.indexOf(name) : first.length);
  const sorted = items.toSorted((a, b) => rank(a) - rank(b) || a.text.localeCompare(b.text));
  return [...index, ...sorted.map(({ name: _name, ...item }) => item)];
}

/** A folder: its pages below its title, or its index alone where that is all that is listed. */
function buildGroup(root, folder, name, depth) {
  const items = listItems(root, `${folder}/${name}`, depth + 1);
  const [only] = items;
  if (items.length === 1 && only.items === undefined) return { ...only, name };
  return { name, text: getTitle(name), collapsed: true, items };
}

const listFolders = (path) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !LEFT_OUT.has(entry.name))
    .filter((entry) => hasPages(join(path, entry.name)))
    .map(({ name }) => name)
    .toSorted();

const hasPages = (path) => readdirSync(path, { recursive: true }).some((name) => String(name).endsWith('.md'));

const isIndex = (name) => name === 'index.md' || name === 'README.md';
const findIndex = (path) => ['index.md', 'README.md'].map((name) => join(path, name)).find((file) => existsSync(file));

const getTitle = (name) =>
  SECTIONS[name] ?? FOLDERS[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;

/** The first heading of a page, without its marks. @param {string} file */
export function readTitle(file) {
  const [, heading = ''] = /^# (.+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  if (heading === '') throw new Error(`${file} has no heading of level 1`);
  return heading.replaceAll(/\\(?=[\\`*_[\]<>|])|`/g, '');
}
