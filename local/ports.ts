import { createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';

/** A port that something else listens on, or that we may not open. The message tells the person at the keyboard what to do. */
export class PortTaken extends Error {
  override name = 'PortTaken';
  readonly port: number;

  constructor(port: number, purpose: string, option: string, cause: unknown) {
    super(
      `Port ${port} is taken (wanted for ${purpose}). Choose another with ${option} <port>, or --port 0 for random ports.`,
      { cause },
    );
    this.port = port;
  }
}

/**
 * Returns `port` when it can be opened on loopback, or a free one for 0. The port is free again when this returns, so
 * whoever opens it next must check that the answering server is its own.
 * @throws PortTaken
 */
export function freePort(port: number, purpose: string, option: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => reject(new PortTaken(port, purpose, option, error)));
    probe.listen(port, LOOPBACK, () => {
      const address = probe.address();
      probe.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('a TCP server has a numeric address'));
        else resolve(address.port);
      });
    });
  });
}
