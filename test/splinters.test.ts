import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const list = (...patterns: string[]): string[] => globSync(patterns, { cwd: root }).toSorted();
const sources = list('src/**/*.{ts,tsx}', 'routes/**/*.{ts,tsx}');

const MAX_SPLINTER_LINES = 60;

/** Small files with one importer in their own folder, each with the reason to stay by itself. */
const splinters: readonly (readonly [file: RegExp, why: string])[] = [
  [
    /^src\/management\/interfaces\/.*(?:handlers|refusals|rows|schemas)\.ts$/,
    'the five files that every interface has',
  ],
  [/^routes\/control\/console\/(?:money|overview|runs)\.ts$/, 'one file for each page of the console'],
  [/^src\/deploy\/order\.ts$/, 'the order of Workers and its stubs, judged without a platform'],
  [/^src\/cli\/core\/serve-command\.ts$/, 'loaded only by its command'],
  [
    /^src\/cli\/deploy\/(?:holder|login|prompt|smoke)\.ts$/,
    'one port of a deployment each: this run among others, wrangler, a person, the running service',
  ],
  [/^src\/deploy\/checks\/(?:discover|health|versions)\.ts$/, 'one file for each group of checks'],
  [/^src\/cli\/buy\/listing\.ts$/, 'what a facilitator lists, apart from the purchases that fill it'],
  [/^src\/cli\/hybrid\/plan-folder\.ts$/, 'which folders may be written into, apart from what the command reads'],
  [/^src\/cli\/watch\/watch-brand\.ts$/, 'one file for each kind of what is watched'],
  [/^src\/traffic\/formats\/alb\.ts$/, 'one file for each way to write a line'],
  [/^src\/monitors\/receivers\/alert-payload\.ts$/, 'one file for each form of a message'],
  [
    /^routes\/api\/bindings\/monitor-work\.ts$/,
    'runs and deliveries of a batch, apart from the queue that brings them',
  ],
  [/^src\/hybrid\/(?:rules|plan\/steps)\//, 'one file for each rule and each step'],
  [
    /^src\/management\/core\/filter\/view-filter\.ts$/,
    'part of the package `sightline/filter`, re-exported by its index',
  ],
  [
    /^src\/models\/adapters\/[^/]+\/(?:answer-model|chat-models)\.ts$/,
    'loaded by the first question, with the SDK that they need',
  ],
  [/^src\/payment\/cards\/event-signature\.ts$/, 'loaded by the first event, with the SDK that it needs'],
  [/^src\/payment\/rails\//, 'one file for each part of a rail, so that rails can share or replace it'],
  [/^src\/sales\/(?:payer-proven|payment-signer)\.ts$/, 'who signed, before anything else of a payload is trusted'],
  [/^src\/web\/start\/calls\.ts$/, 'programs that readers copy, in names of other packages'],
  [/^src\/web\/console\/card-money\.tsx$/, 'a section of its own of a page that is long already'],
  [/^src\/web\/.*-words\.ts$/, 'the words of a page in every language, apart from its markup'],
  [/^src\/visibility\/(?:names|rivals)\/(?:day-use|in-niche|german)\.ts$/, 'one file for each way to read a name'],
  [/^src\/fixes\/files\/model-orders\.ts$/, 'orders to models in eight languages, judged by themselves'],
  [/^routes\/api\/bindings\/monitor-work\.ts$/, 'what runs and deliveries are bound to, apart from their queue'],
  [
    /^src\/monitors\/book\/(?:read-steps|delivery-steps|dropped-rows|look-ahead)\.ts$/,
    'steps and rows of a shard, by what they are about',
  ],
  [
    /^src\/visibility\/imports\/(?:decode-file|near-prompt)\.ts$/,
    'bytes as text, and words of questions: each judged by itself',
  ],
];

const importers = new Map<string, Set<string>>();
for (const file of list('src/**/*.{ts,tsx}', 'routes/**/*.{ts,tsx}', 'durable-objects/**/*.ts', 'local/**/*.ts')) {
  for (const [, specifier = ''] of read(file).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
    const target = normalize(join(dirname(file), specifier));
    importers.set(target, (importers.get(target) ?? new Set()).add(file));
  }
}

function isSplinter(file: string): boolean {
  const [importer, ...others] = importers.get(file) ?? [];
  if (importer === undefined || others.length > 0 || dirname(importer) !== dirname(file)) return false;
  return !/-data\.ts$|\.generated\./.test(file) && read(file).split('\n').length <= MAX_SPLINTER_LINES;
}

test(`a file of under ${MAX_SPLINTER_LINES} lines with one importer in its own folder has a reason`, () => {
  const found = sources.filter(isSplinter);
  expect(found.filter((file) => !splinters.some(([pattern]) => pattern.test(file)))).toEqual([]);
  const unneeded = splinters.filter(([pattern]) => !found.some((file) => pattern.test(file)));
  expect(unneeded.map(([pattern]) => pattern.source)).toEqual([]);
});

/** Requests, responses, headers and hono: what HTTP is about. Or the bindings that a route hands to a service. */
const HTTP =
  /from 'hono|\b(?:Request|Response|Headers|FormData|URLSearchParams|AppContext|CallContext|ConsolePage|ConsoleContext)\b|\/bindings\/|[Cc]ookie|[Hh]eader/;
const withoutComments = (text: string): string => text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, '');

test('routes hold HTTP only', () => {
  const pure = list('routes/**/*.{ts,tsx}').filter(
    (file) => !file.includes('/bindings/') && !HTTP.test(withoutComments(read(file))),
  );
  expect(pure).toEqual([]);
});
