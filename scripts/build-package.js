// Puts together the package @sightline/cli in dist/package: the command line that scripts/build-cli.js has bundled, and nothing
// to install beside it. Plain JavaScript, because `npm ci` runs it with whatever Node the machine has.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { buildPublishFields } from './build/publish-fields.js';

const OUT = 'dist/package';
/** As in src/lib/release.ts, which not every Node can read. */
const NAME = '@sightline/cli';
/** Where each file of the package comes from. */
const FILES = {
  'cli.js': 'dist/cli.js',
  chunks: 'dist/chunks',
  'report.css': 'dist/report.css',
  'sightline.config.schema.json': 'dist/sightline.config.schema.json',
  'README.md': 'src/cli/PACKAGE.md',
  LICENSE: 'LICENSE',
  'LICENSES-of-what-is-bundled.txt': 'dist/licenses.txt',
};

const own = JSON.parse(readFileSync('package.json', 'utf8'));

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
for (const [name, from] of Object.entries(FILES)) cpSync(from, `${OUT}/${name}`, { recursive: true });
const manifest = {
  name: NAME,
  ...buildPublishFields(own),
  description: 'Audits what AI systems can see of a website: scores, fixes, replays, and an MCP server for agents.',
  keywords: own.keywords,
  type: 'module',
  bin: { sightline: 'cli.js' },
  files: Object.keys(FILES),
};
writeFileSync(`${OUT}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
