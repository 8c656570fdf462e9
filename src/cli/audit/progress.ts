import { formatSafeLine } from '../core/safe-text.ts';

const WIDTH = 24;
/** Requests a full audit usually makes; the bar is full at it and stays there. */
const EXPECTED_STEPS = 45;

type Terminal = { isTTY?: boolean; columns?: number; write: (text: string) => unknown };

/** A progress bar on one line of a terminal; silent where output is not one (pipes, CI). */
export function createProgressBar(out: Terminal): {
  step: (progress: { done: number; label: string; total?: number }) => void;
  end: () => void;
} {
  if (!out.isTTY) return { step: () => {}, end: () => {} };
  return {
    step: ({ done, label, total = EXPECTED_STEPS }) => {
      const filled = Math.min(WIDTH, Math.round((done / total) * WIDTH));
      const line = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done} read  ${formatSafeLine(label)}`;
      out.write(`\r\u001B[2K${line.slice(0, (out.columns ?? 80) - 1)}`);
    },
    end: () => out.write('\r\u001B[2K'),
  };
}
