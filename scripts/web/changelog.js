// The change log as the page and the feed need it: its sections, each with the day of its last change. Plain JavaScript,
// because the build runs it with whatever Node the machine has.
import { spawnSync } from 'node:child_process';

const DAY_MS = 86_400_000;

/**
 * The sections of a change log in order: what is below a release, and below each heading in it.
 * @param {string} text
 * @param {readonly string[]} days of each line
 */
export function cutChangelog(text, days) {
  const sections = [];
  let release = '';
  for (const [index, line] of text.split('\n').entries()) {
    const [, level, heading] = /^(##|###) (.+)$/.exec(line) ?? [];
    if (level === '##') release = heading;
    if (heading !== undefined) sections.push({ release, heading, lines: [], days: [] });
    else sections.at(-1)?.lines.push(line);
    sections.at(-1)?.days.push(days[index] ?? '');
  }
  const used = new Set();
  return sections
    .map(({ release: of, heading, lines, days: all }) => ({
      release: of,
      heading,
      id: makeId(heading === of ? `release ${of}` : of === 'Unreleased' ? heading : `${of} ${heading}`, used),
      changed: findNewest(all),
      markdown: lines.join('\n').trim(),
    }))
    .filter(({ markdown }) => markdown !== '');
}

function makeId(text, used) {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  let id = plain;
  for (let next = 2; used.has(id); next += 1) id = `${plain}-${next}`;
  used.add(id);
  return id;
}

/** The day on which each line of a file changed last, as the repository has it; today for all without one. */
export function listLineDays(file, count) {
  const { status, stdout } = spawnSync('git', ['blame', '--line-porcelain', '--', file], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const found =
    status === 0 ? [...stdout.matchAll(/^committer-time (\d+)$/gm)].map(([, s]) => toDay(Number(s) * 1000)) : [];
  const today = toDay(Date.now());
  return Array.from({ length: count }, (_, index) => found[index] ?? today);
}

const toDay = (ms) => new Date(Math.floor(ms / DAY_MS) * DAY_MS).toISOString().slice(0, 10);

/** What the api Worker reads: sections, and the day of the last change of all. */
export function buildChangelog(text, days) {
  const sections = cutChangelog(text, days);
  if (sections.length === 0) throw new Error('the change log has no sections');
  return { changed: findNewest(sections.map(({ changed }) => changed)), sections };
}

const findNewest = (days) => days.reduce((newest, day) => (day > newest ? day : newest), '');
