import type { Handler, Handlers, Interface } from '../engine/operation.ts';
import { accountHandlers, rememberPublisher } from './accounts.ts';
import { adSourceHandlers } from './ad-sources.ts';
import { adUnitHandlers } from './ad-units.ts';
import { appHandlers } from './apps.ts';
import { experimentHandlers } from './experiments.ts';
import { groupHandlers } from './groups.ts';
import { mappingHandlers } from './mappings.ts';
import { MEDIATION } from './rows.ts';

/** Ad mediation (AdMob v1beta): seed 2, and beyond it accounts, apps, ad units, batches of mappings, A/B experiments. */
export const mediation: Interface = {
  name: 'mediation',
  version: 'v1beta',
  errors: 'status',
  handlers: {
    ...accountHandlers,
    ...adSourceHandlers,
    ...remembering(appHandlers),
    ...remembering(adUnitHandlers),
    ...remembering(mappingHandlers),
    ...remembering(groupHandlers),
    ...experimentHandlers,
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

/** The same handlers; what they create puts its publisher into the list of accounts. */
function remembering(handlers: Handlers): Handlers {
  const made = Object.entries(handlers).map(([id, handler]): [string, Handler] => [
    id,
    (call, context) => {
      const answer = handler(call, context);
      const { parent } = call.path;
      if (context.row.httpMethod === 'POST' && parent !== undefined) rememberPublisher(parent, context);
      return answer;
    },
  ]);
  return Object.fromEntries(made);
}
