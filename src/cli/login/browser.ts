import { spawn } from 'node:child_process';

/** The command that opens a URL, by platform. `{}` stands for the URL. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open', '{}'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler', '{}'],
};
const OTHERWISE = ['xdg-open', '{}'] as const;

/** The program that opens `url` in a browser, with its arguments: the URL is one argument and no shell ever reads it (C18). */
export function browserCommand(url: URL, platform: NodeJS.Platform): { program: string; args: readonly string[] } {
  const [program, ...args] = openers[platform] ?? OTHERWISE;
  return { program, args: args.map((arg) => (arg === '{}' ? url.href : arg)) };
}

/** Opens the browser if there is one; the user has the URL on the screen in any case. */
export function openBrowser(url: URL): void {
  const { program, args } = browserCommand(url, process.platform);
  const child = spawn(program, args, { shell: false, detached: true, stdio: 'ignore' });
  child.on('error', () => undefined); // No such program: the printed URL serves.
  child.unref();
}
