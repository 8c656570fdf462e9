// What the workflow gives the action. GitHub hands inputs over as INPUT_<NAME>, dashes included.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Sites that one step audits. */
const MAX_SITES = 10;
const MAX_CONFIG_BYTES = 256 * 1024;

/** @param {string} name */
export const readInput = (name) => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim();

/**
 * The sites of the input, else those of sightline.config.json, whose other settings the command line reads by itself.
 * @returns {string[]}
 */
export function readSites() {
  const given = readInput('url')
    .split(/\s+/)
    .filter((word) => word !== '');
  const config = readConfig();
  const sites = given.length > 0 ? given : listTexts(config.urls);
  if (sites.length === 0) throw new Error('There is no site: set the input url, or urls in sightline.config.json.');
  if (sites.length > MAX_SITES) throw new Error(`One step audits at most ${MAX_SITES} sites.`);
  if (sites.length > 1 && (readInput('baseline') !== '' || (given.length === 0 && config.baseline !== undefined)))
    throw new Error('A baseline is a report of one site: use a step for each site that has one.');
  return sites;
}

/** @param {unknown} value */
const listTexts = (value) => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []);

/** What sightline.config.json says; the command line judges it as a whole. */
function readConfig() {
  const file = join(process.cwd(), 'sightline.config.json');
  if (!existsSync(file)) return {};
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8').slice(0, MAX_CONFIG_BYTES)));
  } catch {
    throw new Error('sightline.config.json is not JSON.');
  }
}

/** Options of `sightline audit` that the workflow sets, as words of their own: none of them is ever part of a script. */
export function readAuditOptions() {
  const names = ['min-score', 'baseline', 'rubric', 'profile', 'max-pages'];
  return names.flatMap((name) => {
    const value = readInput(name);
    return value === '' ? [] : [`--${name}=${value}`];
  });
}

/** The pull request that the workflow runs for; undefined for any other event. */
export function readPullRequest() {
  const { GITHUB_EVENT_PATH: file, GITHUB_REPOSITORY: repository } = process.env;
  if (!file || !repository || !existsSync(file)) return undefined;
  const number = JSON.parse(readFileSync(file, 'utf8'))?.pull_request?.number;
  return Number.isSafeInteger(number) ? { repository, number } : undefined;
}
