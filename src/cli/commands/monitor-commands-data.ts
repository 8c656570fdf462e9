import type { CommandRow, OptionRow, OptionRows } from './rows.ts';
import { plainOutputOptions } from './shared-options-data.ts';

const text = (value: string, description: string) => ({ type: 'string', value, description }) as const;
const texts = (value: string, description: string) =>
  ({ type: 'string', multiple: true, value, description: `${description}; may be given several times` }) as const;

/** Of every action of `monitor`. */
export const monitorOptions = {
  base: text('<url>', 'the service (default: SIGHTLINE_BASE_URL, or the local stack)'),
  token: text(
    '<token>',
    'the token of one monitor, or of an account (or in SIGHTLINE_TOKEN, which other users cannot see)',
  ),
  ...plainOutputOptions,
} as const satisfies OptionRows;

const monitorArgument = { name: 'id', description: 'id of the monitor' } as const;
const every = {
  type: 'string',
  value: '<interval>',
  values: ['daily', 'weekly', 'monthly'],
  description: 'how often: daily, weekly or monthly (default: daily)',
} as const satisfies OptionRow;

/** Monitors of an account at a service. */
export const monitorCommand = {
  group: 'service',
  summary: 'watch sites and brands at a service',
  arguments: [],
  options: monitorOptions,
  actions: {
    create: {
      summary: 'watch a site or a brand from now on, paid from credits',
      arguments: [{ name: 'url', description: 'address of the site', optional: true }],
      options: {
        brand: text('<name>', 'watch this brand in AI answers instead of a site'),
        niche: text('<text>', 'its market, such as "help desk software"'),
        competitor: texts('<url>', 'a site to audit in the same run'),
        every,
        at: text('<hh:mm>', 'the time of day'),
        cron: text('<fields>', 'five cron fields instead of --every'),
        'time-zone': text('<name>', 'of these times, such as Europe/Berlin (default: UTC)'),
        name: text('<text>', 'the name of the monitor'),
        webhook: texts('<url>', 'post alerts there, signed by Standard Webhooks'),
        slack: texts('<url>', 'an incoming webhook of Slack'),
        teams: texts('<url>', 'an incoming webhook of Teams'),
        email: texts('<address>', 'mail alerts there, once its owner pressed the link in the first mail'),
        feed: { type: 'boolean', description: 'an Atom feed at a secret address' },
        body: {
          ...text('<file>', 'the whole monitor as JSON, with rules and quiet hours, instead of the other options'),
          file: 'read',
        },
      },
    },
    list: {
      summary: 'list monitors',
      arguments: [],
      options: {
        limit: text('<n>', 'rows on a page'),
        page: text('<cursor>', 'the next page, as the last one names it'),
      },
    },
    show: { summary: 'show a monitor, its runs and alerts', arguments: [monitorArgument], options: {} },
    pause: { summary: 'pause a monitor', arguments: [monitorArgument], options: {} },
    resume: { summary: 'let a paused monitor go on', arguments: [monitorArgument], options: {} },
    run: { summary: 'run a monitor now, paid from credits', arguments: [monitorArgument], options: {} },
    delete: { summary: 'delete a monitor with its history', arguments: [monitorArgument], options: {} },
  },
  examples: [
    { run: 'sightline monitor create example.com --every weekly --feed', does: 'watch a site' },
    { run: 'sightline monitor show mon_0123456789abcdef01234567', does: 'its runs and alerts' },
  ],
  notes: ['Sign in once with sightline login --monitors. The token of one monitor opens that monitor alone.'],
  exits: { 1: 'the call was refused' },
} as const satisfies CommandRow;
