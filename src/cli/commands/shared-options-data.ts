import { formats } from '../audit/formats.ts';
import { answerTables } from '../../web/report/answers/answer-tables-data.ts';
import type { OptionRows } from './rows.ts';

const formatNames = formats.map(({ name }) => name);

/** Of every command that prints a result. */
export const outputOptions = {
  format: {
    type: 'string',
    value: '<name>',
    values: formatNames,
    description: `output format: ${formats.map(({ name, description }) => `${name} (${description})`).join(', ')}`,
  },
  json: { type: 'boolean', description: 'short for --format json; errors are JSON on standard error too' },
  output: {
    type: 'string',
    short: 'o',
    value: '<file>',
    file: 'written',
    description: 'write the result to a file',
  },
  quiet: { type: 'boolean', short: 'q', description: 'no progress and no notes on standard error' },
} as const satisfies OptionRows;

/** Formats of answers: rows for spreadsheets and programs. */
export const answerFormats = ['csv', 'jsonl'] as const;
const ANSWER_FORMATS = 'csv (answers for a spreadsheet), jsonl (answers, an object a line)';

/** Of commands that print measurements among other results. */
export const answerOutputOptions = {
  ...outputOptions,
  format: {
    ...outputOptions.format,
    values: [...formatNames, ...answerFormats],
    description: `${outputOptions.format.description}; of a measurement also ${ANSWER_FORMATS}`,
  },
  table: {
    type: 'string',
    value: '<name>',
    values: answerTables,
    description: `with csv or jsonl: one table of the answers, ${answerTables.join(', ')}`,
  },
  show: {
    type: 'string',
    value: '<which>',
    values: ['answers', 'missing'],
    description:
      'print the answers of a measurement below it, names marked: answers, or missing for those that leave the brand out',
  },
} as const satisfies OptionRows;

const ofMeasurements = formats.filter(({ name }) => name !== 'sarif' && name !== 'junit');

/** Of commands that print measurements only. */
export const measurementOutputOptions = {
  ...answerOutputOptions,
  format: {
    ...outputOptions.format,
    values: [...ofMeasurements.map(({ name }) => name), ...answerFormats],
    description: `output format: ${ofMeasurements.map(({ name, description }) => `${name} (${description})`).join(', ')}, ${ANSWER_FORMATS}`,
  },
} as const satisfies OptionRows;

/** Of commands whose results are no reports about sites. */
export const plainOutputOptions = {
  ...outputOptions,
  format: { type: 'string', value: '<name>', values: ['text', 'json'], description: 'output format: text or json' },
} as const satisfies OptionRows;

/** Of commands whose results hold scores. */
export const gateOptions = {
  'min-score': {
    type: 'string',
    value: '<points>',
    description: 'exit with 1 when a score is lower: 80 for all scores, or a list such as aeo=80,mcp=50',
  },
  baseline: {
    type: 'string',
    value: '<file>',
    file: 'read',
    description: 'exit with 1 when a check or score is worse than in this earlier JSON report or snapshot',
  },
  rubric: {
    type: 'string',
    value: '<version>',
    description: 'exit with 2 when this build scores by another rubric, such as 3 or 3.0.0',
  },
} as const satisfies OptionRows;

/** Of commands that read sightline.config.json. */
export const configOptions = {
  config: { type: 'string', value: '<file>', file: 'read', description: 'use this configuration file' },
  'no-config': { type: 'boolean', description: 'ignore sightline.config.json' },
} as const satisfies OptionRows;

/** Of commands that write a folder. */
export const folderOptions = {
  out: { type: 'string', value: '<folder>', description: 'write the generated files into this folder' },
  force: { type: 'boolean', description: 'replace files that exist' },
} as const satisfies OptionRows;

export const siteArgument = {
  name: 'url',
  description: 'address of the site; example.com is enough',
} as const;
