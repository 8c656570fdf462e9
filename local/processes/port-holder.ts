import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** State of a listening socket in `/proc/net/tcp`. */
const LISTENING = '0A';
const MAX_COMMAND_CHARS = 200;
const TIMEOUT_MS = 2_000;

export type PortHolder = { pid: number; command: string };

/** The process that listens on a port of this machine; undefined where it is another user's, or the system does not say. */
export function findPortHolder(port: number): PortHolder | undefined {
  try {
    const pid = process.platform === 'linux' ? findListener(listSockets(port)) : askLsof(port);
    if (pid === undefined) return undefined;
    const command = process.platform === 'linux' ? readCommand(pid) : run('ps', ['-o', 'args=', '-p', String(pid)]);
    return { pid, command: command.trim().slice(0, MAX_COMMAND_CHARS) };
  } catch {
    return undefined; // Ended meanwhile, or not ours to look at.
  }
}

/** Inodes of the sockets that listen on a port (proc_net_tcp(5)). */
function listSockets(port: number): ReadonlySet<string> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(1));
  const sockets = lines.map((line) => line.trim().split(/\s+/));
  return new Set(
    sockets.flatMap(([, local, , state, , , , , , inode]) =>
      local !== undefined && local.endsWith(suffix) && state === LISTENING && inode !== undefined
        ? [`socket:[${inode}]`]
        : [],
    ),
  );
}

function findListener(sockets: ReadonlySet<string>): number | undefined {
  if (sockets.size === 0) return undefined;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) => listOpenFiles(pid).some((target) => sockets.has(target)));
  return found === undefined ? undefined : Number(found);
}

/** What a process has open; empty where it has ended or is another user's. */
function listOpenFiles(pid: string): string[] {
  const folder = `/proc/${pid}/fd`;
  const read = (fd: string): string[] => skipMissing(() => [readlinkSync(`${folder}/${fd}`)]);
  return skipMissing(() => readdirSync(folder)).flatMap(read);
}

function skipMissing(look: () => string[]): string[] {
  try {
    return look();
  } catch {
    return []; // Closed or ended meanwhile, or not ours to look at.
  }
}

const readCommand = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');

function askLsof(port: number): number | undefined {
  const [pid] = run('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t']).split('\n');
  return pid === undefined || pid === '' ? undefined : Number(pid);
}

const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', timeout: TIMEOUT_MS, stdio: ['ignore', 'pipe', 'ignore'] });
