import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MethodRow, methods } from '../../../../src/management/core/table/method-row.ts';
import { match, parseTemplate, createMethodRouter } from '../../../../src/management/core/table/router.ts';

/** A path of the row: every free segment is `value`. */
const sampleOf = (row: MethodRow, value: (at: number) => string): string => {
  const { pieces } = parseTemplate(row.path);
  const segments = pieces.map((piece, at) => {
    if (piece.is === 'literal') return piece.text;
    return piece.is === 'one' && piece.verb !== undefined ? `${value(at)}:${piece.verb}` : value(at);
  });
  return `/${segments.join('/')}`;
};

const matched = (verb: string, path: string): string | undefined => {
  const found = match(verb, path);
  return found !== undefined && 'row' in found ? found.row.id : undefined;
};

describe('the table', () => {
  test('a sample path of each row of the seed finds that row: none is ambiguous, all are reachable', () => {
    const rows = methods.filter((row) => row.inSeed);
    const wrong = rows.filter(
      (row) =>
        matched(
          row.httpMethod,
          sampleOf(row, (at) => `x${at}`),
        ) !== row.id,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  test('no two rows have one verb and one path', () => {
    const paths = methods.map((row) => `${row.httpMethod} ${sampleOf(row, () => 'x')}`);
    expect(new Set(paths).size).toBe(paths.length);
  });

  test('two rows with one verb and one path are refused when the table is compiled', () => {
    const [row] = methods;
    expect(() => createMethodRouter(row === undefined ? [] : [row, { ...row, id: 'again' }])).toThrow(
      'again has the path of',
    );
  });

  test('two slashes are taken before the value of {+path} only, not of a pattern that takes the rest', () => {
    const [row] = methods.filter(({ httpMethod }) => httpMethod === 'GET');
    const router = (path: string) => createMethodRouter(row === undefined ? [] : [{ ...row, path }]);
    expect(router('/v1/things/{+path}')('GET', '/v1/things//a/b')).toHaveProperty('path', { path: 'a/b' });
    expect(router('/v1/{name=things/**}')('GET', '/v1/things/a/b')).toHaveProperty('path', { name: 'things/a/b' });
    expect(router('/v1/{name=things/**}')('GET', '/v1/things//a/b')).toBeUndefined();
  });

  test('a verb may follow a pattern that ends in a word, and other paths lead to the same row', () => {
    const [row] = methods.filter(({ httpMethod }) => httpMethod === 'GET');
    const paths = { path: '/v1/{name=things/*/all}:end', alsoAt: ['/v1/{name=things/*/all/*}:end'] };
    const router = createMethodRouter(row === undefined ? [] : [{ ...row, ...paths }]);
    expect(router('GET', '/v1/things/a/all:end')).toHaveProperty('path', { name: 'things/a/all' });
    expect(router('GET', '/v1/things/a/all/b:end')).toHaveProperty('path', { name: 'things/a/all/b' });
    for (const path of ['/v1/things/a/all', '/v1/things/a/all:stop', '/v1/things/a/all/b', '/v1/things/a/any:end'])
      expect(router('GET', path)).toBeUndefined();
  });

  test.each(['/a/{b}/{c', '/a//b', '/a/{x=**/y}', '/a/{+x}:verb', '/a/*'])('the template %s is a bug', (path) => {
    expect(() => parseTemplate(path)).toThrow('Path template');
  });
});

describe('a match', () => {
  test.each([
    ['GET', '/admin/directory/v1/users/anna@example.com', 'directory.users.get', { userKey: 'anna@example.com' }],
    ['GET', '/admin/directory/v1/users/anna%40example.com', 'directory.users.get', { userKey: 'anna@example.com' }],
    ['GET', '/admin/directory/v1/users/a%2Fb', 'directory.users.get', { userKey: 'a/b' }],
    ['GET', '/admin/directory/v1/users/a%252Fb', 'directory.users.get', { userKey: 'a%2Fb' }],
    ['POST', '/admin/directory/v1/users/watch', 'directory.users.watch', {}],
    ['POST', '/admin/directory/users/v1/watch', 'directory.users.watchSwapped', {}],
    ['POST', '/admin/directory_v1/channels/stop', 'admin.channels.stop', {}],
    [
      'GET',
      '/admin/directory/v1/customer/my_customer/orgunits/corp/sales%20east/a%2Bb',
      'directory.orgunits.get',
      { customerId: 'my_customer', orgUnitPath: 'corp/sales east/a+b' },
    ],
    [
      'GET',
      '/admin/directory/v1/customer/my_customer/orgunits/id:03ph8a2z',
      'directory.orgunits.get',
      { customerId: 'my_customer', orgUnitPath: 'id:03ph8a2z' },
    ],
    [
      'GET',
      '/admin/directory/v1/customer/my_customer/orgunits//corp/sales',
      'directory.orgunits.get',
      { customerId: 'my_customer', orgUnitPath: 'corp/sales' },
    ],
    [
      'DELETE',
      '/admin/directory/v1/customer/C1/orgunits//id:x',
      'directory.orgunits.delete',
      { customerId: 'C1', orgUnitPath: 'id:x' },
    ],
    ['GET', '/admin/directory/v1/customer/C1/orgunits', 'directory.orgunits.list', { customerId: 'C1' }],
    [
      'POST',
      '/admin/directory/v1/customer/C1/devices/chromeos/d1:issueCommand',
      'admin.customer.devices.chromeos.issueCommand',
      { customerId: 'C1', deviceId: 'd1' },
    ],
    ['POST', '/v2/projects/p/traces:batchWrite', 'cloudtrace.projects.traces.batchWrite', { name: 'projects/p' }],
    ['POST', '/batch/admin/directory_v1', 'conventions.batch', { api: 'admin', version: 'directory_v1' }],
    [
      'PATCH',
      '/v1/folders/f/locations/global/quotaPreferences/q',
      'cloudquotas.folders.locations.quotaPreferences.patch',
      { name: 'folders/f/locations/global/quotaPreferences/q' },
    ],
    [
      'POST',
      '/v2/projects/p/locations/l/buckets/b%20c:undelete',
      'logging.projects.locations.buckets.undelete',
      { name: 'projects/p/locations/l/buckets/b c' },
    ],
  ])('%s %s is %s', (verb, path, id, parameters) => {
    const found = match(verb, path);
    expect(found).toMatchObject({ row: { id }, path: parameters });
    expect(found).toHaveProperty('path', parameters);
  });

  test.each(['/v2/folders/f/logs/a%2Fb', '/v2/folders/f/logs/a%2fb', '/v2/folders/f/logs/a%252Fb'])(
    'an escaped slash in a name is no separator and stays escaped: %s',
    (path) => {
      expect(match('DELETE', path)).toMatchObject({
        row: { id: 'logging.folders.logs.delete' },
        path: { logName: 'folders/f/logs/a%2Fb' },
      });
    },
  );

  test('a parent with rows of its own is theirs; any other is that of the generic rows', () => {
    expect(matched('GET', '/v2/folders/f/exclusions')).toBe('logging.folders.exclusions.list');
    expect(matched('GET', '/v2/galaxies/g/exclusions')).toBe('logging.exclusions.list');
    expect(matched('GET', '/v2/projects/p/logs')).toBe('logging.projects.logs.list');
    expect(matched('GET', '/v2/accounts/a/logs')).toBe('logging.logs.list');
  });

  test('a path that is there with other verbs names them', () => {
    expect(match('PATCH', '/admin/directory/v1/users')).toEqual({ allowed: ['POST', 'GET'] });
    expect(match('TRACE', '/batch/admin/v1')).toEqual({ allowed: ['POST'] });
    const unit = '/admin/directory/v1/customer/C1/orgunits/corp';
    expect(match('POST', unit.replace('/corp', '//corp'))).toEqual(match('POST', unit));
    expect(match('POST', unit)).toHaveProperty('allowed');
  });

  test.each([
    ['a path of no row', '/admin/directory/v1/nothing'],
    ['a path that goes on', '/admin/directory/v1/users/a/b/c/d'],
    ['a trailing slash', '/admin/directory/v1/users/'],
    ['two slashes', '/admin//directory/v1/users'],
    ['two slashes in the beginning', '//admin/directory/v1/users'],
    ['two slashes before an id', '/admin/directory/v1/users//ann@example.com'],
    ['two slashes before a customer', '/admin/directory/v1/customer//C1/orgunits/corp'],
    ['two slashes before orgunits', '/admin/directory/v1/customer/C1//orgunits/corp'],
    ['two slashes and no org unit path', '/admin/directory/v1/customer/C1/orgunits//'],
    ['a slash and no org unit path', '/admin/directory/v1/customer/C1/orgunits/'],
    ['three slashes before an org unit path', '/admin/directory/v1/customer/C1/orgunits///corp'],
    ['two slashes within an org unit path', '/admin/directory/v1/customer/C1/orgunits/corp//sales'],
    ['two slashes before an org unit path and within it', '/admin/directory/v1/customer/C1/orgunits//corp//sales'],
    ['two slashes before a dot segment', '/admin/directory/v1/customer/C1/orgunits//../corp'],
    ['two slashes in a resource name', '/v2/folders/f/logs//a'],
    ['two slashes before a project', '/v2/projects//p/logs'],
    ['a dot segment', '/admin/directory/v1/users/..'],
    ['an escaped dot segment', '/admin/directory/v1/users/%2e%2E'],
    ['a dot segment in an org unit path', '/admin/directory/v1/customer/c/orgunits/a/../b'],
    ['half an escape', '/admin/directory/v1/users/%4'],
    ['an escape that is no UTF-8', '/admin/directory/v1/users/%FF'],
    ['half an escape in a name', '/v2/folders/f/logs/a%2Fb%'],
    ['a verb without a name', '/v2/projects/:undelete'],
    ['no slash at all', 'admin'],
    ['nothing', ''],
    ['a name of every object', '/constructor/__proto__'],
    ['more segments than any row', `/admin/directory/v1/customer/c/orgunits${'/a'.repeat(100)}`],
  ])('%s matches nothing', (_what, path) => {
    expect(match('GET', path)).toBeUndefined();
  });

  test('a path of 100,000 slashes and an id of 100,000 characters are judged like any other', () => {
    expect(match('GET', '/'.repeat(100_000))).toBeUndefined();
    const id = 'a'.repeat(100_000);
    expect(match('GET', `/admin/directory/v1/users/${id}`)).toHaveProperty('path', { userKey: id });
  });

  test('what a client escapes comes back as it was, for any id', () => {
    const ids = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((id) => !['.', '..'].includes(id));
    const path = (id: string): string => `/admin/directory/v1/users/${encodeURIComponent(id)}`;
    fc.assert(
      fc.property(ids, (id) => {
        fc.pre(id !== 'watch');
        expect(match('GET', path(id))).toHaveProperty('path', { userKey: id });
      }),
    );
  });

  test('no path makes it throw', () => {
    const segment = fc.constantFrom('', '.', '%', '%2F', '%zz', 'v2', 'projects', 'a:b', ':', '%E4', 'admin', 'users');
    const paths = fc.oneof(
      fc.string(),
      fc.array(segment, { maxLength: 12 }).map((all) => `/${all.join('/')}`),
    );
    fc.assert(
      fc.property(paths, (path) => {
        expect(() => match('GET', path)).not.toThrow();
      }),
    );
  });
});
