import { DEFAULT_PAGES, MAX_AUDIT_PAGES, MAX_CRAWL_PAGES } from '../../audit/core/limits.ts';
import { profiles } from '../../audit/core/site.ts';
import { engineKinds } from '../../models/port.ts';
import { MAX_OWN_PROMPTS, MIN_OWN_PROMPTS } from '../../visibility/prompts/limits.ts';
import { promptKinds, promptLanguages } from '../../visibility/prompts/prompt-set.ts';
import { importSources } from '../../visibility/imports/formats-data.ts';
import type { CommandRow, OptionRows } from './rows.ts';
import {
  answerOutputOptions,
  configOptions,
  folderOptions,
  gateOptions,
  measurementOutputOptions,
  outputOptions,
  plainOutputOptions,
  siteArgument,
} from './shared-options-data.ts';
import { logsCommand, watchCommand } from './watch-commands-data.ts';

/** Engines that need no binding of Cloudflare. */
const localEngines = engineKinds.filter((kind) => kind !== 'workers-ai');

const siteOptions = {
  profile: { type: 'string', value: '<kind>', values: profiles, description: `kind of site: ${profiles.join(', ')}` },
  'max-pages': {
    type: 'string',
    value: '<n>',
    description: `pages to read, the start page included: 1 to ${MAX_AUDIT_PAGES}, ${DEFAULT_PAGES} by default`,
  },
} as const satisfies OptionRows;

const GATE_EXITS = {
  1: 'a score is below --min-score, or something is worse than the baseline',
  2: 'wrong usage, or a gate that cannot be judged',
} as const;

/** Commands that audit sites and measure brands, and work with the results. */
export const siteCommands = {
  audit: {
    group: 'audit',
    first: true,
    summary: 'score a site and list what to fix first',
    arguments: [{ ...siteArgument, optional: true }],
    options: {
      only: { type: 'string', value: '<scores>', description: 'only these scores, such as aeo,geo,agent,mcp' },
      ...gateOptions,
      ...siteOptions,
      crawl: {
        type: 'string',
        value: '<n>',
        description: `read up to n pages, 1 to ${MAX_CRAWL_PAGES}: one of each pattern of addresses first`,
      },
      render: { type: 'boolean', description: 'also open the start page in Chromium, cut off from the network' },
      snapshot: {
        type: 'string',
        value: '<file>',
        file: 'written',
        description: 'save everything that was read, for replay',
      },
      logs: {
        type: 'string',
        multiple: true,
        value: '<file>',
        file: 'read',
        description:
          'an access log of the site: says for each AI agent what is declared, what it gets, and whether it came; may be given several times',
      },
      verbose: { type: 'boolean', description: 'list every check that did not pass' },
      ...outputOptions,
      ...configOptions,
    },
    examples: [
      { run: 'sightline audit example.com', does: 'scores and the three most useful fixes' },
      { run: 'sightline audit example.com --format html -o report.html', does: 'the whole report as a page' },
      { run: 'sightline audit example.com --min-score aeo=80', does: 'fail a build below 80 points' },
      { run: 'sightline audit', does: 'audit the sites of sightline.config.json' },
    ],
    notes: [
      'A bare host is tried by https first, and by http only where https cannot connect. Private and local addresses are read only where you name them.',
      'Without an address, the sites of sightline.config.json are audited, and its settings apply. Options win over the file.',
    ],
    exits: GATE_EXITS,
  },
  fix: {
    group: 'audit',
    first: true,
    summary: 'write the fixes for a site as diffs and files',
    arguments: [{ ...siteArgument, optional: true }],
    options: {
      ...folderOptions,
      facts: {
        type: 'string',
        value: '<file>',
        file: 'read',
        description: 'your answers to the questions of an earlier run',
      },
      ...siteOptions,
      verbose: { type: 'boolean', description: 'name every file that was written' },
      ...plainOutputOptions,
      ...configOptions,
    },
    examples: [
      { run: 'sightline fix example.com --out fixes', does: 'write the folder; begin with fixes/FIXES.md' },
      {
        run: 'sightline fix example.com --out fixes --facts fixes/facts.json --force',
        does: 'once more, with the facts that you filled in',
      },
    ],
    notes: [
      'The folder has FIXES.md to read, fixes/ with a diff or file for each fix, site/ with files that are ready to deploy, drafts/ with files that wait for facts, skill/ for a coding agent, and manifest.json for programs.',
      'Without an address, the one site of sightline.config.json is fixed. Checks that the file ignores have no fix.',
    ],
  },
  compare: {
    group: 'audit',
    first: true,
    summary: 'compare two sites, or two reports of one site',
    arguments: [
      { name: 'first', description: 'address of a site, or a report or snapshot (.json)', file: 'read' },
      { name: 'second', description: 'address of a competitor, or a later report or snapshot', file: 'read' },
    ],
    options: outputOptions,
    examples: [
      { run: 'sightline compare example.com example.org', does: 'who wins each category, and why' },
      { run: 'sightline compare before.json after.json', does: 'what changed between two reports' },
    ],
  },
  seller: {
    group: 'audit',
    summary: 'read a paid endpoint (x402, MPP) as a buyer does, and list what stops buyers',
    arguments: [{ name: 'url', description: 'address of the endpoint that is sold, with its path' }],
    options: {
      data: {
        type: 'string',
        value: '<json>',
        description: 'a body to ask with, where an empty request gets no terms',
      },
      'min-score': { type: 'string', value: '<points>', description: 'exit with 1 when the score is lower, 0 to 100' },
      'test-wallet': {
        type: 'string',
        value: '<file>',
        file: 'read',
        description: 'also pay, replay and forge with the key of this file, or with .local/stack.json on this machine',
      },
      'i-own-this': { type: 'boolean', description: 'with --test-wallet: the seller is yours' },
      'max-usd': { type: 'string', value: '<amount>', description: 'the most to sign for in one run (default: 1)' },
      'other-route': {
        type: 'string',
        value: '<path>',
        description: 'another paid route of the seller, for a payment that is not for it',
      },
      'pay-by': {
        type: 'string',
        value: '<protocol>',
        values: ['x402', 'mpp'],
        description: 'the protocol of the attempts (default: x402 where it is offered, else mpp)',
      },
      rpc: { type: 'string', value: '<url>', description: 'the chain of the test network (or RPC_URL)' },
      verbose: { type: 'boolean', description: 'list what passed too' },
      ...outputOptions,
      format: {
        ...outputOptions.format,
        values: ['text', 'json', 'md', 'sarif', 'junit'],
        description: 'output format: text, json, md, sarif (for code scanning) or junit (for test reports)',
      },
    },
    examples: [
      { run: 'sightline seller https://api.example.com/paid/report', does: 'what to fix, in words' },
      { run: 'sightline seller http://127.0.0.1:8787/api/agent/check_health --min-score 95', does: 'fail a build' },
    ],
    notes: [
      'Without --test-wallet nothing is paid: the requests are those of a client that has not paid yet, and one with a payment that is garbage.',
      'With --test-wallet it sends forged, altered and expired payments, pays, replays, sends two copies at once and loses an answer: only to sellers on this machine by the file of a local stack, or on Base Sepolia by a key of your own. Block 0 of the chain decides what is real.',
    ],
    exits: { 1: 'the score is below --min-score', 3: 'the seller could not be reached' },
  },
  watch: watchCommand,
  visibility: {
    group: 'audit',
    first: true,
    summary: 'measure how often AI answers name a brand',
    arguments: [],
    options: {
      brand: { type: 'string', value: '<name>', description: 'the brand to measure' },
      niche: { type: 'string', value: '<market>', description: 'its market, such as "CRM for dentists"' },
      competitor: { type: 'string', value: '<name>', description: 'a second brand, measured on the same answers' },
      language: {
        type: 'string',
        value: '<code>',
        values: promptLanguages,
        description: `language of the questions, which the market is worded in: ${promptLanguages.join(', ')}`,
      },
      kind: {
        type: 'string',
        value: '<kind>',
        values: promptKinds,
        description: 'questions for a product, which is bought and used, or for a service',
      },
      local: { type: 'boolean', description: 'the market is one of a place, such as "dentist in Lyon"' },
      prompts: {
        type: 'string',
        value: '<file>',
        file: 'read',
        description: `your own questions instead, one a line: ${MIN_OWN_PROMPTS} to ${MAX_OWN_PROMPTS}`,
      },
      engines: {
        type: 'string',
        value: '<names>',
        description: 'only these engines of the configuration, such as openai,google',
      },
      engine: {
        type: 'string',
        value: '<kind>',
        values: localEngines,
        description: `${localEngines.join(', ')} (or ANSWER_ENGINE); the key is read from ANSWER_ENGINE_KEY`,
      },
      url: { type: 'string', value: '<base>', description: "the engine's API, such as http://127.0.0.1:11434/v1" },
      model: { type: 'string', value: '<name>', description: 'the model to ask, as the engine spells it' },
      answers: {
        type: 'string',
        value: '<file>',
        file: 'read',
        description: 'answers for the recorded engine (JSONL)',
      },
      simulate: {
        type: 'string',
        value: '<rates>',
        description: 'mention rates for the simulated engine: "A=0.4,B=0.7"',
      },
      seed: { type: 'string', value: '<word>', description: 'the same simulated answers in every run' },
      fixes: { type: 'boolean', description: 'add the fix pack for weak spots' },
      site: {
        type: 'string',
        value: '<url>',
        description:
          "the brand's site, whose words fill the fix pack; of several engines, whose pages are held against cited ones",
      },
      fact: {
        type: 'string',
        multiple: true,
        value: '<name=value>',
        description: 'a fact that fills the fix pack; may be given several times',
      },
      snapshot: {
        type: 'string',
        value: '<file>',
        file: 'written',
        description: 'save the answers, for replay and as a baseline',
      },
      baseline: {
        type: 'string',
        value: '<file>',
        file: 'read',
        description:
          'exit with 1 when the brand is named less often, by more than chance, than in this snapshot or JSON result',
      },
      ...measurementOutputOptions,
      ...configOptions,
    },
    actionIsOptional: true,
    actions: {
      import: {
        summary: "read a vendor's export of AI impressions, citations or visits, and set it beside a measurement",
        arguments: [
          {
            name: 'file',
            description:
              'CSV exports of Search Console, Bing, Clarity or Google Analytics; nothing leaves this machine',
            many: true,
            file: 'read',
          },
        ],
        options: {
          with: {
            type: 'string',
            value: '<file>',
            file: 'read',
            multiple: true,
            description: 'a measurement: its JSON result, its --snapshot for the addresses, or both',
          },
          as: {
            type: 'string',
            value: '<source>',
            values: importSources,
            description: `whose export it is, where the columns fit several: ${importSources.join(', ')}`,
          },
          site: {
            type: 'string',
            value: '<host>',
            description: 'the site that landing pages of Google Analytics belong to',
          },
          ...outputOptions,
          format: {
            type: 'string',
            value: '<name>',
            values: ['text', 'json', 'md', 'csv', 'html'],
            description: 'output format: text, json, md, csv or html',
          },
        },
        alone: true,
      },
    },
    notes: [
      'Without --engine, ANSWER_ENGINE or all engines of sightline.config.json are asked: each by itself, and pooled. With --url or --model (or their variables) only the first is. ANSWER_ENGINE_KEY goes only to the address of --url or ANSWER_ENGINE_URL, or to the vendor that is the only engine; of several, each vendor has a key of its own, such as ANSWER_KEY_OPENAI.',
      'Without --language, --kind, --local and --prompts the first set of questions is asked, in English, which compares with earlier results.',
    ],
    examples: [
      {
        run: 'sightline visibility --brand Acme --niche "CRM for dentists" --engine openai-compatible --url http://127.0.0.1:11434/v1 --model llama3',
        does: '30 prompts, with intervals and rivals',
      },
      {
        run: 'sightline visibility --brand Acme --niche "CRM for dentists" --baseline last-month.json --show missing',
        does: 'what changed since, and the answers that leave the brand out',
      },
      {
        run: 'sightline visibility import Pages.csv Chart.csv --with result.json --with answers.json',
        does: "a vendor's own figures beside that measurement",
      },
    ],
    exits: {
      1: 'the brand is named less often than in the baseline, by more than chance',
      2: 'wrong usage, or a baseline of another brand, market or prompt set',
    },
  },
  history: {
    group: 'results',
    summary: 'show how a brand was named over time',
    arguments: [
      { name: 'file', description: 'snapshots of measurements of one brand, two or more', many: true, file: 'read' },
    ],
    options: plainOutputOptions,
    examples: [
      {
        run: 'sightline history may.json june.json july.json',
        does: 'changes with paired tests, and the trend, for each engine',
      },
    ],
    notes: ['Where another model answered, the rates are listed and no change of the brand is said.'],
  },
  logs: logsCommand,
  run: {
    group: 'results',
    summary: 'run one capability on a site',
    arguments: [
      { name: 'capability', description: 'its name, such as generate_llms_txt' },
      siteArgument,
      { name: 'field=value', description: 'more fields of its request', optional: true, many: true },
    ],
    options: { ...outputOptions, ...folderOptions },
    examples: [
      { run: 'sightline run generate_llms_txt example.com --out files', does: 'write the generated llms.txt' },
    ],
  },
  replay: {
    group: 'results',
    first: true,
    summary: 'make the result of a snapshot again, offline',
    arguments: [{ name: 'file', description: 'a snapshot, or a JSON report', file: 'read' }],
    options: {
      ...gateOptions,
      verbose: { type: 'boolean', description: 'list every check that did not pass' },
      ...answerOutputOptions,
      ...folderOptions,
    },
    examples: [{ run: 'sightline replay audit.json --format html -o report.html', does: 'the report of a snapshot' }],
    exits: GATE_EXITS,
  },
  verify: {
    group: 'results',
    summary: 'check what a service signed, without a network',
    arguments: [
      { name: 'file', description: 'a report, the answer to a purchase, or delivery figures, as JSON', file: 'read' },
    ],
    options: {
      jwks: {
        type: 'string',
        value: '<file>',
        file: 'read',
        description: 'the key set of the service: its /.well-known/jwks.json',
      },
      issuer: {
        type: 'string',
        value: '<origin>',
        description: 'the service that you expect, such as https://sightline.example',
      },
      snapshot: {
        type: 'string',
        value: '<file>',
        file: 'read',
        description: 'its snapshot: compared by its hash, and replayed',
      },
      ...plainOutputOptions,
    },
    examples: [
      {
        run: 'sightline verify report.json --jwks jwks.json --issuer https://sightline.example',
        does: 'the signature and the hash of a report',
      },
    ],
    notes: ['Keys that come with a report prove nothing: read the key set from the service itself.'],
    exits: { 1: 'a check failed, or the report is unsigned', 2: 'wrong usage, or a file that cannot be read' },
  },
  init: {
    group: 'results',
    first: true,
    summary: 'write sightline.config.json for a project',
    arguments: [{ ...siteArgument, optional: true, many: true }],
    options: {
      'min-score': gateOptions['min-score'],
      ...siteOptions,
      baseline: { type: 'string', value: '<file>', description: 'the baseline that audits are held against' },
      force: { type: 'boolean', description: 'replace the file if it exists' },
      json: plainOutputOptions.json,
      quiet: plainOutputOptions.quiet,
    },
    examples: [{ run: 'sightline init example.com --min-score 80', does: 'a configuration without questions' }],
    notes: ['On a terminal it asks for what you leave out. The file holds no secrets.'],
  },
} as const satisfies Readonly<Record<string, CommandRow>>;
