import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { webhookSettingsSchema } from '../../src/notifications/core/settings.ts';
import { apiWorkerSettingsSchema } from '../../src/sales/settings.ts';
import { controlSettingsSchema } from '../../src/settings/control-settings.ts';
import { frontSettingsSchema } from '../../src/settings/front-settings.ts';
import { escapeProse, formatCellCode, formatCode, formatGeneratedPage, formatTable } from './markdown.ts';
import { describeType, type Schema } from './schema-members.ts';

const EXAMPLE = new URL('../../.dev.vars.example', import.meta.url);

/** The variables of each Worker, by its schema. */
const workers: Readonly<Record<string, z.ZodObject>> = {
  'The api Worker': apiWorkerSettingsSchema,
  'The control Worker': controlSettingsSchema,
  'The webhook Worker': webhookSettingsSchema,
  'Every Worker behind a front of your own': frontSettingsSchema,
};

/** A variable as `.dev.vars.example` has it. */
type Example = { name: string; value: string; words: string };

/** Reads `.dev.vars.example`: the comment right above a variable describes it. */
export function parseExample(text: string): readonly Example[] {
  const found: Example[] = [];
  let words: string[] = [];
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      found.push({ name, value, words: words.join(' ') });
      words = [];
    } else if (!line.startsWith('#')) {
      words = []; // What is said of a whole Worker ends with an empty line.
    } else if (!/^# \w+:(?:start|end)$/.test(line)) words.push(line.slice(2).replace(/^- /, ''));
  }
  return found;
}

/** Names of all settings that a Worker reads. */
export const listSettings = (): readonly string[] =>
  [...new Set(Object.values(workers).flatMap((schema) => Object.keys(schema.shape)))].toSorted();

/** `docs/reference/settings.md`: every setting of every Worker. @throws Error for one that the example lacks */
export function settingsPage(): string {
  const examples = parseExample(readFileSync(EXAMPLE, 'utf8'));
  const described = new Set<string>();
  const sections = Object.entries(workers).flatMap(([title, schema]) => {
    const rows = examples.filter(({ name }) => Object.hasOwn(schema.shape, name));
    const missing = Object.keys(schema.shape).filter((name) => !examples.some((one) => one.name === name));
    if (missing.length > 0) throw new Error(`.dev.vars.example lacks ${missing.join(', ')}`);
    return [
      `## ${title}`,
      formatTable(
        ['Setting', 'In the example', 'Accepts', 'What it is'],
        rows.map((row) => renderSetting(row, schema, described)),
      ),
    ];
  });
  return formatGeneratedPage('Settings', 'the schemas of the Workers and `.dev.vars.example`', [
    'Set these as secrets (`wrangler secret put NAME`) or as variables of a Worker. `npm start` needs none of them: the local stack makes its own, and takes [some of yours](../operate/local-stack.md#try-settings-of-your-own). A Worker whose settings do not parse answers 500 and logs which ones.',
    'For `wrangler dev`, copy [`.dev.vars.example`](../../.dev.vars.example) to `.dev.vars` and set `BASE_URL` there to `http://localhost:8787`, the address that you open: a Worker answers 421 under any other.',
    ...sections,
  ]);
}

function renderSetting(
  { name, value, words }: Example,
  schema: z.ZodObject,
  described: Set<string>,
): readonly string[] {
  if (words === '') throw new Error(`.dev.vars.example has no comment right above ${name}`);
  const text = described.has(name) ? 'As above.' : escapeProse(words);
  described.add(name);
  return [formatCode(name), value === '' ? 'empty' : formatCellCode(value), describeSetting(schema, name), text];
}

/** What a variable may be, as text in a configuration. */
function describeSetting(schema: z.ZodObject, name: string): string {
  const field = schema.shape[name];
  if (field === undefined) return '';
  const json = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }) as Schema;
  const type = describeType(json).replaceAll('``', 'empty').replaceAll('`""`', 'empty');
  return type.replaceAll('|', String.raw`\|`);
}
