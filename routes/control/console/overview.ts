import { renderOverview, type OverviewTile } from '../../../src/web/console/overview.tsx';
import { logLine } from '../../shared/telemetry.ts';
import type { ConsoleContext, ConsolePage } from './console-request.ts';

/** A tile that is not there by then could not be looked up. */
export const TILE_TIMEOUT_MS = 5_000;

type TiledPage = ConsolePage & { tile: NonNullable<ConsolePage['tile']> };

/** `/console/`: a tile of every page that has one, each looked up by itself. */
export const overviewPage: ConsolePage = {
  path: '/console/',
  title: 'Overview',
  show: async (c) => renderOverview(await Promise.all(c.pages.filter(isTiled).map((page) => loadTile(page, c)))),
};

const isTiled = (page: ConsolePage): page is TiledPage => page.tile !== undefined;

async function loadTile({ path: href, title, tile }: TiledPage, c: ConsoleContext): Promise<OverviewTile> {
  const late = scheduler.wait(TILE_TIMEOUT_MS).then(() => undefined);
  try {
    const seen = await Promise.race([tile(c), late]);
    return seen === undefined ? { href, title, seen: false } : { href, seen: true, ...seen };
  } catch (error) {
    const { name } = error instanceof Error ? error : new Error();
    logLine({ event: 'console_tile_failed', request_id: c.requestId, route: href, error: name });
    return { href, title, seen: false };
  }
}
