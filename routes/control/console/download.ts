import { logLine } from '../../shared/telemetry.ts';
import { buildPageHeaders } from '../../shared/page-headers.ts';
import type { ConsoleDownload } from './console-request.ts';
import { buildConsoleContext } from './show.ts';
import { type ConsoleRequest, refuseWith, type SignedIn } from './dependencies.ts';

/** Answers with a file of the registry, to be saved and never shown. */
export async function answerDownload(c: ConsoleRequest, download: ConsoleDownload, browser: SignedIn) {
  const context = buildConsoleContext(c, browser, new URL(c.req.url));
  try {
    const file = await download.read(context);
    if ('status' in file) return refuseWith(c, { ...file, code: 'nothing_to_show' });
    return c.body(file.text, 200, {
      ...buildPageHeaders(),
      'content-type': file.type,
      'content-disposition': `attachment; filename="${file.name}"`,
      'x-content-type-options': 'nosniff',
    });
  } catch (error) {
    const { name } = error instanceof Error ? error : new Error();
    logLine({ event: 'console_download_failed', request_id: context.requestId, route: download.path, error: name });
    return refuseWith(c, COULD_NOT_LOOK);
  }
}

const COULD_NOT_LOOK = {
  status: 503,
  code: 'could_not_look',
  title: 'Could not look',
  detail: 'What this file would hold could not be read now. Try again in a moment.',
} as const;
