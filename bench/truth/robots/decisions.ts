/** Whether each agent may fetch each path: a row of 0 (no) and 1 (yes) an agent. */
export type Decisions = readonly string[];

const CODES = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Decisions as a short text: the row that most agents have, in hexadecimal, then each other row with a letter for each
 * agent that has it, as in `3f 0:ad`.
 */
export function encodeDecisions(decisions: Decisions): string {
  if (decisions.length > CODES.length) throw new Error(`No more than ${CODES.length} agents have a letter`);
  const agents = new Map<string, string>();
  for (const [index, row] of decisions.entries()) agents.set(row, (agents.get(row) ?? '') + (CODES[index] ?? ''));
  const [[most = ''] = [], ...others] = [...agents].toSorted(([, one], [, other]) => other.length - one.length);
  return [toHex(most), ...others.map(([row, letters]) => `${toHex(row)}:${letters}`)].join(' ');
}

/** @throws Error when the text is not of that form. */
export function decodeDecisions(text: string, { agents, paths }: { agents: number; paths: number }): Decisions {
  const [most = '', ...others] = text.split(' ');
  const rows = Array.from({ length: agents }, () => fromHex(most, paths));
  for (const other of others) {
    const [row = '', letters = ''] = other.split(':');
    for (const letter of letters) {
      const index = CODES.indexOf(letter);
      if (index < 0 || index >= agents) throw new Error(`${text}: no agent has the letter ${letter}`);
      rows[index] = fromHex(row, paths);
    }
  }
  return rows;
}

const toHex = (row: string): string => Number.parseInt(row, 2).toString(16);

function fromHex(text: string, paths: number): string {
  const value = Number.parseInt(text, 16);
  if (!/^[\da-f]{1,8}$/.test(text) || value >= 2 ** paths) throw new Error(`${text} is no row of ${paths} decisions`);
  return value.toString(2).padStart(paths, '0');
}
