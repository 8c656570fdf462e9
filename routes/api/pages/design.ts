import type { Hono } from 'hono';
import type { AppEnv, AppOptions } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { showPage } from './pages.ts';

/** `GET /design`: every part of the pages in every state, where the entry has such a page. Entries that are deployed have none. */
export function registerDesignRoute(app: Hono<AppEnv>, { renderDesign }: AppOptions): void {
  if (renderDesign === undefined) return;
  app.get('/design', guardFreeRoute, (c) => showPage(c, renderDesign(c.get('language')), { script: true }));
}
