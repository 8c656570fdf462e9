import { readLlmsFile, readLlmsLinks, toAbsoluteLink } from '../../audit/llms-txt/facts/llms-files.ts';
import { getExchangeLookup } from '../../audit/core/snapshot.ts';
import { escapeMarkdownText, fenceCodeBlock } from '../../lib/safe-text.ts';
import { isSlot } from '../../lib/slots.ts';
import type { Audited } from './generated-file.ts';
import { MAX_PAGE_NAME_CHARS, normalisePageKey } from './llms-txt-known.ts';
import { cleanSiteText, normaliseOwnUrl, normaliseSafeUrl } from './safe-site.ts';

/** Lines of the owner's file that are kept. */
const MAX_LINES = 2000;
const MAX_LINE_CHARS = 2000;
/** The part of the links that may lead to other sites. */
const MAX_FOREIGN_SHARE = 0.2;

/** A part of the owner's file: `lines` are clean Markdown; `title` is '' above the first section. */
export type OwnedSection = { title: string; lines: readonly string[] };

/**
 * The llms.txt that the site has, as its owner wrote it: every text cleaned, in its order and its sections. Left out are
 * links that lead nowhere, lines that speak to a model, and what no one sees. `listed` are the keys of the pages that it
 * links.
 */
export type OwnedFile = {
  name: string;
  summary: string;
  sections: readonly OwnedSection[];
  listed: ReadonlySet<string>;
};

type Reading = {
  start: URL;
  base: string;
  dead: ReadonlySet<string>;
  listed: Set<string>;
  foreign: number;
  links: number;
};

/** Undefined where the site has none that was read whole. */
export function readOwnedFile({ snapshot, site }: Audited): OwnedFile | undefined {
  const find = getExchangeLookup(snapshot);
  const state = readLlmsFile(find('llms'), find('control'));
  if (state.state !== 'found' || state.answer.truncated) return undefined;
  const links = readLlmsLinks(snapshot);
  const broken = links.state === 'ready' ? links.value.filter((one) => one.state === 'broken') : [];
  const own = state.file.links.filter(
    ({ href }) => normaliseOwnUrl(toAbsoluteLink(href, state.url)?.href ?? '', site.start) !== undefined,
  );
  const reading: Reading = {
    start: site.start,
    base: state.url,
    dead: new Set(broken.map(({ exchange }) => exchange.url)),
    listed: new Set(),
    foreign: 0,
    links: own.length,
  };
  const { h1s, summary } = state.file;
  const skipped = new Set([...h1s.slice(0, 1).map(({ line }) => line), summary.kind === 'none' ? 0 : summary.line]);
  return {
    name: cleanSiteText(h1s[0]?.text ?? '', MAX_PAGE_NAME_CHARS),
    summary: cleanSiteText(summary.text, MAX_LINE_CHARS),
    sections: readSections(state.answer.body.replace(/^\uFEFF/, ''), skipped, reading),
    listed: reading.listed,
  };
}

function readSections(body: string, skipped: ReadonlySet<number>, reading: Reading): readonly OwnedSection[] {
  const sections: { title: string; lines: string[] }[] = [{ title: '', lines: [] }];
  let code: { mark: string; language: string; lines: string[] } | undefined;
  for (const [index, line] of body
    .split(/\r\n|\n|\r/u)
    .slice(0, MAX_LINES)
    .entries()) {
    const last = sections.at(-1)?.lines ?? [];
    const fence = /^ {0,3}(`{3,20}|~{3,20})\s{0,9}([\w-]{0,30})/.exec(line);
    if (code) {
      if (fence?.[1]?.startsWith(code.mark) !== true) code.lines.push(cleanCode(line));
      else {
        last.push(fenceCodeBlock(code.lines.join('\n'), code.language));
        code = undefined;
      }
    } else if (fence) code = { mark: fence[1] ?? '', language: fence[2] ?? '', lines: [] };
    else if (skipped.has(index + 1)) continue;
    else if (/^#{1,6}\s/.test(line))
      sections.push({
        title: cleanSiteText(line.replace(/^#{1,6}\s{1,9}|\s#{1,6}$/g, ''), MAX_PAGE_NAME_CHARS),
        lines: [],
      });
    else last.push(...cleanLine(line, reading));
  }
  return sections.filter(({ title, lines }) => title !== '' || lines.length > 0);
}

/** A line of code that speaks to a model goes as any other does. */
const cleanCode = (line: string): string =>
  cleanSiteText(line, MAX_LINE_CHARS) === '' ? '' : line.slice(0, MAX_LINE_CHARS);

const LINK_ITEM = /^\s{0,8}[-*+]\s{1,9}\[([^\]]{1,300})\]\(([^()\s]{1,2000})\):?\s{0,9}(.{0,2000})$/;

function cleanLine(line: string, reading: Reading): readonly string[] {
  const [, name, href = '', note = ''] = LINK_ITEM.exec(line) ?? [];
  if (name !== undefined) return cleanLink(name, href, note, reading);
  if (line.trim() === '' || isSlot(line)) return [];
  const [, mark = '', text = ''] = /^\s{0,8}([-*+>]|\d{1,9}[.)])?\s{0,9}(.*)$/.exec(line) ?? [];
  const clean = cleanSiteText(text, MAX_LINE_CHARS);
  if (clean === '') return [];
  return [`${mark === '' ? '' : '- '}${escapeMarkdownText(clean, MAX_LINE_CHARS)}`];
}

function cleanLink(name: string, href: string, note: string, reading: Reading): readonly string[] {
  const absolute = toAbsoluteLink(href, reading.base)?.href ?? '';
  const own = normaliseOwnUrl(absolute, reading.start);
  const url = own ?? normaliseSafeUrl(absolute);
  const label = cleanSiteText(name.replaceAll('[', '(').replaceAll(']', ')'), MAX_PAGE_NAME_CHARS);
  if (url === undefined || label === '' || reading.dead.has(absolute)) return [];
  if (own === undefined) {
    if (reading.foreign + 1 > MAX_FOREIGN_SHARE * (reading.links + reading.foreign + 1)) return [];
    reading.foreign += 1;
  } else reading.listed.add(normalisePageKey(url));
  const said = cleanSiteText(note, MAX_LINE_CHARS);
  return [
    `- [${escapeMarkdownText(label, MAX_PAGE_NAME_CHARS)}](${url})${said === '' ? '' : `: ${escapeMarkdownText(said, MAX_LINE_CHARS)}`}`,
  ];
}
