import { type ChildProcess, spawn } from 'node:child_process';
import { constants, rmSync } from 'node:fs';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import {
  connectDevTools,
  DEAD_PROXY,
  type DevToolsChannel,
  type OpenBrowser,
  openIsolatedPage,
  PROXY_BYPASS,
} from '../../audit/rendered/gather/devtools.ts';

/** Names of the program, in the order in which they are looked for on the path. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'headless_shell'];
const USUAL_FOLDERS = ['/usr/bin', '/usr/local/bin', '/Applications/Google Chrome.app/Contents/MacOS'];

/** What a browser without a way out is started with: names resolve to nothing, and the proxy is none. */
const FLAGS = [
  '--headless=new',
  '--remote-debugging-pipe',
  `--proxy-server=${DEAD_PROXY}`,
  `--proxy-bypass-list=${PROXY_BYPASS}`,
  '--host-resolver-rules=MAP * ~NOTFOUND',
  // The first is today's name, the second that of older versions: without it WebRTC sends UDP past every proxy.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--no-pings',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-breakpad',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--block-new-web-contents',
  '--deny-permission-prompts',
  '--no-first-run',
  '--no-default-browser-check',
  '--password-store=basic',
  '--use-mock-keychain',
  '--mute-audio',
  '--hide-scrollbars',
  '--renderer-process-limit=4',
  '--js-flags=--max-old-space-size=256',
  '--enable-features=WebMCP',
  '--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,MediaRouter,OptimizationHints,Translate,SpareRendererForSitePerProcess,IsolateSandboxedIframes',
] as const;

/** How long a browser may take to end by itself. */
const CLOSE_MS = 2_000;
/** The longest message of the protocol: a page of 3 million characters, escaped. */
const MAX_MESSAGE_CHARS = 64 * 1024 * 1024;

export const HOW_TO_INSTALL =
  'Install Chromium (Debian: apt-get install chromium; elsewhere: npm install playwright-core && npx playwright-core install chromium), or name one in the variable CHROMIUM.';

/**
 * The Chromium of this machine: that of the variable CHROMIUM alone where it is set, else the first on the path, else
 * the one that playwright-core has installed, where that package is there.
 */
export async function findChromium(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const named = env['CHROMIUM'];
  if (named !== undefined && named !== '') return (await isProgram(named)) ? named : undefined;
  const folders = [...(env['PATH'] ?? '').split(delimiter), ...USUAL_FOLDERS].filter((folder) => folder !== '');
  for (const name of [...NAMES, 'Google Chrome'])
    for (const folder of folders) if (await isProgram(join(folder, name))) return join(folder, name);
  const installed = await findInstalledByPlaywright();
  return installed !== undefined && (await isProgram(installed)) ? installed : undefined;
}

async function findInstalledByPlaywright(): Promise<string | undefined> {
  try {
    const { chromium } = await import('playwright-core');
    return chromium.executablePath();
  } catch {
    return undefined; // The package is not there, and need not be.
  }
}

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** What a browser was started as, for whom speaks its protocol. */
export type StartedBrowser = { channel: DevToolsChannel; pid: number; close: () => Promise<void> };

/**
 * Starts a browser with a new profile, spoken to over a pipe: no port is open, and it ends when this process does.
 * @throws Error when the program cannot be started
 */
export async function startBrowser(path: string): Promise<StartedBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'sightline-browser-'));
  // Root has no sandbox to use: its user namespaces are refused.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const child = spawn(path, [...FLAGS, ...sandbox, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    detached: true, // A group of its own, so that every process of it can be ended.
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const forget = () => rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
  } catch (error) {
    await forget();
    throw error;
  }
  const channel = openPipe(child, ended);
  const leave = (): void => {
    endGroup(child);
    rmSync(profile, { recursive: true, force: true });
  };
  process.once('exit', leave);
  return {
    channel,
    pid: child.pid ?? 0,
    async close() {
      channel.send(JSON.stringify({ id: 0, method: 'Browser.close' }));
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
      endGroup(child);
      await ended;
      process.off('exit', leave);
      await forget();
    },
  };
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Messages over the pipe end with a zero byte. */
function openPipe(child: ChildProcess, ended: Promise<void>): DevToolsChannel {
  const input = child.stdio[3] as Writable; // Holds because `stdio` asks for both pipes.
  const output = child.stdio[4] as Readable;
  let listener: (text: string) => void = () => undefined;
  let rest = '';
  input.on('error', () => undefined); // The browser is gone: its end is heard by `ended`.
  output.on('error', () => undefined);
  output.setEncoding('utf8');
  output.on('data', (piece: string) => {
    const parts = (rest + piece).split('\0');
    rest = parts.pop() ?? '';
    if (rest.length > MAX_MESSAGE_CHARS) return endGroup(child);
    for (const part of parts) listener(part);
  });
  return {
    send: (text) => input.write(`${text}\0`),
    onMessage(given) {
      listener = given;
    },
    onClose(given) {
      ended.then(given, given);
    },
  };
}

/** Opens the Chromium of this machine for one look. */
export function createLocalBrowser(env: NodeJS.ProcessEnv): OpenBrowser {
  return async () => {
    const path = await findChromium(env);
    if (path === undefined) return { ok: false, detail: `There is no browser here. ${HOW_TO_INSTALL}` };
    try {
      const { channel, close } = await startBrowser(path);
      const session = connectDevTools(channel);
      return { ok: true, opened: { browser: session(''), openPage: () => openIsolatedPage(session), close } };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      return { ok: false, detail: `The browser could not be started (${code}). ${HOW_TO_INSTALL}` };
    }
  };
}
