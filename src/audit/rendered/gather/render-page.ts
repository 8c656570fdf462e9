import * as z from 'zod';
import { callWithTimeout, runForEach } from '../../../lib/concurrency.ts';
import type { GuardedFetch } from '../../../net/fetched.ts';
import type { SnapshotAnswer } from '../../core/snapshot.ts';
import { withoutSecretQuery } from '../../hidden-text/gather/secrets.ts';
import {
  LOOK_LIMITS,
  type NoLookReason,
  type Rendered,
  renderedSchema,
  type RenderedTool,
} from '../facts/rendered-look.ts';
import type { DevToolsSession, OpenBrowser, OpenedBrowser } from './devtools.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { createRequestGate, type GateReply, pausedRequest, type RequestGate } from './request-gate.ts';

/** How long a look may take. */
export const RENDER_LIMITS = {
  /** Until a browser is there. */
  openMs: 15_000,
  /** From the first request of the page to the last fact. */
  pageMs: 10_000,
  /** Of these until the page is stopped, whatever it still does. */
  settleMs: 6_000,
  /** Without a request, after the page has loaded: then it is at rest. */
  quietMs: 500,
} as const;

const LOOK_EVERY_MS = 50;
/** Tries to stop scripts: one that calls itself again runs between two of them. */
const MAX_STOPS = 20;
const STOP_EVERY_MS = 100;
/** Questions to the accessibility tree in flight at once. */
const NAME_LANES = 16;

/** What a look needs: a browser, and the fetch for all that the page asks for. */
export type Renderer = { openBrowser: OpenBrowser; fetch: GuardedFetch };

type Watch = {
  page: DevToolsSession;
  gate: RequestGate;
  mainFrame: string;
  loaded: boolean;
  crashed: boolean;
  tools: Map<string, RenderedTool>;
  /** False: the browser does not know the interface. */
  hasTools: boolean;
  errors: string[];
  consoleErrors: string[];
};

/**
 * Looks at a page in a browser: loads it from the snapshot, lets its scripts run for a bounded time, stops them, and reads
 * what is there. Expected failures are data; the browser is closed in every case.
 */
export async function lookAtPage(answer: SnapshotAnswer, { openBrowser, fetch }: Renderer): Promise<Rendered> {
  const opened = await openInTime(openBrowser, answer.url);
  if (!opened.ok) return refuseLook('browser_unavailable', opened.detail);
  try {
    const gate = createRequestGate(answer, fetch);
    const looked = await callWithTimeout(() => lookAt(opened.opened, answer.url, gate), RENDER_LIMITS.pageMs);
    if (looked.ok) return countLook(looked.value, fetch);
    return looked.name === 'Late'
      ? refuseLook('page_busy', `the page gave no answer within ${RENDER_LIMITS.pageMs} ms`)
      : refuseLook('browser_failed', `the browser ended the look (${looked.name})`);
  } finally {
    await opened.opened.close();
  }
}

/** What is kept of the page takes memory as an answer does. */
function countLook(look: Rendered, { count }: GuardedFetch): Rendered {
  if (!look.ok || count === undefined || count(look.html.length)) return look;
  return refuseLook('browser_failed', 'too much is being read by all audits together');
}

const refuseLook = (reason: NoLookReason, detail: string): Rendered => ({
  ok: false,
  reason,
  detail: detail.slice(0, LOOK_LIMITS.textChars),
});

async function openInTime(openBrowser: OpenBrowser, url: string): ReturnType<OpenBrowser> {
  let isLate = false;
  const opening = openBrowser(url);
  const settled = await callWithTimeout(() => opening, RENDER_LIMITS.openMs);
  if (settled.ok) return settled.value;
  isLate = settled.name === 'Late';
  // A browser that comes after all is closed at once.
  if (isLate) opening.then((late) => (late.ok ? late.opened.close() : undefined)).catch(() => undefined);
  const detail = isLate
    ? `no browser within ${RENDER_LIMITS.openMs} ms`
    : `the browser did not start (${settled.name})`;
  return { ok: false, detail };
}

const frameTree = z.object({ frameTree: z.object({ frame: z.object({ id: z.string() }) }) });
const navigated = z.object({ errorText: z.string().optional() });

async function lookAt({ browser, openPage }: OpenedBrowser, url: string, gate: RequestGate): Promise<Rendered> {
  const page = await openPage();
  const { frame } = frameTree.parse(await page.send('Page.getFrameTree')).frameTree;
  const watch: Watch = {
    page,
    gate,
    mainFrame: frame.id,
    loaded: false,
    crashed: false,
    tools: new Map(),
    hasTools: true,
    errors: [],
    consoleErrors: [],
  };
  await guard(browser, watch);
  await listen(watch);
  const { errorText } = navigated.parse(await page.send('Page.navigate', { url }));
  if (errorText !== undefined) return refuseLook('not_shown', `the browser shows no page (${errorText})`);
  const settled = await settle(watch);
  if (watch.crashed) return refuseLook('page_crashed', 'the page ended its process');
  if (!(await stopScripts(page))) return refuseLook('page_busy', 'the scripts of the page could not be stopped');
  return readPage(watch, settled);
}

/** Intercepts every request of the browser, closes what the page opens, and answers dialogs with no. */
async function guard(browser: DevToolsSession, watch: Watch): Promise<void> {
  browser.on('Fetch.requestPaused', (params) => {
    const paused = pausedRequest.safeParse(params);
    if (!paused.success) return;
    const { requestId } = paused.data;
    watch.gate
      .answer(paused.data, watch.mainFrame)
      .then((reply) => sendReply(browser, requestId, reply))
      .catch(() => undefined); // The page is gone, and its request with it.
  });
  await browser.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  browser.on('Target.targetCreated', (params) => {
    const made = openedTarget.safeParse(params);
    if (made.success && made.data.targetInfo.openerId !== undefined)
      browser.send('Target.closeTarget', { targetId: made.data.targetInfo.targetId }).catch(() => undefined);
  });
  await browser.send('Target.setDiscoverTargets', { discover: true });
  watch.page.on('Page.javascriptDialogOpening', () => {
    watch.page.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => undefined);
  });
}

const openedTarget = z.object({ targetInfo: z.object({ targetId: z.string(), openerId: z.string().optional() }) });

function sendReply(browser: DevToolsSession, requestId: string, reply: GateReply): Promise<unknown> {
  if (reply.kind !== 'fulfil') {
    const errorReason = reply.kind === 'leave' ? 'Aborted' : 'BlockedByClient';
    return browser.send('Fetch.failRequest', { requestId, errorReason });
  }
  return browser.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: reply.status,
    responseHeaders: Object.entries(reply.headers).map(([name, value]) => ({ name, value })),
    body: encodeBase64(reply.body),
  });
}

const CHUNK = 0x8000;

function encodeBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  return btoa(parts.join(''));
}

const frameEvent = z.object({ frameId: z.string() });
const toolsAdded = z.object({
  tools: z.array(
    z.object({
      toolId: z.string().optional(),
      name: z.string(),
      description: z.string(),
      inputSchema: z.unknown().optional(),
      backendNodeId: z.int().optional(),
    }),
  ),
});
const toolsRemoved = z.object({ tools: z.array(z.object({ name: z.string() })) });
const thrown = z.object({
  exceptionDetails: z.object({
    text: z.string(),
    exception: z.object({ description: z.string().optional() }).optional(),
  }),
});

const written = z.object({
  type: z.string(),
  args: z.array(
    z.object({
      value: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
      description: z.string().optional(),
    }),
  ),
});

const cut = (text: string): string => text.slice(0, LOOK_LIMITS.textChars);

/** The size that most people's and agents' windows have. */
const WINDOW = { width: 1280, height: 900, deviceScaleFactor: 1, mobile: false };

async function listen(watch: Watch): Promise<void> {
  const { page, tools, errors, consoleErrors } = watch;
  // A page that leads on begins again; one that is kept from it stops without a load event.
  const setLoaded = (loaded: boolean) => (params: unknown) => {
    const parsed = frameEvent.safeParse(params);
    if (parsed.success && parsed.data.frameId === watch.mainFrame) watch.loaded = loaded;
  };
  page.on('Page.frameStartedLoading', setLoaded(false));
  page.on('Page.frameStoppedLoading', setLoaded(true));
  page.on('Inspector.targetCrashed', () => {
    watch.crashed = true;
  });
  page.on('Runtime.exceptionThrown', (params) => {
    const parsed = thrown.safeParse(params);
    if (!parsed.success || errors.length >= LOOK_LIMITS.errors) return;
    const { text, exception } = parsed.data.exceptionDetails;
    errors.push(cut(exception?.description?.split('\n')[0] ?? text));
  });
  page.on('Runtime.consoleAPICalled', (params) => {
    const parsed = written.safeParse(params);
    if (!parsed.success || parsed.data.type !== 'error' || consoleErrors.length >= LOOK_LIMITS.errors) return;
    consoleErrors.push(
      cut(parsed.data.args.map(({ value: given, description }) => description ?? String(given)).join(' ')),
    );
  });
  page.on('WebMCP.toolsAdded', (params) => {
    const parsed = toolsAdded.safeParse(params);
    for (const { name, description, inputSchema, backendNodeId } of parsed.success ? parsed.data.tools : []) {
      if (tools.size >= LOOK_LIMITS.tools) return;
      tools.set(name, {
        name: cut(name),
        description: cut(description),
        hasSchema: inputSchema !== undefined && inputSchema !== null,
        declarative: backendNodeId !== undefined,
      });
    }
  });
  page.on('WebMCP.toolsRemoved', (params) => {
    const parsed = toolsRemoved.safeParse(params);
    for (const { name } of parsed.success ? parsed.data.tools : []) tools.delete(name);
  });
  await Promise.all([
    page.send('Page.enable'),
    page.send('Runtime.enable'),
    page.send('Inspector.enable'),
    page.send('Emulation.setDeviceMetricsOverride', WINDOW),
  ]);
  watch.hasTools = await page.send('WebMCP.enable').then(
    () => true,
    () => false,
  );
}

const pause = (ms: number): Promise<undefined> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms);
  });

/** Waits until the page has loaded and asks for nothing more. False: its time was over before. */
async function settle(watch: Watch): Promise<boolean> {
  const looks = RENDER_LIMITS.settleMs / LOOK_EVERY_MS;
  let quiet = 0;
  for (let look = 0; look < looks && !watch.crashed; look += 1) {
    await pause(LOOK_EVERY_MS);
    quiet = watch.loaded && watch.gate.inFlight() === 0 ? quiet + LOOK_EVERY_MS : 0;
    if (quiet >= RENDER_LIMITS.quietMs) return true;
  }
  return false;
}

/** Ends what runs and lets no script begin again: what is read afterwards no longer changes. */
async function stopScripts(page: DevToolsSession): Promise<boolean> {
  const disabled = page.send('Emulation.setScriptExecutionDisabled', { value: true }).then(
    () => true,
    () => false,
  );
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    page.send('Runtime.terminateExecution').catch(() => undefined);
    const isStopped = await Promise.race([disabled, pause(STOP_EVERY_MS)]);
    if (isStopped !== undefined) return isStopped;
  }
  return false;
}

const world = z.object({ executionContextId: z.int() });
const evaluated = z.object({
  result: z.object({ value: z.unknown().optional(), objectId: z.string().optional() }),
  exceptionDetails: z.object({ text: z.string() }).optional(),
});
const raw = z.object({
  url: z.string(),
  html: z.string(),
  truncated: z.boolean(),
  frames: z.int(),
  shadowRoots: z.int(),
  targets: z.array(z.record(z.string(), z.unknown())),
  overlays: z.array(z.looseObject({ controls: z.int() })),
});

async function readPage(watch: Watch, settled: boolean): Promise<Rendered> {
  const { page, gate, mainFrame, tools, hasTools, errors, consoleErrors } = watch;
  const { executionContextId: contextId } = world.parse(
    await page.send('Page.createIsolatedWorld', { frameId: mainFrame, worldName: 'look' }),
  );
  const { result, exceptionDetails } = evaluated.parse(
    await page.send('Runtime.evaluate', { expression: PAGE_SCRIPT, contextId, returnByValue: true }),
  );
  if (exceptionDetails) return refuseLook('browser_failed', 'the page could not be read');
  const seen = raw.parse(result.value);
  const names = await readNames(page, contextId);
  const targets = seen.targets.map((target, index) => ({ ...target, ...(names[index] ?? NO_NAME) }));
  let next = targets.length;
  const overlays = seen.overlays.map(({ controls, ...overlay }) => {
    const [dialog, ...others] = names.slice(next, next + 1 + controls);
    next += 1 + controls;
    return { ...overlay, name: dialog?.name ?? null, controls: others.map(({ name }) => name) };
  });
  const parsed = renderedSchema.safeParse({
    ok: true,
    ...seen,
    url: withoutSecretQuery(seen.url),
    settled,
    targets,
    overlays,
    tools: hasTools ? [...tools.values()] : null,
    errors,
    consoleErrors,
    requests: gate.counts(),
  });
  return parsed.success ? (parsed.data as Rendered) : refuseLook('browser_failed', 'the page could not be read');
}

type NameInTree = { role: string | null; name: string | null };
const NO_NAME: NameInTree = { role: null, name: null };

const properties = z.object({
  result: z.array(z.object({ name: z.string(), value: z.object({ objectId: z.string().optional() }).optional() })),
});
const value = z.object({ value: z.unknown().optional() }).optional();
const tree = z.object({ nodes: z.array(z.object({ role: value, name: value })) });

/** Role and name of each element of `named`, as the accessibility tree has them. */
async function readNames(page: DevToolsSession, contextId: number): Promise<readonly NameInTree[]> {
  const { result } = evaluated.parse(
    await page.send('Runtime.evaluate', { expression: 'globalThis.named', contextId }),
  );
  if (result.objectId === undefined) return [];
  const listed = properties.parse(
    await page.send('Runtime.getProperties', { objectId: result.objectId, ownProperties: true }),
  );
  const elements = listed.result.filter(({ name }) => /^\d+$/.test(name));
  const names: NameInTree[] = elements.map(() => NO_NAME);
  await runForEach([...elements.entries()], NAME_LANES, async ([index, element]) => {
    if (element.value?.objectId === undefined) return;
    const { objectId } = element.value;
    const answer = await page.send('Accessibility.getPartialAXTree', { objectId, fetchRelatives: false });
    const parsed = tree.safeParse(answer);
    const node = parsed.success ? parsed.data.nodes[0] : undefined;
    if (node) names[index] = { role: toText(node.role?.value), name: toText(node.name?.value) ?? '' };
  });
  return names;
}

const toText = (given: unknown): string | null => (typeof given === 'string' ? cut(given) : null);
