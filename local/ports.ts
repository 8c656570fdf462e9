import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { findPortHolder } from './processes/port-holder.ts';

export const LOOPBACK = '127.0.0.1';

/** A port that something else listens on, or that we may not open. The message says what holds it, and what to do next. */
export class PortTaken extends Error {
  override name = 'PortTaken';
  readonly port: number;

  constructor(port: number, purpose: string, option: string, cause: unknown) {
    const holder = findPortHolder(port);
    const choice = `hoose another with ${option} <port>, or --port 0 for random ports.`;
    super(
      holder === undefined
        ? `Port ${port} is taken (wanted for ${purpose}). C${choice}`
        : `Port ${port} is taken (wanted for ${purpose}) by process ${holder.pid}:\n  ${holder.command}\nEnd that process, or c${choice}`,
      { cause },
    );
    this.port = port;
  }
}

/**
 * Where free ports are looked for: below the range that systems take ports of outgoing connections from. Programs that
 * run side by side have a block of it each, whose first port is the sign that it is taken, and one program goes through
 * its block in turn: a port that was given but is not open yet is not given again, to another part or to another program.
 */
const FREE_FROM = 20_000;
const BLOCKS = 40;
const BLOCK_PORTS = 300;
const MAX_FREE_TRIES = 50;
let turn = randomInt(1, BLOCK_PORTS);
let block: Promise<number> | undefined;

/**
 * Takes a block for as long as this program runs, by listening on its first port: the system ends that with the
 * program, however it ends. Where all are taken, one is shared.
 */
async function takeBlock(): Promise<number> {
  for (let tried = 0; tried < BLOCKS; tried += 1) {
    const first = FREE_FROM + ((process.pid + tried) % BLOCKS) * BLOCK_PORTS;
    if (await canBindPort(first)) return first;
  }
  return FREE_FROM + (process.pid % BLOCKS) * BLOCK_PORTS;
}

function canBindPort(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const sign = createServer((socket) => socket.destroy());
    sign.once('error', () => resolve(false)); // Taken, or not ours to open: the next one then.
    sign.listen(port, LOOPBACK, () => {
      sign.unref(); // The program ends when its work does.
      resolve(true);
    });
  });
}

async function findFreePort(): Promise<number> {
  block ??= takeBlock();
  const first = await block;
  turn = (turn % (BLOCK_PORTS - 1)) + 1;
  return first + turn;
}

/**
 * Returns `port` when it can be opened on loopback, or a free one for 0. The port is free again when this returns, so
 * anyone who opens it next must check that the answering server is its own.
 * @throws PortTaken
 */
export async function reservePort(port: number, purpose: string, option: string): Promise<number> {
  if (port !== 0) return checkPort(port, purpose, option);
  for (let tried = 1; tried < MAX_FREE_TRIES; tried += 1) {
    try {
      return await checkPort(await findFreePort(), purpose, option);
    } catch (error) {
      if (!(error instanceof PortTaken)) throw error; // Taken: the next turn finds another.
    }
  }
  return checkPort(await findFreePort(), purpose, option);
}

function checkPort(port: number, purpose: string, option: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => reject(new PortTaken(port, purpose, option, error)));
    probe.listen(port, LOOPBACK, () => probe.close(() => resolve(port)));
  });
}
