import type { ReadLine } from '../record.ts';
import { createAlbReader } from './alb.ts';
import { createCloudFrontReader } from './cloudfront.ts';
import { createCombinedReader } from './combined.ts';
import {
  createCaddyReader,
  createCloudflareReader,
  createNginxJsonReader,
  createVercelReader,
} from './json-readers.ts';
import type { LogFormat } from './formats-data.ts';

/**
 * A reader of each format, made anew for each file. Where two read as many lines of a beginning, the first is taken: the
 * general ones come last.
 */
export const readerMakers: Readonly<Record<LogFormat, () => ReadLine>> = {
  combined: createCombinedReader,
  cloudfront: createCloudFrontReader,
  alb: createAlbReader,
  cloudflare: createCloudflareReader,
  caddy: createCaddyReader,
  vercel: createVercelReader,
  'nginx-json': createNginxJsonReader,
};
