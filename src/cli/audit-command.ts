import { parseArgs } from 'node:util';
import { publicAnd } from '../net/address-policy.ts';
import { parseTargetUrl } from '../net/canonical-url.ts';
import { botUserAgent, createGuardedFetch } from '../net/guarded-fetch.ts';
import { auditSite } from '../audit/report.ts';
import { type ScoreName, scoreNames } from '../audit/check.ts';
import { type ProfileName, profiles } from '../audit/site.ts';
import { belowMinimum, type MinScores, parseMinScores } from './min-score.ts';
import { coloured, wantsColour } from './colour.ts';
import { createNodeFetch } from './node-fetch.ts';
import { renderResult } from './print.ts';
import { progressBar } from './progress.ts';
import { safeLine } from './safe-text.ts';
import { USAGE } from './usage.ts';

const EXIT = { done: 0, below: 1, usage: 2, unreachable: 3 } as const;
/** The service whose page explains our User-Agent, for audits from a user's own machine. */
const BOT_HOME = 'https://sightline.example';

type Wanted = { url: string; scores: readonly ScoreName[]; minimum: MinScores; json: boolean; profile?: ProfileName };

/** `sightline audit <url>`: the engine of the paid audit on this machine. Private addresses are read only where typed (rule F1). */
export async function auditCommand(args: readonly string[]): Promise<number> {
  const wanted = parseWanted(args);
  if (typeof wanted === 'string') return usageError(wanted);
  const typed = /^[a-z]+:\/\//i.test(wanted.url) ? wanted.url : `https://${wanted.url}`;
  const policy = publicAnd(URL.canParse(typed) ? [typed] : [], { alternatePorts: true });
  const target = parseTargetUrl(typed, policy);
  if (!target.ok) return usageError(`${target.reason}: ${safeLine(target.detail)}`);
  const bar = progressBar(process.stderr);
  const outcome = await auditSite(target.url.href, {
    fetch: createGuardedFetch({
      fetch: createNodeFetch(policy),
      policy,
      clock: Date.now,
      userAgent: botUserAgent(BOT_HOME),
    }),
    clockMs: Date.now(),
    scores: wanted.scores,
    ...(wanted.profile === undefined ? {} : { profile: wanted.profile }),
    onProgress: bar.step,
  });
  bar.end();
  if (!outcome.ok) {
    process.stderr.write(`${outcome.reason}: ${safeLine(outcome.detail)}\n`);
    return EXIT.unreachable;
  }
  const { ok: _ok, ...result } = outcome;
  const report = { capability: 'full_audit', url: target.url.href, ...result };
  process.stdout.write(wanted.json ? `${JSON.stringify(report, null, 2)}\n` : asText(renderResult(report)));
  const below = belowMinimum('scores' in result ? result.scores : {}, wanted.minimum);
  if (below.length > 0) process.stderr.write(`Below the minimum: ${below.join(', ')}\n`);
  return below.length > 0 ? EXIT.below : EXIT.done;
}

const asText = (text: string): string => (wantsColour(process.stdout, process.env) ? coloured(text) : text);

function parseWanted(args: readonly string[]): Wanted | string {
  const parsed = parse(args);
  if (typeof parsed === 'string') return parsed;
  const { values, positionals } = parsed;
  const [url, ...more] = positionals;
  if (url === undefined || more.length > 0) return 'Name exactly one URL.';
  const scores = values.only === undefined ? [...scoreNames] : parseScores(values.only);
  if (!scores) return `--only takes a list of ${scoreNames.join(', ')}.`;
  const minimum = values['min-score'] === undefined ? {} : parseMinScores(values['min-score']);
  if (!minimum) return '--min-score takes a number from 0 to 100, or a list such as aeo=80,mcp=50.';
  const profile = profiles.find((name) => name === values.profile);
  if (values.profile !== undefined && !profile) return `--profile takes one of ${profiles.join(', ')}.`;
  return { url, scores, minimum, json: values.json ?? false, ...(profile === undefined ? {} : { profile }) };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        only: { type: 'string' },
        'min-score': { type: 'string' },
        profile: { type: 'string' },
      },
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error); // parseArgs explains what it did not know.
  }
}

function parseScores(text: string): readonly ScoreName[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  return names.every((name) => scoreNames.includes(name as ScoreName)) ? (names as ScoreName[]) : undefined;
}

function usageError(detail: string): number {
  process.stderr.write(`${detail}\n\n${USAGE}`);
  return EXIT.usage;
}
