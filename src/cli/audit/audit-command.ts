import { accessSync, constants } from 'node:fs';
import { type ScoreName, scoreNames } from '../../audit/core/check.ts';
import { MAX_AUDIT_PAGES, MAX_CRAWL_PAGES } from '../../audit/core/limits.ts';
import type { ProfileName } from '../../audit/core/site.ts';
import { yieldToEventLoop } from '../../lib/concurrency.ts';
import { type GivenWords, parseCommand } from '../commands/parse.ts';
import type { CommandTable } from '../commands/table.ts';
import { applyConfig } from '../config/apply-config.ts';
import type { IgnoreList } from '../config/ignored.ts';
import { type FoundConfig, readConfig } from '../config/read-config.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
import { findChromium, HOW_TO_INSTALL } from '../core/local-browser.ts';
import { createHints, createNotes, listNamedFiles, refuseReplacing } from '../core/output.ts';
import { EXIT } from '../core/usage.ts';
import { type Gates, parseGates } from './gates.ts';
import { computeAuditLimits, createFetchAhead, createLocalFetch } from './local-fetch.ts';
import { refusePdf } from './pdf.ts';
import { resolveTypedSites } from './typed-target.ts';

export type AuditValues = GivenWords<CommandTable['audit']['options']>['values'];

export type AuditRequest = {
  urls: readonly string[];
  site: { profile?: ProfileName; max_pages?: number };
  scores: readonly ScoreName[];
  gates: Gates;
  ignore: IgnoreList;
  values: AuditValues;
  /** Pages to read instead of the usual sample. */
  crawl?: number;
};

/** `sightline audit [<url>]`: the engine of the paid audit on this machine. Private addresses are read only where typed (rule F1). */
export async function auditCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseCommand('audit', args);
  if (isFailure(given)) return given;
  const found = readConfig(given.values, process.cwd());
  if (isFailure(found)) return found;
  const wanted = await readRequest(given, found);
  if (isFailure(wanted)) return wanted;
  if (wanted.values.render === true && (await findChromium(process.env)) === undefined)
    return {
      reason: 'browser_missing',
      message: '--render needs Chromium, and there is none here.',
      next: HOW_TO_INSTALL,
      exit: EXIT.usage,
    };
  return refuseLogs(wanted.values) ?? (await refusePdf(wanted.values)) ?? auditWanted(wanted);
}

/** A log that cannot be read is said before the site is asked for anything. */
function refuseLogs({ logs = [] }: AuditValues): CommandFailure | undefined {
  const lost = logs.find((path) => !canRead(path));
  return lost === undefined
    ? undefined
    : refuseCommand('unreadable_file', `--logs: ${lost} cannot be read.`, EXIT.usage);
}

function canRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

type ReadRequest = Omit<AuditRequest, 'ignore'> & { found: FoundConfig | undefined };

/** Turns of the event loop in which a request gets onto the wire: loading leaves it none. */
const SENDING_TURNS = 3;

/** The engine is most of what this command loads: the first start page is on its way meanwhile. */
async function auditWanted({ found, ...wanted }: ReadRequest): Promise<CommandEnd> {
  const [url = ''] = wanted.urls;
  const first = createFetchAhead(url, createLocalFetch(url, computeAuditLimits(wanted.crawl)));
  for (let turn = 0; turn < SENDING_TURNS; turn += 1) await yieldToEventLoop();
  const [{ auditSites }, { judgeIgnoreList }] = await Promise.all([
    import('./audit-sites.ts'),
    import('../config/ignored.ts'),
  ]);
  const ignore = judgeIgnoreList(found?.config.ignore ?? [], Date.now());
  const ignored = new Set(ignore.active.map(({ check }) => check));
  return auditSites({ ...wanted, gates: { ...wanted.gates, ignored }, ignore }, first);
}

async function readRequest(
  { values: typed, words }: GivenWords<CommandTable['audit']['options']>,
  found: FoundConfig | undefined,
): Promise<ReadRequest | CommandFailure> {
  const sayNote = createNotes(typed);
  const values = applyConfig(typed, found);
  const sites = words.length > 0 ? words : (found?.config.urls ?? []);
  if (sites.length === 0)
    return refuseUsage('<url> is missing: name the site, or list sites in sightline.config.json (sightline init).');
  const scores = values.only === undefined ? [...scoreNames] : parseScores(values.only);
  if (!scores) return refuseUsage(`--only takes a list of ${scoreNames.join(', ')}.`);
  const fault = findFault(values, sites, scores);
  if (fault !== undefined) return refuseUsage(fault);
  const replacing = refuseReplacedBaseline(values);
  if (replacing !== undefined) return replacing;
  const gates = await parseGates(values);
  if (isFailure(gates)) return gates;
  if (found !== undefined) createHints(typed)(`Using ${found.file}.`);
  const chosen = await resolveTypedSites(sites, sayNote);
  if (!chosen.ok) return chosen.failure;
  return {
    found,
    urls: chosen.urls,
    site: readSiteOptions(values),
    scores,
    gates,
    values,
    ...(values.crawl === undefined ? {} : { crawl: Number(values.crawl) }),
  };
}

/** Formats that hold one site. */
const OF_ONE_SITE: ReadonlySet<string> = new Set(['html', 'sarif', 'junit', 'pdf']);

function findFault(values: AuditValues, sites: readonly string[], scores: readonly ScoreName[]): string | undefined {
  const { 'max-pages': pages, crawl, snapshot, format, baseline } = values;
  if (pages !== undefined && !isNumberUpTo(pages, MAX_AUDIT_PAGES))
    return `--max-pages takes a number from 1 to ${MAX_AUDIT_PAGES}.`;
  if (crawl !== undefined && pages !== undefined) return '--crawl and --max-pages both say how many pages: name one.';
  if (crawl !== undefined && !isNumberUpTo(crawl, MAX_CRAWL_PAGES))
    return `--crawl takes a number from 1 to ${MAX_CRAWL_PAGES}.`;
  if (snapshot !== undefined && scores.length > 1 && scores.length < scoreNames.length)
    return '--snapshot keeps a whole audit or one score: name one with --only, or none.';
  if (sites.length > 1 && snapshot !== undefined) return '--snapshot keeps one site: name its address.';
  if (sites.length > 1 && format !== undefined && OF_ONE_SITE.has(format))
    return `--format ${format} holds one site: name its address.`;
  if (sites.length > 1 && values.logs !== undefined) return '--logs is of one site: name its address.';
  if (sites.length > 1 && baseline !== undefined)
    return 'A baseline is a report of one site, and several are to be audited: name the address of that one.';
  return undefined;
}

/** The baseline of the configuration, which no option names. */
const refuseReplacedBaseline = ({ baseline, output, snapshot }: AuditValues): CommandFailure | undefined =>
  refuseReplacing({
    read: listNamedFiles({ 'the baseline': baseline }),
    written: listNamedFiles({ '--output': output, '--snapshot': snapshot }),
  });

const isNumberUpTo = (text: string, most: number): boolean =>
  /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= most;

/** `--max-pages` of a command that has no other words about pages. */
export const describePagesFault = (pages: string | undefined): string | undefined =>
  pages === undefined || isNumberUpTo(pages, MAX_AUDIT_PAGES)
    ? undefined
    : `--max-pages takes a number from 1 to ${MAX_AUDIT_PAGES}.`;

/** What of a site the caller says, as the body of a paid call names it. */
export const readSiteOptions = ({
  profile,
  'max-pages': pages,
}: {
  profile?: ProfileName | undefined;
  'max-pages'?: string | undefined;
}): AuditRequest['site'] => ({
  ...(profile === undefined ? {} : { profile }),
  ...(pages === undefined ? {} : { max_pages: Number(pages) }),
});

function parseScores(text: string): readonly ScoreName[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  return names.every((name) => scoreNames.includes(name as ScoreName)) ? (names as ScoreName[]) : undefined;
}
