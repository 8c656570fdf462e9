import type { SchemaField, Schemas } from '../../core/table/method-row.ts';

const text: SchemaField = { type: 'string' };
const whole: SchemaField = { type: 'integer' };
const flag: SchemaField = { type: 'boolean' };
const object = (ref: string): SchemaField => ({ type: 'object', ref });
const list = (items: SchemaField): SchemaField => ({ type: 'array', items });

const place = { line: whole, column: whole };
const shared = {
  environmentGroups: list(object('EnvironmentGroup')),
  proposals: list(object('Proposal')),
  notes: list(object('Note')),
  problems: list(object('Problem')),
};

/** What the answers of the hybrid methods have, by which `fields` is judged. */
export const hybridSchemas: Schemas = {
  Check: { version: text, isFragment: flag, ok: flag, problems: shared.problems },
  Migration: { version: text, isFragment: flag, changed: flag, overrides: text, diff: text, ...shared },
  Plan: {
    from: text,
    to: text,
    org: text,
    dryRun: text,
    platform: text,
    groups: shared.environmentGroups,
    proposals: shared.proposals,
    notes: shared.notes,
    problems: shared.problems,
    variables: list(object('Variable')),
    steps: list(object('Step')),
    text,
    markdown: text,
  },
  Problem: { ...place, code: text, severity: text, message: text, fix: text },
  Note: { ...place, key: text, message: text },
  Proposal: { key: text, value: text, flag: text, reason: text, isGiven: flag },
  EnvironmentGroup: {
    group: text,
    hostnames: list(text),
    environments: list(text),
    basePaths: { type: 'object', values: list(text) },
  },
  Variable: { name: text, meaning: text, example: text },
  Step: {
    number: whole,
    id: text,
    title: text,
    why: text,
    commands: list(object('Command')),
    check: object('StepCheck'),
    undo: list(object('Command')),
    isPointOfNoReturn: flag,
  },
  StepCheck: { commands: list(object('Command')), expect: text },
  Command: { command: text, text },
};
