// The licences of what a bundle contains, as their authors ask. Plain JavaScript, because `npm ci` runs it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[-.][\w.-]{1,40})?$/i;

/**
 * @param {readonly string[]} inputs files that went into the bundle, as esbuild's metafile names them
 * @returns {string} each package with its version, its licence and the texts that it ships
 */
export function renderLicenses(inputs) {
  const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== undefined));
  const parts = [...folders].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
    const texts = files.map((file) => readFileSync(`${folder}/${file}`, 'utf8').trim());
    return [`${name} ${version} (${license ?? 'see below'})`, ...texts].join('\n\n');
  });
  return `${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** @param {string} input */
function packageFolder(input) {
  const found = /^(?:[\w-]{1,60}:)?(.*node_modules\/(?:@[^/]{1,100}\/)?[^/]{1,100})/.exec(input)?.[1];
  return found !== undefined && existsSync(`${found}/package.json`) ? found : undefined;
}
