import type { Interface } from '../../core/engine/operation.ts';
import { handlers as groupHandlers } from './groups/handlers.ts';
import { handlers, v1Handlers, wrapWithPublisherRecord } from './handlers.ts';
import { handlers as reportHandlers } from './reports/handlers.ts';
import { MEDIATION } from './rows.ts';

/** Ad mediation (AdMob v1beta): groups, accounts, apps, ad units, batches of mappings, A/B experiments. */
export const mediation: Interface = {
  name: 'mediation',
  version: 'v1beta',
  errors: 'status',
  handlers: wrapWithPublisherRecord({ ...handlers, ...groupHandlers }),
  collections: {
    [MEDIATION.publishers]: 'PublisherAccount',
    [MEDIATION.apps]: 'App',
    [MEDIATION.adUnits]: 'AdUnit',
    [MEDIATION.mappings]: 'AdUnitMapping',
    [MEDIATION.groups]: 'MediationGroup',
    [MEDIATION.experiments]: 'MediationAbExperiment',
  },
};

/** The released version of AdMob: reads of what `mediation` holds, and reports. */
export const mediationV1: Interface = {
  name: 'mediation',
  version: 'v1',
  errors: 'status',
  handlers: wrapWithPublisherRecord({ ...v1Handlers, ...reportHandlers }),
};
