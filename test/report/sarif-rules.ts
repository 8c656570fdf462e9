import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import * as z from 'zod';

const text = z.object({ text: z.string() });
const rule = z.object({
  id: z.string(),
  name: z.string(),
  shortDescription: text,
  fullDescription: text,
  help: z.object({ text: z.string(), markdown: z.string() }),
  helpUri: z.string().optional(),
  defaultConfiguration: z.object({ level: z.string() }),
  properties: z.object({ tags: z.array(z.string()), precision: z.string(), 'problem.severity': z.string() }),
});
const result = z.object({
  ruleId: z.string(),
  ruleIndex: z.int(),
  level: z.string(),
  kind: z.string(),
  message: text,
  locations: z.array(
    z.object({
      physicalLocation: z.object({
        artifactLocation: z.object({ uri: z.string() }),
        region: z.object({ startLine: z.int(), startColumn: z.int(), endLine: z.int(), endColumn: z.int() }),
      }),
    }),
  ),
  partialFingerprints: z.object({ primaryLocationLineHash: z.string() }),
});
const run = z.object({
  tool: z.object({ driver: z.object({ name: z.string(), semanticVersion: z.string(), rules: z.array(rule) }) }),
  automationDetails: z.object({ id: z.string() }),
  invocations: z.array(
    z.object({
      executionSuccessful: z.boolean(),
      toolExecutionNotifications: z.array(z.object({ descriptor: z.object({ id: z.string() }), message: text })),
    }),
  ),
  properties: z.object({ rubric: z.unknown() }).optional(),
  results: z.array(result),
});

/** As much of a SARIF log as GitHub reads of ours: what it calls required is required here. */
export const sarifLog = z.object({ $schema: z.string(), version: z.string(), runs: z.array(run) });
export type SarifLog = z.infer<typeof sarifLog>;
type Run = SarifLog['runs'][number];

const SUPPORT =
  'https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support-for-code-scanning';
const FINGERPRINTS = 'https://github.com/github/codeql-action/blob/main/src/fingerprints.ts';
const SCHEMES = 'https://github.com/github/codeql-action/issues/754';
const SPEC = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html';

/** `violations` of a log, and `spoil`, which makes a log that has one: a rule that cannot be broken judges nothing. */
export type GitHubRule = {
  rule: string;
  source: string;
  violations: (log: SarifLog) => readonly string[];
  spoil: (log: SarifLog) => void;
};

const MAX_ZIPPED_BYTES = 10 * 1024 * 1024;
const MAX_NAME = 255;
const MAX_DESCRIPTION = 1024;
const MAX_RUNS = 20;
const MAX_ENTRIES = 25_000;
const MAX_SHOWN_RESULTS = 5000;
const MAX_TAGS = 10;

const eachRun = (found: (one: Run) => readonly string[]) => (log: SarifLog) => log.runs.flatMap(found);
const eachRule = (found: (one: Run['tool']['driver']['rules'][number]) => readonly string[]) =>
  eachRun((one) => one.tool.driver.rules.flatMap(found));
const eachResult = (found: (one: Run['results'][number]) => readonly string[]) =>
  eachRun((one) => one.results.flatMap(found));
const eachUri = (found: (uri: string) => readonly string[]) =>
  eachResult(({ locations }) =>
    locations.flatMap(({ physicalLocation }) => found(physicalLocation.artifactLocation.uri)),
  );
const unless = (isSound: boolean, what: string): readonly string[] => (isSound ? [] : [what]);

function first<Item>(items: readonly Item[] | undefined): Item {
  const [one] = items ?? [];
  if (one === undefined) throw new Error('The log has none of what the rule is about.');
  return one;
}
const firstRun = (log: SarifLog): Run => first(log.runs);
const firstRule = (log: SarifLog) => first(firstRun(log).tool.driver.rules);
const firstResult = (log: SarifLog) => first(firstRun(log).results);
const firstPlace = (log: SarifLog) => first(firstResult(log).locations).physicalLocation;

function decodeUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return '://';
  }
}

/** What GitHub documents of the files that it takes, and what its upload action does with them. */
export const gitHubRules: readonly GitHubRule[] = [
  {
    rule: 'the schema is that of 2.1.0, and so is the version',
    source: `${SUPPORT}#sariflog-object`,
    violations: ({ $schema, version }) => unless(version === '2.1.0' && $schema.includes('sarif-2.1.0'), version),
    spoil: (log) => {
      log.version = '2.2';
    },
  },
  {
    rule: 'a file has at most 20 runs, a run at most 25,000 rules and results, of which 5,000 are shown',
    source: `${SUPPORT}#file-compatibility`,
    violations: ({ runs }) => [
      ...unless(runs.length > 0 && runs.length <= MAX_RUNS, `${runs.length} runs`),
      ...runs.flatMap(({ tool, results }) => [
        ...unless(tool.driver.rules.length <= MAX_ENTRIES, `${tool.driver.rules.length} rules`),
        ...unless(results.length <= MAX_SHOWN_RESULTS, `${results.length} results`),
      ]),
    ],
    spoil: (log) => {
      firstRun(log).results = Array.from({ length: MAX_SHOWN_RESULTS + 1 }, () => firstResult(log));
    },
  },
  {
    rule: 'a file has at most 10 MB after gzip',
    source: `${SUPPORT}#file-compatibility`,
    violations: (log) => {
      const bytes = gzipSync(JSON.stringify(log)).byteLength;
      return unless(bytes <= MAX_ZIPPED_BYTES, `${bytes} bytes`);
    },
    spoil: (log) => {
      firstResult(log).message.text = randomBytes(12 * 1024 * 1024).toString('base64');
    },
  },
  {
    rule: 'no required text is empty',
    source: `${SUPPORT}#supported-properties`,
    violations: eachRun(({ tool, results }) => [
      ...unless(tool.driver.name !== '', 'no name of the tool'),
      ...tool.driver.rules.flatMap(({ id, shortDescription, fullDescription, help }) =>
        unless(![id, shortDescription.text, fullDescription.text, help.text].includes(''), `empty in rule ${id}`),
      ),
      ...results.flatMap(({ ruleId, message, locations }) =>
        unless(message.text !== '' && locations.length > 0, `empty in result ${ruleId}`),
      ),
    ]),
    spoil: (log) => {
      firstRule(log).help.text = '';
    },
  },
  {
    rule: 'names have at most 255 characters, descriptions 1,024',
    source: `${SUPPORT}#reportingdescriptor-object`,
    violations: eachRule(({ id, name, shortDescription, fullDescription }) => [
      ...unless(name.length <= MAX_NAME, `name of ${id}`),
      ...unless(shortDescription.text.length <= MAX_DESCRIPTION, `short description of ${id}`),
      ...unless(fullDescription.text.length <= MAX_DESCRIPTION, `full description of ${id}`),
    ]),
    spoil: (log) => {
      firstRule(log).fullDescription.text = 'x'.repeat(MAX_DESCRIPTION + 1);
    },
  },
  {
    rule: 'a rule has documentation as text and as Markdown',
    source: `${SUPPORT}#reportingdescriptor-object`,
    violations: eachRule(({ id, help }) => unless(help.markdown.includes('**'), `no Markdown for ${id}`)),
    spoil: (log) => {
      firstRule(log).help.markdown = '';
    },
  },
  {
    rule: 'at most 10 tags of a rule are shown',
    source: `${SUPPORT}#file-compatibility`,
    violations: eachRule(({ id, properties: { tags } }) => unless(tags.length <= MAX_TAGS, `tags of ${id}`)),
    spoil: (log) => {
      firstRule(log).properties.tags = Array.from({ length: MAX_TAGS + 1 }, (_none, at) => `tag-${at}`);
    },
  },
  {
    rule: 'levels, precision and severity are of the values that it knows',
    source: `${SUPPORT}#reportingdescriptor-object`,
    violations: (log) => [
      ...eachRule(({ id, defaultConfiguration: { level }, properties }) => [
        ...unless(['note', 'warning', 'error'].includes(level), `level of ${id}`),
        ...unless(['very-high', 'high', 'medium', 'low'].includes(properties.precision), `precision of ${id}`),
        ...unless(['error', 'warning', 'recommendation'].includes(properties['problem.severity']), `severity of ${id}`),
      ])(log),
      ...eachResult(({ ruleId, level }) =>
        unless(['note', 'warning', 'error'].includes(level), `level of result ${ruleId}`),
      )(log),
    ],
    spoil: (log) => {
      firstResult(log).level = 'none';
    },
  },
  {
    rule: 'ids of rules are unique, and each result points at its rule',
    source: `${SUPPORT}#result-object`,
    violations: eachRun(({ tool, results }) => [
      ...unless(new Set(tool.driver.rules.map(({ id }) => id)).size === tool.driver.rules.length, 'an id twice'),
      ...results.flatMap(({ ruleId, ruleIndex }) =>
        unless(tool.driver.rules[ruleIndex]?.id === ruleId, `index of ${ruleId}`),
      ),
    ]),
    spoil: (log) => {
      firstResult(log).ruleIndex += 1;
    },
  },
  {
    rule: 'only rules that have results are in the file',
    source: `${SUPPORT}#rules-and-results`,
    violations: eachRun(({ tool, results }) =>
      tool.driver.rules.flatMap(({ id }) =>
        unless(
          results.some(({ ruleId }) => ruleId === id),
          `rule ${id} alone`,
        ),
      ),
    ),
    spoil: (log) => {
      firstRun(log).results.pop();
    },
  },
  {
    rule: 'a location is a relative path: a scheme that is not that of the checkout refuses the whole file',
    source: SCHEMES,
    violations: eachUri((uri) => unless(!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri) && !uri.startsWith('/'), uri)),
    spoil: (log) => {
      firstPlace(log).artifactLocation.uri = 'localhost:4173/about';
    },
  },
  {
    rule: 'a location is an RFC 3986 reference that stays in the checkout, also once it is decoded',
    source: FINGERPRINTS,
    violations: eachUri((uri) => [
      ...unless(/^(?:[A-Za-z0-9._~/-]|%[0-9A-Fa-f]{2})+$/.test(uri), `characters of ${uri}`),
      ...unless(!decodeUri(uri).includes('://'), `scheme of ${uri}`),
      ...unless(!decodeUri(uri).split(/[/\\]/).includes('..'), `way up in ${uri}`),
    ]),
    spoil: (log) => {
      firstPlace(log).artifactLocation.uri = 'acme.example/%2e%2e/%2e%2e/etc';
    },
  },
  {
    rule: 'a location has a region, with lines from 1',
    source: `${SUPPORT}#physicallocation-object`,
    violations: eachResult(({ ruleId, locations }) =>
      locations.flatMap(({ physicalLocation: { region } }) =>
        unless(
          region.startLine >= 1 && region.endLine >= region.startLine && region.endColumn > region.startColumn,
          `region of ${ruleId}`,
        ),
      ),
    ),
    spoil: (log) => {
      firstPlace(log).region.startLine = 0;
    },
  },
  {
    rule: 'two results are two alerts: rule, path and fingerprint name one only',
    source: `${SUPPORT}#fingerprint-generation`,
    violations: eachRun(({ results }) => {
      const keys = results.map(({ ruleId, locations, partialFingerprints }) =>
        [
          ruleId,
          locations[0]?.physicalLocation.artifactLocation.uri,
          partialFingerprints.primaryLocationLineHash,
        ].join(),
      );
      return unless(new Set(keys).size === keys.length && !keys.some((key) => key.endsWith(',')), 'a key twice');
    }),
    spoil: (log) => {
      firstResult(log).partialFingerprints.primaryLocationLineHash = '';
    },
  },
  {
    rule: 'the run has a category, so that it replaces its own alerts only',
    source: `${SUPPORT}#runautomationdetails-object`,
    violations: eachRun(({ automationDetails: { id } }) => unless(/^sightline\/[^/]+\/$/.test(id), id)),
    spoil: (log) => {
      firstRun(log).automationDetails.id = 'sightline';
    },
  },
  {
    rule: 'no message holds an embedded link',
    source: `${SPEC}#_Toc34317467`,
    violations: eachRun(({ results, invocations }) =>
      [...results, ...invocations.flatMap(({ toolExecutionNotifications }) => toolExecutionNotifications)].flatMap(
        ({ message }) => unless(!message.text.includes(']('), message.text),
      ),
    ),
    spoil: (log) => {
      firstResult(log).message.text = '[click](https://tracker.example/)';
    },
  },
];
