import * as fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import type { UpgradePlan } from '../../../src/hybrid/plan/plan.ts';
import { planMarkdown, planText } from '../../../src/hybrid/plan/render.ts';
import { commandsOf, migrated, planFor } from './example.ts';

const html = (markdown: string): string => micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });

const tags = (page: string): readonly string[] =>
  [...page.matchAll(/<\/?([a-z0-9]+)[^>]*>/g)].map((match) => match[1] ?? '');
const unescaped = (page: string): string =>
  page.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
const code = (page: string): readonly string[] =>
  [...page.matchAll(/<pre><code class="language-sh">([\s\S]*?)\n<\/code><\/pre>/g)].map((match) =>
    unescaped(match[1] ?? ''),
  );

/** A plan with a text wherever a file or a migration can put one. */
function withText(text: string): UpgradePlan {
  const plan = planFor(
    migrated(
      { namespace: text },
      {
        notes: [{ line: 1, column: 1, key: `istio${text}`, message: text }],
        groups: [{ group: text, hostnames: [text], environments: [text], basePaths: {} }],
      },
    ),
    { fileName: text },
  );
  const { proposals, problems } = plan;
  return {
    ...plan,
    org: text,
    proposals: proposals.map((proposal) => ({ ...proposal, value: text, reason: text })),
    problems: problems.map((problem) => ({ ...problem, message: text, fix: text })),
    variables: plan.variables.map((variable) => ({ ...variable, example: text })),
  };
}

const HOSTILE = [
  '```',
  '````sh ~~~',
  '# heading',
  '- list',
  '1. list',
  '---',
  '===',
  '> quote',
  '<script>alert(1)</script>',
  '<!-- comment',
  '[link](https://evil.example)',
  '![image](https://evil.example/x.png)',
  '| cell | cell |',
  '**bold** _em_ ~~gone~~',
  '&lt;b&gt; &#35;',
  '\\',
  'https://evil.example www.evil.example',
  '$ math $',
];

describe('Markdown', () => {
  const page = html(planMarkdown(planFor()));

  test('has each step as a heading, the last marked', () => {
    expect([...page.matchAll(/<h2>Step (\d+): /g)].map((match) => match[1])).toEqual(
      Array.from({ length: 13 }, (_, i) => String(i)),
    );
    expect(page.match(/<strong>Point of no return\.<\/strong>/g)).toHaveLength(1);
    expect(page.indexOf('Point of no return.')).toBeGreaterThan(page.indexOf('Step 12'));
  });

  test('has every command as it is', () => {
    expect(code(page)).toEqual(commandsOf(planFor()));
  });

  test('shows variables as a table, and groups, proposals, notes and warnings as lists', () => {
    expect(page).toContain('<td><code>CASSANDRA_PASSWORD</code></td>');
    for (const title of ['Environment groups', 'Values that were added to the file', 'What left the file', 'Look at'])
      expect(page).toContain(`<h2>${title}</h2>`);
  });

  test.each(HOSTILE)('%s in a file is text: no element more than with a plain word', (text) => {
    const plain = html(planMarkdown(withText('word')));
    const hostile = html(planMarkdown(withText(text)));
    expect(tags(hostile)).toEqual(tags(plain));
    expect(code(hostile)).toEqual(commandsOf(withText(text)));
  });

  test('no printable text adds an element', () => {
    const plain = tags(html(planMarkdown(withText('word'))));
    const spicy = fc.string({
      unit: fc.constantFrom(...Array.from('a1 `~#*_-+=>|<&[](){}!:/.\\'), 'www.', 'https://'),
      minLength: 1,
      maxLength: 10,
    });
    fc.assert(
      fc.property(spicy, (text) => {
        fc.pre(text.trim() !== '' && text !== '*'); // A host name of this kind needs a variable more.
        expect(tags(html(planMarkdown(withText(text))))).toEqual(plain);
      }),
      { numRuns: 12 },
    );
  });
});

describe('text', () => {
  test('has each step with its check and undo', () => {
    const text = planText(planFor());
    expect([...text.matchAll(/^== Step (\d+): /gm)].map((match) => match[1])).toEqual(
      Array.from({ length: 13 }, (_, i) => String(i)),
    );
    expect(text.match(/^-- Check$/gm)).toHaveLength(13);
    expect(text.match(/^-- Undo$/gm)).toHaveLength(13);
    expect(text.match(/POINT OF NO RETURN/g)).toHaveLength(1);
    expect(text).toContain('\nsh facts.sh && sightline hybrid verify facts.json --step 0\n');
  });

  test('has the commands that the others have, each as it can be pasted: what ends a script stands at its margin', () => {
    const plan = planFor();
    const text = planText(plan);
    for (const command of commandsOf(plan)) expect(text).toContain(`\n${command}\n`);
    expect(text.match(/^END_OF_SCRIPT$/gm)).toHaveLength(3);
  });

  test.each(['\u001b[2J', 'a\rb', '\u202eevil', 'a\u0007', 'x\u2028y'])(
    '%j steers no terminal, in either form',
    (hidden) => {
      const { proposals, ...plan } = planFor(
        migrated({}, { notes: [{ line: 1, column: 1, key: 'istio', message: hidden }] }),
      );
      const hostile = {
        ...plan,
        org: hidden,
        proposals: proposals.map((proposal) => ({ ...proposal, value: hidden })),
      };
      for (const text of [planText(hostile), planMarkdown(hostile)])
        expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    },
  );
});
