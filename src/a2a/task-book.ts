import * as z from 'zod';
import { createTables, type Sql } from '../lib/sqlite.ts';
import { MAX_OPEN_TASKS_OF_NETWORK, MAX_TASKS_CLEARED, MAX_TASKS_OF_SHARD } from './protocol.ts';
import { type AgentTask, agentTask, computeExpiry, isOver, wakeTask } from './task.ts';

const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS tasks (
    id TEXT PRIMARY KEY, task TEXT NOT NULL, network TEXT NOT NULL, expires_ms INTEGER NOT NULL
  )`,
  'CREATE INDEX IF NOT EXISTS tasks_network ON tasks (network)',
  'CREATE INDEX IF NOT EXISTS tasks_expiry ON tasks (expires_ms)',
];

const countSchema = z.object({ n: z.number() });
const rowSchema = z.object({ task: z.string() });
const expirySchema = z.object({ at: z.number().nullable() });

export type TaskBook = ReturnType<typeof openTaskBook>;

/** Instead of a network: a task that was sold, and one that ended without a sale. No network is called so. */
const SOLD = '';
const UNSOLD = '-';

const selectOwner = ({ status }: AgentTask, network: string): string => {
  if (!isOver(status.state)) return network;
  return status.state === 'completed' ? SOLD : UNSOLD;
};

/** The tasks of a shard. `network` is who began a task, and is there until it is over: it is what limits count by. */
export function openTaskBook(sql: Sql, now: () => number) {
  const run = createTables(sql, SCHEMA);
  const count = (where: string, ...bindings: string[]): number =>
    countSchema.parse(run(`SELECT count(*) AS n FROM tasks ${where}`, ...bindings)[0]).n;
  const read = (id: string): AgentTask | undefined => {
    const [row] = run('SELECT task FROM tasks WHERE id = ? AND expires_ms > ?', id, now());
    return row === undefined ? undefined : wakeTask(agentTask.parse(JSON.parse(rowSchema.parse(row).task)), now());
  };
  const clearUnsold = (): void =>
    void run(
      'DELETE FROM tasks WHERE id IN (SELECT id FROM tasks WHERE network = ? ORDER BY expires_ms LIMIT ?)',
      UNSOLD,
      MAX_TASKS_CLEARED,
    );
  return {
    create(task: AgentTask, network: string): boolean {
      run('DELETE FROM tasks WHERE expires_ms <= ?', now());
      if (count('WHERE network = ?', network) >= MAX_OPEN_TASKS_OF_NETWORK) return false;
      if (count('') >= MAX_TASKS_OF_SHARD) clearUnsold();
      if (count('') >= MAX_TASKS_OF_SHARD) return false;
      const owner = selectOwner(task, network);
      run('INSERT INTO tasks VALUES (?, ?, ?, ?)', task.id, JSON.stringify(task), owner, computeExpiry(task));
      return true;
    },
    read,
    /** Changes a task in one step; undefined when there is none. */
    change(id: string, step: (task: AgentTask) => AgentTask): AgentTask | undefined {
      const task = read(id);
      if (task === undefined) return undefined;
      const changed = step(task);
      const text = JSON.stringify(changed);
      if (isOver(changed.status.state))
        run(
          'UPDATE tasks SET task = ?, expires_ms = ?, network = ? WHERE id = ?',
          text,
          computeExpiry(changed),
          selectOwner(changed, ''),
          id,
        );
      else run('UPDATE tasks SET task = ?, expires_ms = ? WHERE id = ?', text, computeExpiry(changed), id);
      return changed;
    },
    forgetExpired: (): void => void run('DELETE FROM tasks WHERE expires_ms <= ?', now()),
    /** When the next task expires; undefined when there is none. */
    nextExpiry: (): number | undefined =>
      expirySchema.parse(run('SELECT min(expires_ms) AS at FROM tasks')[0]).at ?? undefined,
  };
}
