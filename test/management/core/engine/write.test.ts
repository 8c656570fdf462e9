import { describe, expect, test } from 'vitest';
import { patchBody, replaceBody, selectWritable } from '../../../../src/management/core/engine/write.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { requireMethod } from '../../../../src/management/core/table/method-row.ts';

const json = (text: string): JsonObject => JSON.parse(text) as JsonObject; // As a body comes: with own `__proto__`.

const BUILDING = {
  buildingId: 'b',
  buildingName: 'Main',
  description: 'The old one',
  floorNames: ['1', '2', '3'],
  address: { regionCode: 'CH', locality: 'Bern', addressLines: ['Gasse 1', 'Hof'] },
};
const patchBuilding = (sent: JsonObject) =>
  patchBody('Building', BUILDING, sent, requireMethod('directory.resources.buildings.patch'));
const putBuilding = (sent: JsonObject) =>
  replaceBody('Building', BUILDING, sent, requireMethod('directory.resources.buildings.update'));

const PREFERENCE = {
  service: 's.example',
  quotaConfig: { preferredValue: '5', grantedValue: '4', annotations: { team: 'a', cost: 'b' } },
  createTime: '2026-01-01T00:00:00Z',
  ourOwn: 'kept by the interface for itself',
};
const QUOTA_PATCH = requireMethod('cloudquotas.projects.locations.quotaPreferences.patch');

describe('PATCH', () => {
  test.each([
    ['keeps what is not sent', { description: 'New' }, { ...BUILDING, description: 'New' }],
    ['replaces a list whole', { floorNames: ['9'] }, { ...BUILDING, floorNames: ['9'] }],
    ['empties a list', { floorNames: [] }, { ...BUILDING, floorNames: [] }],
    [
      'merges objects',
      { address: { locality: 'Thun' } },
      { ...BUILDING, address: { ...BUILDING.address, locality: 'Thun' } },
    ],
    [
      'replaces a list in an object whole',
      { address: { addressLines: ['Weg 2'] } },
      { ...BUILDING, address: { ...BUILDING.address, addressLines: ['Weg 2'] } },
    ],
    ['drops what no schema knows', { colour: 'red' }, BUILDING],
    ['drops kind and etag', { kind: 'x', etag: '"y"' }, BUILDING],
  ] as const)('%s', (_, sent, after) => {
    expect(patchBuilding(sent as unknown as JsonObject)).toEqual(after);
  });

  test('clears by null, also within an object', () => {
    expect(patchBuilding({ description: null, address: { locality: null } })).toEqual({
      buildingId: 'b',
      buildingName: 'Main',
      floorNames: ['1', '2', '3'],
      address: { regionCode: 'CH', addressLines: ['Gasse 1', 'Hof'] },
    });
  });

  test('makes an object that was not there, without the nulls in it', () => {
    const row = requireMethod('directory.resources.buildings.patch');
    const sent = { address: { locality: 'Bern', regionCode: null } };
    expect(patchBody('Building', { buildingId: 'b' }, sent, row)).toEqual({
      buildingId: 'b',
      address: { locality: 'Bern' },
    });
  });

  test('leaves what was there as it was', () => {
    const before = structuredClone(BUILDING);
    patchBuilding({ floorNames: ['9'], address: { locality: null } });
    expect(BUILDING).toEqual(before);
  });

  test('ignores fields that only the server sets, at any depth, and keeps theirs', () => {
    const sent = { createTime: '1999-01-01T00:00:00Z', quotaConfig: { grantedValue: '99', preferredValue: '6' } };
    expect(patchBody('QuotaPreference', PREFERENCE, sent, QUOTA_PATCH)).toEqual({
      ...PREFERENCE,
      quotaConfig: { ...PREFERENCE.quotaConfig, preferredValue: '6' },
    });
    const cleared = patchBody(
      'QuotaPreference',
      PREFERENCE,
      { createTime: null, quotaConfig: { grantedValue: null } },
      QUOTA_PATCH,
    );
    expect(cleared).toEqual(PREFERENCE);
  });

  test('merges maps key by key, and clears a key by null', () => {
    const sent = { quotaConfig: { annotations: { cost: null, plan: 'c' } } };
    expect(patchBody('QuotaPreference', PREFERENCE, sent, QUOTA_PATCH)['quotaConfig']).toEqual({
      preferredValue: '5',
      grantedValue: '4',
      annotations: { team: 'a', plan: 'c' },
    });
  });

  test('keeps a value of type any whole: nothing of the old one stays', () => {
    const before = { notes: { value: 'old', contentType: 'text_plain' } };
    const row = requireMethod('directory.users.patch');
    expect(patchBody('User', before, { notes: { value: 'new', more: null } }, row)).toEqual({
      notes: { value: 'new', more: null },
    });
  });

  test('merges custom fields schema by schema and field by field', () => {
    const before = { customSchemas: { Work: { badge: '1', level: 2 }, Home: { pet: 'cat' } } };
    const sent = { customSchemas: { Work: { level: 3, badge: null }, Home: null } };
    expect(patchBody('User', before, sent, requireMethod('directory.users.patch'))).toEqual({
      customSchemas: { Work: { level: 3 } },
    });
  });
});

describe('PUT', () => {
  test('clears what is not sent', () => {
    const sent = { buildingId: 'b', buildingName: 'New', floorNames: ['1'] };
    expect(putBuilding(sent)).toEqual(sent);
  });

  test('replaces an object whole', () => {
    const sent = { buildingId: 'b', buildingName: 'New', floorNames: ['1'], address: { regionCode: 'CH' } };
    expect(putBuilding(sent)).toEqual(sent);
  });

  test('ignores and keeps what only the server sets, at any depth, and what an interface keeps for itself', () => {
    const sent = { service: 't.example', createTime: '1999', quotaConfig: { preferredValue: '7', grantedValue: '99' } };
    expect(replaceBody('QuotaPreference', PREFERENCE, sent, QUOTA_PATCH)).toEqual({
      service: 't.example',
      createTime: '2026-01-01T00:00:00Z',
      ourOwn: 'kept by the interface for itself',
      quotaConfig: { preferredValue: '7', grantedValue: '4' },
    });
  });

  test('refuses without what the method requires, and names it', () => {
    const row = requireMethod('directory.schemas.update');
    const before = { schemaName: 'S', fields: [{ fieldName: 'f', fieldType: 'STRING' }] };
    expect(() => replaceBody('Schema', before, { displayName: 'T' }, row)).toThrow('Missing required field: fields');
  });
});

describe('a new resource', () => {
  const insertUser = (sent: JsonObject) => selectWritable('User', sent, requireMethod('directory.users.insert'));

  test('is what was sent without nulls, unknown fields and those that only the server sets', () => {
    const sent = {
      primaryEmail: 'a@example.com',
      password: 'x',
      isAdmin: true,
      customerId: 'C9',
      suspended: null,
      odd: 1,
    };
    expect(insertUser({ ...sent, name: { givenName: 'A', familyName: 'B', displayName: null } })).toEqual({
      primaryEmail: 'a@example.com',
      password: 'x',
      name: { givenName: 'A', familyName: 'B' },
    });
  });

  test.each([
    [{}, 'Missing required field: name'],
    [{ name: null, password: 'x', primaryEmail: 'a@example.com' }, 'Missing required field: name'],
    [
      { name: { givenName: 'A' }, password: 'x', primaryEmail: 'a@example.com' },
      'Missing required field: name.familyName',
    ],
    [{ name: { givenName: '', familyName: 'B' }, password: 'x' }, 'Missing required field: name.givenName'],
    [{ name: { givenName: 'A', familyName: 'B' }, primaryEmail: 'a@example.com' }, 'Missing required field: password'],
  ])('%j is refused: %s', (sent, message) => {
    expect(() => insertUser(sent as JsonObject)).toThrow(message);
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('cannot be given a field %s', (name) => {
    const sent = json(
      `{"buildingId":"b","buildingName":"n","floorNames":["1"],"${name}":{"polluted":true},"address":{"regionCode":"CH","${name}":{"polluted":true}}}`,
    );
    const row = requireMethod('directory.resources.buildings.insert');
    const body = selectWritable('Building', sent, row);
    expect(Object.keys(body)).toEqual(['buildingId', 'buildingName', 'floorNames', 'address']);
    expect(Object.keys(body['address'] ?? {})).toEqual(['regionCode']);
    expect(Object.keys(patchBuilding(sent))).toEqual(Object.keys(BUILDING));
    expect(Object.getPrototypeOf(patchBuilding(sent))).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('may name a key of a map like a prototype, and that is all it is', () => {
    const sent = json('{"customSchemas":{"__proto__":{"polluted":"yes"}}}');
    const body = patchBody('User', {}, sent, requireMethod('directory.users.patch'));
    expect(JSON.stringify(body)).toBe('{"customSchemas":{"__proto__":{"polluted":"yes"}}}');
    expect(Object.getPrototypeOf(body['customSchemas'])).toBe(Object.prototype);
  });
});
