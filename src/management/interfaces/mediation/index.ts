import type { Interface } from '../../core/engine/operation.ts';
import { handlers as groupHandlers } from './groups/handlers.ts';
import { handlers, wrapWithPublisherRecord } from './handlers.ts';
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
