import type { FixContext } from '../../../fixes/core/fix-context.ts';
import { formatSlot } from '../../../fixes/core/fix-slots.ts';
import { setHeaders } from '../../../fixes/core/host-headers.ts';
import {
  FIX_FILES,
  defineAdvice,
  reportOnly,
  type Recipe,
  type Recipes,
  type RobotsEdit,
} from '../../../fixes/core/recipe.ts';
import { formatUnifiedDiff } from '../../../fixes/core/unified-diff.ts';
import type { Effort } from '../../../fixes/files/fix.ts';
import { USE_LEVELS } from '../facts/reservations.ts';
import { buildServerSetting } from '../../reach/fixes/reach.ts';
import { listAgentsByClass } from '../facts/ai-agents.ts';
import { extractOwnText, listManagedBlocks } from '../facts/managed-block.ts';
import { parseRobots, decideRobotsVerdict } from '../facts/robots.ts';
import {
  allowAssets,
  allowDiscovery,
  allowSearchBots,
  allowUserFetchers,
  liftBlanket,
  repairSyntax,
  addAgentmapLine,
  addSitemapLine,
  addTrainingGroups,
  repeatRules,
  shortenDelays,
} from './robots-edits.ts';
import { editLines } from './robots-text.ts';

/** Characters of robots.txt that a fix repeats as content beside the diff. */
const MAX_CONTENT_CHARS = 20_000;

type RobotsRecipe = { edit: RobotsEdit; how?: string; expect: string; effort?: Effort };

/** A recipe that changes robots.txt: everything but the lines it names is kept byte for byte. */
function buildRobotsRecipe({ edit, how, expect, effort = 'minutes' }: RobotsRecipe): Recipe {
  return {
    robots: edit,
    remedy(fixing) {
      const fetched = findSiteRobotsText(fixing);
      const before = fetched ?? '';
      const after = edit(before, fixing);
      const isManaged = listManagedBlocks(before).length > 0;
      const draft = {
        file: FIX_FILES.robots,
        action: fetched === undefined ? ('create' as const) : ('replace' as const),
        effort,
        expect,
        at: '/robots.txt',
        ...(how === undefined ? {} : { how }),
      };
      if (after === before)
        return { ...draft, action: 'configure', how: `${how ?? ''} ${isManaged ? MANAGED : NO_CHANGE}`.trim() };
      // What a provider adds at its edge is no part of the owner's file: deployed, it would stand there twice.
      const [ownBefore, ownAfter] = [extractOwnText(before), extractOwnText(after)];
      const isNew = fetched === undefined || ownBefore === '';
      const diff = formatUnifiedDiff(FIX_FILES.robots, ownBefore, ownAfter, isNew);
      const whole = ownAfter.length > MAX_CONTENT_CHARS ? {} : { content: ownAfter, media_type: 'text/plain' };
      return { ...draft, ...(isManaged ? { how: `${how ?? ''} ${OWN_PART}`.trim() } : {}), diff, ...whole };
    },
  };
}

const MANAGED =
  'The lines of the evidence are written by the provider at its edge: change its setting for robots.txt (in Cloudflare: Security Settings > Bot traffic), since an edit of the block has no effect.';

const OWN_PART = 'The change is to your own file; the block of the provider in front of it is left as it is.';

const NO_CHANGE = 'The rules of the file are correct: check how the server answers for it.';

/** The site's robots.txt as it was fetched; undefined when it has none. */
export function findSiteRobotsText({ read }: FixContext): string | undefined {
  const robots = read('robots');
  return robots?.kind === 'file' ? robots.answer.body : undefined;
}

const KEYS = ['search', 'ai-input', 'ai-train'];

/** Content-Signal lines with keys and values of the vocabulary; what cannot be inferred becomes a slot to fill in. */
const repairSignals: RobotsEdit = (text) => {
  const signals = parseRobots(text).others.filter(({ key }) => key === 'content-signal');
  return editLines(text, {
    replace: new Map(signals.map(({ line, value }) => [line, `Content-Signal: ${repairSignal(value)}`])),
  });
};

function repairSignal(value: string): string {
  const pairs = value
    .split(/[,;]/)
    .slice(0, 20)
    .map((pair) => pair.split('=').map((part) => part.trim().toLowerCase()));
  const good = pairs.flatMap(([key = '', answer = '']) => {
    if (key === 'use' && USE_LEVELS.has(answer)) return [`use=${answer}`];
    const name = KEYS.find((known) => known.replaceAll('-', '') === key.replaceAll(/[-_\s]/g, ''));
    const said = { y: 'yes', n: 'no', true: 'yes', false: 'no', allow: 'yes', disallow: 'no', yes: 'yes', no: 'no' }[
      answer
    ];
    return name === undefined || said === undefined ? [] : [`${name}=${said}`];
  });
  return good.length > 0
    ? [...new Set(good)].join(', ')
    : KEYS.map((key) => `${key}=${formatSlot('policy')}`).join(', ');
}

/** Where a signal says other than the rules, it says what the rules enforce. */
const alignSignals: RobotsEdit = (text, { audited }) => {
  const file = parseRobots(text);
  const url = audited.site.start.href;
  const isClosed = (tokens: readonly string[]): boolean =>
    tokens.some((token) => !decideRobotsVerdict(file, token, url).allowed);
  const training = listAgentsByClass('training').map(({ token }) => token);
  const answers = {
    'ai-train': isClosed(training) ? 'no' : undefined,
    search: isClosed(['Googlebot', 'Bingbot']) ? 'no' : undefined,
  };
  const lines = file.others.filter(({ key }) => key === 'content-signal' || key === 'content-usage');
  const replace = lines.map(({ key, value, line }) => {
    const name = key === 'content-signal' ? 'Content-Signal' : 'Content-Usage';
    const pairs = value
      .split(',')
      .map((pair) => pair.trim())
      .map((pair) => alignPair(pair, answers));
    return [line, `${name}: ${pairs.join(', ')}`] as const;
  });
  return editLines(text, { replace: new Map(replace) });
};

function alignPair(pair: string, answers: Readonly<Record<string, string | undefined>>): string {
  const [key = '', value = ''] = pair.split('=').map((part) => part.trim());
  const name = key.toLowerCase() === 'train-ai' ? 'ai-train' : key.toLowerCase();
  const answer = answers[name];
  if (answer === undefined) return pair;
  return `${key}=${value.length === 1 ? answer.charAt(0) : answer}`;
}

/** robots.txt, and what the site lets crawlers do by other signals. */
export const robotsRecipes: Recipes = {
  'aeo.robots.fetch': buildServerSetting(setHeaders('/robots.txt', { 'Content-Type': 'text/plain; charset=utf-8' }), {
    how: 'Serve it as a static file, before any rewrite to the application. The file below lets everybody in; with other rules, keep yours.',
    content: 'User-agent: *\nDisallow:\n',
    media_type: 'text/plain',
    expect: 'Status 200 with Content-Type text/plain, or 404.',
    at: '/robots.txt',
  }),
  'aeo.robots.syntax': buildRobotsRecipe({
    edit: repairSyntax,
    how: 'Lines that no parser reads became comments.',
    expect: 'Every line is empty, a comment, or a key, a colon and a value.',
  }),
  'aeo.robots.ai-search-bots': buildRobotsRecipe({
    edit: allowSearchBots,
    how: 'The other rules of their group are repeated, since a crawler reads one group only.',
    expect: 'The search crawlers named in the evidence are allowed the audited address.',
  }),
  'aeo.robots.user-fetchers': buildRobotsRecipe({
    edit: allowUserFetchers,
    expect: 'Claude-User is allowed the audited address.',
  }),
  'aeo.robots.training-choice': buildRobotsRecipe({
    edit: addTrainingGroups,
    how: 'The group writes down what holds for these crawlers today. To keep them out instead, give it "Disallow: /".',
    expect: 'Each training crawler is named by a User-agent line.',
  }),
  'aeo.robots.blanket-block': buildRobotsRecipe({
    edit: liftBlanket,
    how: 'The rule of the whole site is turned; those of single paths stay.',
    expect: 'There is no "Disallow: /" under "User-agent: *".',
  }),
  'aeo.robots.group-shadowing': buildRobotsRecipe({
    edit: repeatRules,
    expect: 'Each group of an AI agent has the Disallow lines of "User-agent: *".',
  }),
  'aeo.robots.crawl-delay': buildRobotsRecipe({
    edit: shortenDelays,
    expect: 'No Crawl-delay is longer than 10 seconds.',
  }),
  'aeo.robots.blocks-render-assets': buildRobotsRecipe({
    edit: allowAssets,
    expect: 'The folders of scripts and style sheets have an Allow line.',
  }),
  'aeo.robots.discovery-files-allowed': buildRobotsRecipe({
    edit: allowDiscovery,
    expect: 'Each file that the evidence names has an Allow line.',
  }),
  'aeo.sitemap.robots-ref': buildRobotsRecipe({
    edit: addSitemapLine,
    expect: 'A line "Sitemap:" with an absolute address that answers 200.',
  }),
  'mcp.discovery.catalog-advertised': buildRobotsRecipe({
    edit: addAgentmapLine,
    expect: 'A line "Agentmap:" with the address of the catalogue.',
  }),
  'agent.prefs.content-signal': buildRobotsRecipe({
    edit: repairSignals,
    how: 'What the vocabulary does not have is left out.',
    expect: 'Each Content-Signal line has only these keys and values.',
  }),
  'agent.prefs.coherent': buildRobotsRecipe({
    edit: alignSignals,
    how: 'The signals now say what the rules enforce. If the signal was what you meant, change the rule instead, and bring the headers and meta tags of the evidence into line.',
    effort: 'hours',
    expect: 'No signal allows what a rule forbids.',
  }),
  'agent.prefs.aipref': buildServerSetting(setHeaders('/*', { 'Content-Usage': 'train-ai=n' }), {
    how: 'The value is a structured-field dictionary: keys of the vocabulary draft, values y or n. Write n or y as you decide.',
    expect: 'Content-Usage is a list of key=y or key=n.',
  }),
  'agent.prefs.rsl': defineAdvice({
    file: FIX_FILES.licence,
    action: 'create',
    effort: 'hours',
    content:
      '<?xml version="1.0" encoding="UTF-8"?>\n<rsl xmlns="https://rslstandard.org/rsl">\n  <content url="/">\n    <license>\n      <permits type="usage">search</permits>\n      <prohibits type="usage">ai-train</prohibits>\n    </license>\n  </content>\n</rsl>\n',
    media_type: 'application/rsl+xml',
    how: 'Permit and prohibit as you decide, and let the License line of robots.txt name this address.',
    expect: 'Status 200 with XML whose root is rsl.',
    at: '/license.xml',
  }),
  'agent.prefs.tdmrep': defineAdvice({
    file: FIX_FILES.tdmReservation,
    action: 'create',
    effort: 'minutes',
    content: '[\n  { "location": "/*", "tdm-reservation": 0 }\n]\n',
    media_type: 'application/json',
    how: 'Write 1 where rights of text and data mining are reserved, with "tdm-policy" for the address of a policy.',
    expect: 'A JSON array of objects with location and tdm-reservation.',
    at: '/.well-known/tdmrep.json',
  }),
  'agent.prefs.web-bot-auth': defineAdvice({
    file: FIX_FILES.signatureKeys,
    action: 'create',
    effort: 'days',
    content: `{\n  "keys": [\n    { "kty": "OKP", "crv": "Ed25519", "x": "${formatSlot('publicKey')}" }\n  ]\n}\n`,
    media_type: 'application/http-message-signatures-directory+json',
    how: 'Only for sites that run a crawler of their own.',
    expect: 'At least one key of type OKP and curve Ed25519.',
    at: '/.well-known/http-message-signatures-directory',
  }),
  'aeo.feed.indexnow': reportOnly('It needs a key file on the site and a request for each new address.'),
};
