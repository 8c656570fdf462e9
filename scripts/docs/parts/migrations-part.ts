import { readFileSync } from 'node:fs';

const ROOT = new URL('../../../', import.meta.url);
const configurations = [
  ['sightline-api', 'wrangler.toml'],
  ['sightline-control', 'wrangler.control.toml'],
  ['sightline-webhook', 'wrangler.webhook.toml'],
] as const;

type Migration = { tag: string; classes: readonly string[] };

/** Migrations of a configuration's own section, in their order. */
export const listMigrations = (toml: string): readonly Migration[] =>
  [...toml.matchAll(/^\[\[migrations\]\]\ntag = "([^"]{1,40})"\nnew_sqlite_classes = \[([^\]]{0,400})\]/gm)].map(
    ([, tag = '', list = '']) => ({
      tag,
      classes: [...list.matchAll(/"(\w{1,60})"/g)].map(([, name = '']) => name),
    }),
  );

/** Which versions cannot be gone back past, by the migrations of the configurations. */
export function formatMigrations(): string {
  const rows = configurations.flatMap(([worker, file]) => {
    const migrations = listMigrations(readFileSync(new URL(file, ROOT), 'utf8'));
    return migrations.map(({ tag, classes }) => `| \`${worker}\` | \`${tag}\` | ${classes.join(', ')} |`);
  });
  return ['| Worker | Migration | Classes that it makes |', '|---|---|---|', ...rows].join('\n');
}
