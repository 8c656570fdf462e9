import * as z from 'zod';
import type { Handlers } from '../../core/engine/operation.ts';
import { asking } from './items.ts';
import { pageQuery, parsed, queryOf, wholeNumber } from './parse.ts';
import { bothFamilies } from './rows.ts';

const MAX_DESCRIPTION_CHARS = 256;
/** Clients ask for so many lines of a job's log at once. */
const MAX_LOG_LINES = 500;
const DEFAULT_LOG_LINES = 20;

const createBody = z.strictObject({ description: z.string().max(MAX_DESCRIPTION_CHARS).nullish() });
const updateBody = z.strictObject({ action: z.literal('cancel') });
const logsQuery = { ...pageQuery, per_page: wholeNumber(1, MAX_LOG_LINES, DEFAULT_LOG_LINES) };

/** Jobs, and statistics: judged here, done by the object of the instance. */
export const jobHandlers: Handlers = bothFamilies({
  stats: asking(({ instance }) => ({ do: 'stats', instance })),
  'jobs.create': asking(({ instance, call }) => {
    const { description } = parsed(createBody, call.body);
    return { do: 'jobs.create', instance, ...(typeof description === 'string' && { description }) };
  }),
  'jobs.list': asking(({ instance, call }) => {
    const { page, per_page: perPage } = queryOf(pageQuery, call);
    return { do: 'jobs.list', instance, page, perPage };
  }),
  'jobs.get': asking(({ instance, call }) => ({ do: 'jobs.get', instance, jobId: call.path['job_id'] ?? '' })),
  'jobs.update': asking(({ instance, call }) => {
    parsed(updateBody, call.body);
    return { do: 'jobs.cancel', instance, jobId: call.path['job_id'] ?? '' };
  }),
  'jobs.logs': asking(({ instance, call }) => {
    const { page, per_page: perPage } = queryOf(logsQuery, call);
    return { do: 'jobs.logs', instance, jobId: call.path['job_id'] ?? '', page, perPage };
  }),
});
