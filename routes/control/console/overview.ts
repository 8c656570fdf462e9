import { logLine } from '../../shared/telemetry.ts';
import { type OverviewSignal, renderOverview } from '../../../src/web/console/overview.tsx';
import type { ConsoleContext, ConsolePage, ConsoleSignal } from './console-request.ts';

/** A line that is not there by then could not be looked up. */
export const SIGNAL_TIMEOUT_MS = 900;

/** `/console/`: every signal of every page, each looked up by itself. */
export const overviewPage: ConsolePage = {
  path: '/console/',
  title: 'Overview',
  show: async (c) => {
    const signals = c.pages.flatMap(({ path, signals: own = [] }) => own.map((signal) => ({ path, signal })));
    const read = await Promise.all(signals.map(({ path, signal }) => loadSignal(path, signal, c)));
    return renderOverview(read, c.now());
  },
};

async function loadSignal(
  path: string,
  { question, title, href = path, isHeadline = false, read }: ConsoleSignal,
  c: ConsoleContext,
): Promise<OverviewSignal> {
  const place = { question, title, href, isHeadline };
  const late = scheduler.wait(SIGNAL_TIMEOUT_MS).then(() => undefined);
  try {
    const signal = await Promise.race([read(c), late]);
    return signal === undefined ? { ...place, seen: false, isLate: true } : { ...place, seen: true, ...signal };
  } catch (error) {
    const { name } = error instanceof Error ? error : new Error();
    logLine({ event: 'console_signal_failed', request_id: c.requestId, route: href, title, error: name });
    return { ...place, seen: false };
  }
}
