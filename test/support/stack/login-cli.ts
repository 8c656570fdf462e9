import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

export type Ended = { status: number | null; out: string; err: string };

/** Runs the built command line with its tokens below `folder`; `onUrl` gets the address that a person would open. */
export function sightlineIn(
  folder: string,
  args: readonly string[],
  onUrl: (url: URL) => unknown = () => undefined,
): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { PATH: '/nowhere', XDG_CONFIG_HOME: folder };
    const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err, isOpened] = ['', '', false];
    child.stdout.on('data', (text: Buffer) => void (out += text.toString()));
    child.stderr.on('data', (text: Buffer) => {
      err += text.toString();
      const [, address] = /Sign in at\n {2}(\S+)\n/.exec(err) ?? [];
      if (address === undefined || isOpened) return;
      isOpened = true;
      void onUrl(new URL(address));
    });
    child.on('close', (status) => resolve({ status, out, err }));
  });
}
