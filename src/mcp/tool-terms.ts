import * as z from 'zod';
import { PAYMENT_NETWORK_IDS } from '../payment/terms/networks-data.ts';
import {
  getFirstNetwork,
  listSellings,
  networkSecretNames,
  type NetworkSettings,
  resolveNetworks,
} from '../payment/terms/network-rows.ts';
import { isSoldOn } from '../payment/terms/sold-on.ts';
import type { ToolTableSettings } from './tools.ts';

const unset = z.literal('').transform(() => undefined);
const text = z.union([unset, z.string()]).optional();

/** The variables of payment as an object reads them from its environment. `PAY_TO` is lower case. */
export const networkVariables = z.object({
  PAYMENT_NETWORK: z.union([unset, z.enum(PAYMENT_NETWORK_IDS)]).optional(),
  PAY_TO: z.union([unset, z.string().toLowerCase()]).optional(),
  RPC_URL: text,
  FACILITATOR_URL: text,
  PAYMENT_NETWORKS: text,
  ...Object.fromEntries(networkSecretNames.map((name) => [name, text])),
});

/** What the table of tools says about payment: the payee on the first network, and the networks beside it. */
export function readToolTerms(settings: NetworkSettings): Omit<ToolTableSettings, 'door'> {
  const networks = resolveNetworks(settings);
  const others = networks.ok ? listSellings(networks).filter((selling) => selling !== networks.first) : [];
  return {
    payTo: settings.PAY_TO,
    network: getFirstNetwork(settings),
    others: others.map((selling) => ({
      network: selling.network,
      payTo: selling.payTo,
      ...('feePayer' in selling ? { feePayer: selling.feePayer } : {}),
      sells: (row) => isSoldOn(selling.network, row),
    })),
  };
}
