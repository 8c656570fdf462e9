import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pixelmatch from 'pixelmatch';
import { type Browser, chromium, type Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { chromiumPath } from '../../../scripts/chromium.js';
import { CHROMIUM_FLAGS } from '../stack/chromium-flags.ts';

const KEPT = fileURLToPath(new URL('../../data/pictures/', import.meta.url));
/** Where pictures go that differ, with the difference: git ignores it. */
const FAILED = fileURLToPath(new URL('../../e2e/screenshots/', import.meta.url));

/** Share of the pixels of a picture that may differ before a person has to look. */
export const MAX_DIFFERING = 0.001;
/** How unlike two pixels must be to differ, 0 to 1: below it is the rounding of one machine or another. */
const PIXEL_THRESHOLD = 0.1;

/** `npm run pictures:accept`: what is seen now is right. */
const isAccepting = process.env['PICTURES'] === 'accept';

export type PictureBrowser = {
  browser: Browser;
  /** Pictures are kept for one major version of Chromium: another draws text a little differently. */
  major: string;
  /** Whether there are pictures of this version, or this run makes them. */
  isKept: boolean;
  close: () => Promise<void>;
};

/** A chromium that draws with the fonts of a package and no others, so that machines draw alike. */
export async function openPictureBrowser(): Promise<PictureBrowser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('no chromium: run `node scripts/chromium.js`');
  const folder = mkdtempSync(join(tmpdir(), 'sightline-fonts-'));
  writeFileSync(join(folder, 'fonts.conf'), formatFontSettings(folder));
  const browser = await chromium.launch({
    executablePath,
    args: [...CHROMIUM_FLAGS, '--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb'],
    env: { ...process.env, FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  });
  const major = browser.version().split('.', 1)[0] ?? '';
  return {
    browser,
    major,
    isKept: isAccepting || existsSync(join(KEPT, `chromium-${major}`)),
    close: async () => {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function formatFontSettings(folder: string): string {
  const fonts = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
  const alias = (family: string, preferred: string): string =>
    `<match target="pattern"><test name="family"><string>${family}</string></test><edit name="family" mode="assign" binding="strong"><string>${preferred}</string></edit></match>`;
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>${fonts}</dir><cachedir>${join(folder, 'cache')}</cachedir>
<selectfont><rejectfont>${['*Serif*', '*Condensed*', '*ExtraLight*', '*TeXGyre*'].map((files) => `<glob>${files}</glob>`).join('')}</rejectfont></selectfont>
${['system-ui', 'sans-serif', '-apple-system'].map((family) => alias(family, 'DejaVu Sans')).join('\n')}
${['ui-monospace', 'monospace'].map((family) => alias(family, 'DejaVu Sans Mono')).join('\n')}
</fontconfig>`;
}

/**
 * Compares what a page looks like with the picture that is kept of it.
 * @returns what a person has to know; undefined where both are alike
 */
export async function judgePicture(page: Page, major: string, name: string): Promise<string | undefined> {
  const file = join(KEPT, `chromium-${major}`, `${name}.png`);
  const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  if (isAccepting) {
    if (!existsSync(file) || compare(readFileSync(file), taken).share > MAX_DIFFERING) keep(file, taken);
    return undefined;
  }
  if (!existsSync(file)) return `${name}: no picture is kept. Run \`npm run pictures:accept\`, and look at it.`;
  const { share, drawn } = compare(readFileSync(file), taken);
  if (share <= MAX_DIFFERING) return undefined;
  keep(join(FAILED, `${name}.png`), taken);
  if (drawn !== undefined) keep(join(FAILED, `${name}.difference.png`), drawn);
  const said = `${name}: ${(share * 100).toFixed(2)} % of the pixels differ`;
  return `${said}. Look at test/e2e/screenshots/${name}*.png; \`npm run pictures:accept\` takes what is seen now.`;
}

/** Pictures of different sizes differ wholly. */
function compare(kept: Buffer, taken: Buffer): { share: number; drawn?: Buffer } {
  const [before, after] = [PNG.sync.read(kept), PNG.sync.read(taken)];
  const { width, height } = before;
  if (after.width !== width || after.height !== height) return { share: 1 };
  const difference = new PNG({ width, height });
  const count = pixelmatch(before.data, after.data, difference.data, width, height, { threshold: PIXEL_THRESHOLD });
  return { share: count / (width * height), drawn: PNG.sync.write(difference) };
}

function keep(file: string, picture: Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, picture);
}
