import type { Handler, Handlers, Interface } from '../../core/engine/operation.ts';
import { accountHandlers, adSourceHandlers, MEDIATION, rememberPublisher } from './rows.ts';
import { adUnitHandlers } from './ad-units.ts';
import { appHandlers } from './apps.ts';
import { experimentHandlers } from './groups/experiments.ts';
import { mediationGroupHandlers } from './groups/groups.ts';
import { mappingHandlers } from './mappings/mappings.ts';

/** Ad mediation (AdMob v1beta): groups, accounts, apps, ad units, batches of mappings, A/B experiments. */
export const mediation: Interface = {
  name: 'mediation',
  version: 'v1beta',
  errors: 'status',
  handlers: {
    ...wrapWithPublisherRecord(accountHandlers),
    ...wrapWithPublisherRecord(adSourceHandlers),
    ...wrapWithPublisherRecord(appHandlers),
    ...wrapWithPublisherRecord(adUnitHandlers),
    ...wrapWithPublisherRecord(mappingHandlers),
    ...wrapWithPublisherRecord(mediationGroupHandlers),
    ...wrapWithPublisherRecord(experimentHandlers),
  },
  collections: {
    [MEDIATION.publishers]: 'PublisherAccount',
    [MEDIATION.apps]: 'App',
    [MEDIATION.adUnits]: 'AdUnit',
    [MEDIATION.mappings]: 'AdUnitMapping',
    [MEDIATION.groups]: 'MediationGroup',
    [MEDIATION.experiments]: 'MediationAbExperiment',
  },
};

/** The same handlers; what they answer puts the publisher of the path into the list of accounts. */
function wrapWithPublisherRecord(handlers: Handlers): Handlers {
  const made = Object.entries(handlers).map(([id, handler]): [string, Handler] => [
    id,
    (call, context) => {
      const answer = handler(call, context);
      const { name, parent = name } = call.path;
      if (parent !== undefined) rememberPublisher(parent, context);
      return answer;
    },
  ]);
  return Object.fromEntries(made);
}
