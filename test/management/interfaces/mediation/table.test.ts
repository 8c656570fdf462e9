import { expect, test } from 'vitest';
import { apis } from '../../../../src/management/core/discovery/apis.ts';
import { buildDiscoveryDocument } from '../../../../src/management/core/discovery/document.ts';
import { requireMethod, methods } from '../../../../src/management/core/table/method-row.ts';
import { match } from '../../../../src/management/core/table/router.ts';
import { getSchemas } from '../../../../src/management/core/table/schemas.ts';

const STOP = 'admob.accounts.mediationGroups.mediationAbExperiments.stop';
const GROUP = 'accounts/pub-1/mediationGroups/2';
const AUTH = 'https://www.googleapis.com/auth';

test('the scope of reports is enough for accounts and ad sources, and for nothing else', () => {
  const enough = methods.filter(({ scopes }) => scopes.includes(`${AUTH}/admob.report`)).map(({ id }) => id);
  expect(enough).toEqual([
    'admob.accounts.adSources.list',
    'admob.accounts.get',
    'admob.accounts.list',
    'admob.v1.accounts.get',
    'admob.v1.accounts.list',
    'admob.v1.accounts.mediationReport.generate',
    'admob.v1.accounts.networkReport.generate',
  ]);
  for (const id of enough) expect(requireMethod(id).scopes).toContain(`${AUTH}/report`);
});

test.each(['mediationAbExperiments', 'mediationAbExperiments/3', 'mediationAbExperiment/3'])(
  'an experiment is stopped as %s of its group',
  (rest) => {
    const found = match('POST', `/v1beta/${GROUP}/${rest}:stop`);
    expect(found).toMatchObject({ row: { id: STOP }, path: { name: `${GROUP}/${rest}` } });
  },
);

test.each(['mediationAbExperiment', 'mediationAbExperiments/3/4', 'mediationAbExperiments/', 'experiments/3'])(
  'and not as %s',
  (rest) => {
    expect(match('POST', `/v1beta/${GROUP}/${rest}:stop`)).toBeUndefined();
  },
);

test('the discovery document has the vendor’s pattern of that name, and the scope of reports', () => {
  const [api] = apis.filter(({ name }) => name === 'admob');
  const document = api && buildDiscoveryDocument(api, 'https://control.test', [STOP, 'admob.accounts.list']);
  expect(document).toMatchObject({
    auth: { oauth2: { scopes: { [`${AUTH}/admob.report`]: { description: 'admob.report' } } } },
    resources: {
      accounts: {
        resources: {
          mediationGroups: {
            resources: {
              mediationAbExperiments: {
                methods: {
                  stop: {
                    path: 'v1beta/{+name}:stop',
                    parameters: {
                      name: { pattern: '^accounts/[^/]+/mediationGroups/[^/]+/mediationAbExperiments$' },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  });
  expect(JSON.stringify(document)).not.toContain('alsoAt');
});

test('the leader of an experiment is one of the vendor’s words', () => {
  expect(getSchemas('mediation', 'v1beta')['MediationAbExperiment']?.['variantLeader']?.enum).toEqual([
    'VARIANT_LEADER_UNSPECIFIED',
    'CONTROL',
    'TREATMENT',
    'INSUFFICIENT_DATA',
    'TOO_EARLY_TO_CALL',
    'NO_VARIANT_LEADER',
  ]);
});
