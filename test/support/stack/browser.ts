import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type ConsoleMessage,
  type Page,
  type Request,
} from 'playwright-core';
import { inject } from 'vitest';
import { chromiumPath } from '../../../scripts/chromium.js';
import { isFull, sampleRows } from '../runner/budget.ts';
import { CHROMIUM_FLAGS } from './chromium-flags.ts';

/** Widths that every page is judged at, in CSS pixels: a small telephone, and a desk. */
export const WIDTHS = [360, 1280] as const;
export const SCHEMES = ['light', 'dark'] as const;

/** How pages are looked at: each width and each scheme once; all four pairs in the soak. */
export const LOOKS = sampleRows(
  WIDTHS.flatMap((width) => SCHEMES.map((scheme) => ({ width, scheme }))),
  3,
);

export type PageOptions = {
  width?: number;
  height?: number;
  scheme?: (typeof SCHEMES)[number];
  /** False shows the page as it is without scripts. */
  scripts?: boolean;
  /** Cookies and storage are shared with this page's. */
  beside?: Page;
};

const HEIGHT = 900;
const MAX_PICTURE_PX = 2_000;
const SCREENSHOTS = new URL('../../e2e/screenshots/', import.meta.url);
const AXE_SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];
const COLOUR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
/** What the page itself notes while it loads: the policy's refusals and the shifts of its layout. */
const NOTING = `
  globalThis.__noted = { refused: [], shift: 0, shifted: [] };
  addEventListener('securitypolicyviolation', (event) => {
    globalThis.__noted.refused.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile + ':' + event.lineNumber);
  });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      globalThis.__noted.shift += entry.value;
      for (const { node } of entry.sources) globalThis.__noted.shifted.push(node?.outerHTML?.slice(0, 120) ?? 'a node that left');
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** What was seen of a page from outside. */
type Seen = { errors: string[]; requests: string[] };
const seen = new WeakMap<Page, Seen>();

export type Opened = {
  /** A page of a context of its own: no cookies, unless it stands `beside` another. */
  page: (options?: PageOptions) => Promise<Page>;
  close: () => Promise<void>;
};

/**
 * Opens the chromium that tests share; with further `flags` one of its own. Whoever opens it closes it.
 * @throws Error when there is none
 */
export async function openBrowser(flags?: readonly string[]): Promise<Opened> {
  // The soak has no shared one.
  const shared: string | null | undefined = inject('chromium');
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('no chromium: run `node scripts/chromium.js`');
  const browser =
    flags === undefined && typeof shared === 'string'
      ? await chromium.connect(shared)
      : await chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS, ...(flags ?? [])] });
  return { page: (options) => newPage(browser, options), close: () => browser.close() };
}

async function newPage(browser: Browser, options: PageOptions = {}): Promise<Page> {
  const { width = WIDTHS[1], height = HEIGHT, scheme = 'light', scripts = true, beside } = options;
  const context: BrowserContext = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    javaScriptEnabled: scripts,
    reducedMotion: 'reduce',
    ...(beside === undefined ? {} : { storageState: await beside.context().storageState() }),
  });
  await context.addInitScript(NOTING);
  const page = await context.newPage();
  const noted: Seen = { errors: [], requests: [] };
  seen.set(page, noted);
  page.on('console', (message: ConsoleMessage) => {
    if (message.type() === 'error') noted.errors.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error: Error) => noted.errors.push(error.message));
  page.on('request', (request: Request) => noted.requests.push(request.url()));
  return page;
}

const seenOf = (page: Page): Seen => {
  const noted = seen.get(page);
  if (noted === undefined) throw new Error('this page was not opened by `openBrowser`');
  return noted;
};

/**
 * What axe-core has to say of the page as it stands: WCAG 2.0 to 2.2, A and AA, and best practices. One line for each
 * element and rule. It is evaluated from outside, which the page's own policy has no say in. In the dark scheme only the
 * rules about colours are asked: all else is the same page as in the light one, where every rule is.
 */
export async function judgePage(page: Page): Promise<string[]> {
  await page.waitForLoadState('load');
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  await page.evaluate(`globalThis.axe ?? (() => { ${AXE_SOURCE} })()`);
  const found = await page.evaluate<AxeFound>(
    `axe.run(document, { runOnly: ${JSON.stringify(isDark ? COLOUR_RULES : AXE_TAGS)}, resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ target, failureSummary }) => target.join(' ') + ': ' + failureSummary) })))`,
  );
  return found.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id} (${help}) ${node.replaceAll('\n', ' ')}`));
}

type AxeFound = { id: string; help: string; nodes: string[] }[];

/** What the policy refused, what scripts threw, and what else the browser complained of. `allowed` takes out what a test provokes. */
export async function complaints(page: Page, allowed: (text: string) => boolean = () => false): Promise<string[]> {
  const refused = await page.evaluate<string[]>('globalThis.__noted.refused');
  return [...seenOf(page).errors, ...refused].filter((text) => !allowed(text));
}

/** What is wider than the window: nothing when the page itself does not scroll sideways. Widths are those with its stylesheet. */
export async function noOverflow(page: Page): Promise<string[]> {
  await page.waitForLoadState('load');
  return page.evaluate<string[]>(`(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const wide = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > width + 1);
    return ['the page is ' + document.documentElement.scrollWidth + ' px wide', ...wide.slice(0, 10).map((element) => element.outerHTML.slice(0, 120))];
  })()`);
}

/** Short names that are broken inside of a word, and rows of a filter whose labels are not on one line. */
export async function listUneven(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const countLines = (element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    };
    const names = [...document.querySelectorAll('.step-facts dt')].filter((name) => countLines(name) > 1);
    const filters = [...document.querySelectorAll('form.filter')].filter(
      (form) => new Set([...form.querySelectorAll('label')].map((label) => Math.round(label.getBoundingClientRect().height))).size > 1,
    );
    return [...names.map((name) => 'broken: ' + name.textContent), ...filters.map((form) => 'uneven: ' + form.textContent.slice(0, 40))];
  })()`);
}

/** Cumulative layout shift since the page began, and what moved. */
export async function layoutShift(page: Page): Promise<{ shift: number; shifted: string[] }> {
  return page.evaluate<{ shift: number; shifted: string[] }>(
    `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve({ shift: globalThis.__noted.shift, shifted: globalThis.__noted.shifted.slice(0, 10) }))))`,
  );
}

/** Requests that went anywhere but to the page's own origin. */
export const foreignRequests = (page: Page): string[] => {
  const { origin } = new URL(page.url());
  return seenOf(page).requests.filter((url) => new URL(url).origin !== origin);
};

/** Paths of all scripts of our own that a page and those before it in its tab have loaded. */
export const loadedScripts = (page: Page): readonly string[] => [
  ...new Set(
    seenOf(page)
      .requests.map((url) => new URL(url).pathname)
      .filter((path) => path.endsWith('.js')),
  ),
];

/** Saves a picture of the page in `test/e2e/screenshots/`, which git ignores; in the soak only, since a long page takes seconds to paint. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!isFull) return;
  const [width = 0, height = 0] = await page.evaluate<number[]>(
    '[document.documentElement.clientWidth, document.documentElement.scrollHeight]',
  );
  const clip = { x: 0, y: 0, width, height: Math.min(height, MAX_PICTURE_PX) };
  await page.screenshot({ path: new URL(`${name}.png`, SCREENSHOTS).pathname, fullPage: true, clip });
}
