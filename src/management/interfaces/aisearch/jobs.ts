import * as z from 'zod';
import type { Handlers } from '../../core/engine/operation.ts';
import { createItemHandler } from './items.ts';
import { pageQuery, parseValue, parseCallQuery, defineWholeNumber } from './parse.ts';
import { defineInstanceHandlers } from './rows.ts';

const MAX_DESCRIPTION_CHARS = 256;
/** Clients ask for so many lines of a job's log at once. */
const MAX_LOG_LINES = 500;
const DEFAULT_LOG_LINES = 20;

const createBody = z.strictObject({ description: z.string().max(MAX_DESCRIPTION_CHARS).nullish() });
const updateBody = z.strictObject({ action: z.literal('cancel') });
const logsQuery = { ...pageQuery, per_page: defineWholeNumber(1, MAX_LOG_LINES, DEFAULT_LOG_LINES) };

/** Jobs, and statistics: judged here, done by the object of the instance. */
export const jobHandlers: Handlers = defineInstanceHandlers({
  stats: createItemHandler(({ instance }) => ({ do: 'stats', instance })),
  'jobs.create': createItemHandler(({ instance, call }) => {
    const { description } = parseValue(createBody, call.body);
    return { do: 'jobs.create', instance, ...(typeof description === 'string' && { description }) };
  }),
  'jobs.list': createItemHandler(({ instance, call }) => {
    const { page, per_page: perPage } = parseCallQuery(pageQuery, call);
    return { do: 'jobs.list', instance, page, perPage };
  }),
  'jobs.get': createItemHandler(({ instance, call }) => ({
    do: 'jobs.get',
    instance,
    jobId: call.path['job_id'] ?? '',
  })),
  'jobs.update': createItemHandler(({ instance, call }) => {
    parseValue(updateBody, call.body);
    return { do: 'jobs.cancel', instance, jobId: call.path['job_id'] ?? '' };
  }),
  'jobs.logs': createItemHandler(({ instance, call }) => {
    const { page, per_page: perPage } = parseCallQuery(logsQuery, call);
    return { do: 'jobs.logs', instance, jobId: call.path['job_id'] ?? '', page, perPage };
  }),
});
