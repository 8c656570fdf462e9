import { beforeEach, describe, expect, test } from 'vitest';
import type { EntryOrder } from '../../../../../src/management/log-store/order.ts';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { type TestTenant, testTenant } from '../../../../support/management/management.ts';
import { bodyOf, entryWorld } from '../../../log-store/entry-world.ts';

const ORG = 'organizations/1';
const APP = 'projects/app';
const CENTRAL = 'projects/central';
const AUDIT = 'cloudaudit.googleapis.com%2Factivity';

let tenant: TestTenant;
beforeEach(() => {
  tenant = testTenant();
});

const make = (name: string, parent: string, destination: string, body: JsonObject = {}): JsonObject =>
  tenant.ok('logging.sinks.create', { path: { parent }, body: { name, destination, ...body } });
/** A sink that takes what is below from the sinks there. */
const intercept = (parent: string, to = CENTRAL, body: JsonObject = {}): JsonObject =>
  make('icpt', parent, `logging.googleapis.com/${to}`, { includeChildren: true, interceptChildren: true, ...body });

/** Sinks that an entry of a container is kept or sent by, through the order and the real store. */
function sinksOf(container: string, entry: JsonObject = {}, log = 'app'): readonly string[] {
  tenant.handed.length = 0;
  tenant.ok('logging.entries.write', { body: { containers: [container] } });
  const [order] = tenant.handed as Extract<EntryOrder, { do: 'write' }>[];
  const { write, placed } = entryWorld();
  const body = { logName: `${container}/logs/${log}`, resource: { type: 'global' }, entries: [entry] };
  expect(bodyOf(write(body, { ...order }))).toEqual({});
  return placed.map(({ sink }) => sink);
}

describe('what an intercepting sink takes', () => {
  test('is kept by the project that it sends to, not by the one it came from', () => {
    intercept(ORG);
    expect(sinksOf(APP)).toEqual(['projects/central/sinks/_Default']);
  });

  test('is kept once where it was written in that project itself', () => {
    intercept(ORG);
    expect(sinksOf(CENTRAL)).toEqual(['projects/central/sinks/_Default']);
  });

  test('reaches every sink of that project, but by no further hop', () => {
    intercept(ORG);
    make('archive', CENTRAL, 'storage.googleapis.com/archive');
    make('on', CENTRAL, 'logging.googleapis.com/projects/other');
    expect(sinksOf(APP)).toEqual(['projects/central/sinks/_Default', 'projects/central/sinks/archive']);
  });

  test('reaches the sinks of the organization, but not those of folders and projects', () => {
    intercept(ORG);
    const body = { includeChildren: true };
    make('all', ORG, 'storage.googleapis.com/of-org', body);
    make('all', 'folders/2', 'storage.googleapis.com/of-folder', body);
    make('own', APP, 'storage.googleapis.com/of-app');
    expect(sinksOf(APP)).toEqual(['organizations/1/sinks/all', 'projects/central/sinks/_Default']);
  });

  test('leaves what it does not take, and what is excluded from it, to the sinks below', () => {
    const exclusions = [{ name: 'probes', filter: 'textPayload:probe -- not these' }];
    intercept(ORG, CENTRAL, { filter: 'severity>=ERROR -- the bad ones', exclusions });
    expect(sinksOf(APP, { severity: 'INFO' })).toEqual(['projects/app/sinks/_Default']);
    expect(sinksOf(APP, { severity: 'ERROR' })).toEqual(['projects/central/sinks/_Default']);
    expect(sinksOf(APP, { severity: 'ERROR', textPayload: 'probe' })).toEqual(['projects/app/sinks/_Default']);
  });

  test('leaves _Required what it takes', () => {
    intercept(ORG);
    expect(sinksOf(APP, {}, AUDIT)).toEqual(['projects/app/sinks/_Required', 'projects/central/sinks/_Required']);
  });

  test('is not lost where a second one below would take it as well', () => {
    intercept('folders/2', 'projects/second');
    intercept(ORG);
    expect(sinksOf(APP)).toEqual(['projects/central/sinks/_Default']);
  });

  test('is not lost between two folders, which are below each other', () => {
    intercept('folders/2', 'projects/two');
    intercept('folders/3', 'projects/three');
    expect(sinksOf(APP)).toEqual(['projects/two/sinks/_Default']);
  });

  test('is not lost on its way from a project to another that is below an intercepting sink', () => {
    make('to-app', 'billingAccounts/0A-1', `logging.googleapis.com/${APP}`);
    intercept('folders/2');
    expect(sinksOf('billingAccounts/0A-1')).toEqual([
      'billingAccounts/0A-1/sinks/_Default',
      'projects/app/sinks/_Default',
    ]);
  });
});

test('a disabled sink intercepts nothing', () => {
  intercept(ORG, CENTRAL, { disabled: true });
  expect(sinksOf(APP)).toEqual(['projects/app/sinks/_Default']);
});

describe('K9: the sinks that a write is told of', () => {
  const long = (chars: number): string => `textPayload:"${'x'.repeat(chars)}"`;
  const refusedSink = (parent: string, body: JsonObject): string =>
    tenant.refused('logging.sinks.create', { path: { parent }, body: { name: 'more', ...body } });
  const orderOf = (containers: string[]) => {
    tenant.handed.length = 0;
    tenant.ok('logging.entries.write', { body: { containers } });
    return JSON.stringify(tenant.handed);
  };

  test('stand in its order once, however many they are of', () => {
    intercept(ORG, CENTRAL, { filter: long(9_900) });
    for (let at = 0; at < 10; at += 1) make(`s${at}`, APP, 'storage.googleapis.com/archive');
    expect(orderOf([APP, CENTRAL, 'projects/q']).length).toBeLessThan(20_000);
  });

  test.each([APP, ORG])('of %s have 200,000 characters', (parent) => {
    for (let at = 0; at < 10; at += 1)
      make(`s${at}`, parent, 'storage.googleapis.com/archive', { filter: long(19_000) });
    expect(refusedSink(parent, { destination: 'storage.googleapis.com/archive', filter: long(19_000) })).toBe(
      '429 limitExceeded: The filters of all sinks together are too long',
    );
  });

  test('that include children have as many, of all organizations and folders', () => {
    const body = { destination: 'storage.googleapis.com/archive', filter: long(19_000), includeChildren: true };
    for (let at = 0; at < 10; at += 1) make('s', `folders/${at}`, body.destination, body);
    expect(refusedSink('folders/10', body)).toMatch(/^429 limitExceeded: The filters/);
  });

  test('of one container send to ten other projects', () => {
    for (let at = 0; at < 10; at += 1) make(`s${at}`, APP, `logging.googleapis.com/projects/q${at}`);
    make('again', APP, 'logging.googleapis.com/projects/q1');
    expect(refusedSink(APP, { destination: 'logging.googleapis.com/projects/q10' })).toBe(
      '429 limitExceeded: Sinks send to at most 10 other projects',
    );
  });

  test('of one project and all that it sends to always fit; a call that names too many is refused', () => {
    const fill = (parent: string): void => {
      for (let at = 0; at < 10; at += 1)
        make(`f${at}`, parent, 'storage.googleapis.com/archive', { filter: long(18_000) });
    };
    const projects = Array.from({ length: 40 }, (_, at) => `projects/q${at}`);
    for (const each of [APP, ...projects]) fill(each);
    for (let at = 0; at < 10; at += 1) {
      make(`hop${at}`, APP, `logging.googleapis.com/projects/q${at}`);
      make(`hop${at}`, ORG, `logging.googleapis.com/projects/q${at + 10}`, { includeChildren: true });
    }
    expect(orderOf([APP]).length).toBeLessThan(6_500_000);
    expect(tenant.refused('logging.entries.write', { body: { containers: projects } })).toBe(
      '429 limitExceeded: The sinks of these logs are too long together: write to fewer projects',
    );
  });
});

describe('what waits for the web address of a sink', () => {
  const name = { path: { sinkName: `${APP}/sinks/hook` } };
  const gone = [{ do: 'sinkGone', sink: `${APP}/sinks/hook` }];
  const patch = (updateMask: string, body: JsonObject) =>
    tenant.ok('logging.projects.sinks.patch', { ...name, query: { updateMask }, body });
  beforeEach(() => {
    make('hook', APP, 'https://hooks.example.net/logs');
  });

  test('is dropped with the sink', () => {
    expect(tenant.ok('logging.projects.sinks.delete', name)).toEqual({});
    expect(tenant.handed).toEqual(gone);
  });

  test.each<[string, JsonObject]>([
    ['destination', { destination: 'https://hooks.example.net/other' }],
    ['destination', { destination: 'storage.googleapis.com/archive' }],
    ['disabled', { disabled: true }],
  ])('is dropped as its %s becomes %j', (mask, body) => {
    patch(mask, body);
    expect(tenant.handed).toEqual(gone);
  });

  test('stays while another part of it changes', () => {
    patch('description,filter', { description: 'd', filter: 'severity>=ERROR' });
    expect(tenant.handed).toEqual([]);
  });

  test('is not there where it has none', () => {
    make('file', APP, 'storage.googleapis.com/archive');
    tenant.ok('logging.projects.sinks.delete', { path: { sinkName: `${APP}/sinks/file` } });
    expect(tenant.handed).toEqual([]);
  });
});
