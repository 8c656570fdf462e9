import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verbs } from './support/words/verbs-data.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const sources = globSync(['src/**/*.{ts,tsx}', 'routes/**/*.{ts,tsx}', 'durable-objects/**/*.ts', 'local/**/*.ts'], {
  cwd: root,
})
  .filter((file) => !/-data\.ts$|\.generated\./.test(file)) // Tables of facts, and word lists of languages.
  .toSorted();

const MIN_README_LINES = 5;
const MAX_README_LINES = 20;

/** Comments, texts and identifiers of a module, told apart by their delimiters. */
const TOKENS =
  /(?<comment>\/\*[\s\S]*?\*\/|\/\/[^\n]*)|(?<text>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|(?<name>[A-Za-z_$][\w$]*)/g;
/** Words of a private dialect: each has a word of the field (docs/project/glossary.md). */
const IN_COMMENTS = /\b(?:told|tells|untold|stands|mend(?:s|ed|ing)?|somebody|nobody|anybody|whoever|errands?)\b/i;
/** Texts that are not in this repository. */
const CITES_ELSEWHERE = /\((?:seeds?|facts|contracts?|design|card|issue)(?:[:,)]| \d)|\bseed \d|\bcontracts \d/i;
const IN_NAMES =
  /(?:^(?:told|untold|mend(?:s|ed|ing)?|somebody|errands?|wish)|Told|Untold|Mend(?:s|ed|ing)?|Somebody|Errands?|Wish)(?=[A-Z_$\d]|$)/;

type Found = { file: string; word: string };

function findTokens(kind: 'comment' | 'name', isRefused: (token: string) => boolean): readonly Found[] {
  return sources.flatMap((file) =>
    [...read(file).matchAll(TOKENS)].flatMap(({ groups }) => {
      const token = groups?.[kind];
      // In the markup of a page a plain word is text for its readers.
      if (kind === 'name' && file.endsWith('.tsx') && /^[a-z]+$/.test(token ?? '')) return [];
      return token !== undefined && isRefused(token) ? [{ file, word: token.slice(0, 120) }] : [];
    }),
  );
}

describe('words of comments and names', () => {
  test('comments have no word of the private dialect', () => {
    expect(findTokens('comment', (text) => IN_COMMENTS.test(text))).toEqual([]);
  });

  test('comments cite no text that is not here', () => {
    expect(findTokens('comment', (text) => CITES_ELSEWHERE.test(text))).toEqual([]);
  });

  test('names have no word of the private dialect', () => {
    expect(findTokens('name', (name) => IN_NAMES.test(name))).toEqual([]);
  });

  test('the test finds what it refuses', () => {
    expect(['somebody', 'Mended', 'it stands'].map((text) => IN_COMMENTS.test(text))).toEqual([true, true, true]);
    expect(['toldMs', 'isTold', 'DueErrand', 'recommended'].map((name) => IN_NAMES.test(name))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

const FUNCTION =
  /^(?<exported>export )?(?:async )?function\*? (?<declared>\w+)|^(?:export )?const (?<assigned>[a-z]\w*)(?:: [^=]+)? =\s+(?:async )?(?:<[^>]+>)?(?:\((?:[^()]|\([^()]*\))*\)(?:: [^=]+?)? =>|\w+ =>)/gm;

/** Not verbs, but what the field calls them. */
const idioms: ReadonlySet<string> = new Set([
  'sh', // The tag of templates of shell commands.
  'sightline', // The name of the package, as clients of services are made.
]);

describe('top-level functions', () => {
  const functions = sources.flatMap((file) =>
    [...read(file).matchAll(FUNCTION)].map(({ groups }) => ({
      file,
      name: groups?.['declared'] ?? groups?.['assigned'] ?? '',
    })),
  );

  test('there are functions to judge', () => {
    expect(functions.length).toBeGreaterThan(5_000);
  });

  test('every verb of the list is in use', () => {
    const used = new Set(functions.map(({ name }) => /^[a-z]+/.exec(name)?.[0]));
    expect([...verbs].filter((verb) => !used.has(verb))).toEqual([]);
  });

  test('each begins with a verb; components of pages begin with a capital', () => {
    const wrong = functions.filter(({ name }) => {
      if (/^[A-Z]/.test(name)) return false;
      return (
        !idioms.has(name) &&
        (!verbs.has(/^[a-z]+/.exec(name)?.[0] ?? '') || (/(?:Of|By)$/.test(name) && !/^(?:is|has|can)/.test(name)))
      );
    });
    expect(wrong).toEqual([]);
  });
});

/** Exported names that several files have on purpose: they mean the same in each. */
const shared: ReadonlySet<string> = new Set([
  'SERVER_CARD_TYPE', // The media type, of sites that are audited and of our own card: the audit knows nothing of us.
  'handlers', // The handlers of an interface of the control plane, by the name that its aggregator imports.
]);

test('exported names are unique, unless they mean the same', () => {
  const byName = Map.groupBy(
    sources
      // What a package exports has the names that its users expect.
      .filter((file) => !/^(?:local|src\/client)\//.test(file))
      .flatMap((file) =>
        [
          ...read(file).matchAll(
            /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|class|type|interface|enum) (\w+)/gm,
          ),
        ].map(([, name = '']) => ({ file, name })),
      ),
    ({ name }) => name,
  );
  const twice = [...byName].flatMap(([name, all]) =>
    new Set(all.map(({ file }) => file)).size > 1 && !shared.has(name)
      ? [`${name}: ${all.map(({ file }) => file).join(', ')}`]
      : [],
  );
  expect(twice).toEqual([]);
});

test(`every folder of src has a README of ${MIN_README_LINES} to ${MAX_README_LINES} lines`, () => {
  const folders = new Set<string>();
  for (const file of sources.filter((one) => one.startsWith('src/')))
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  const wrong = [...folders].toSorted().flatMap((folder) => {
    const file = join(folder, 'README.md');
    if (!existsSync(join(root, file))) return [`${file} is missing`];
    const lines = read(file).trimEnd().split('\n').length;
    return lines < MIN_README_LINES || lines > MAX_README_LINES ? [`${file} has ${lines} lines`] : [];
  });
  expect(wrong).toEqual([]);
});
