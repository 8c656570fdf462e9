import { BASE, type SaleNetwork } from '../payment/terms/networks-data.ts';

type Schema = Record<string, unknown>;
type Document = Record<string, unknown>;

/** An address of an EVM network or of Solana. */
const ANY_ADDRESS = '^(?:0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$';

/**
 * The OpenAPI document of a deployment that is paid on several networks: what a 402 accepts and what a receipt names may be
 * of each of them. Prices, credits and bare hashes go on naming the first one. With one network it is as it was.
 */
export function describeNetworks(document: Document, networks: readonly SaleNetwork[]): Document {
  if (networks.length < 2) return document;
  const ids = networks.map(({ id }) => id);
  const hasSolana = networks.some((network) => !('chainId' in network));
  const components = document['components'] as { schemas: Record<string, Schema> };
  const { PaymentOption: option, Payment: payment } = components.schemas;
  const schemas = {
    ...components.schemas,
    ...(option && { PaymentOption: replaceProperties(option, describeOption(option, ids, hasSolana)) }),
    ...(payment && { Payment: replaceProperties(payment, { network: { type: 'string', enum: ids } }) }),
  };
  return { ...document, components: { ...components, schemas } };
}

const getProperties = (schema: Schema): Record<string, Schema> =>
  (schema['properties'] ?? {}) as Record<string, Schema>;

const replaceProperties = (schema: Schema, changed: Record<string, Schema>): Schema => ({
  ...schema,
  properties: { ...getProperties(schema), ...changed },
});

function describeOption(option: Schema, ids: readonly string[], hasSolana: boolean): Record<string, Schema> {
  const network = { enum: ids };
  if (!hasSolana) return { network };
  const { asset, payTo, extra = {} } = getProperties(option);
  const { required: _forEvm, ...anyExtra } = extra;
  const feePayer = { type: 'string', description: 'Solana only: who pays the fees, named in the message' };
  return {
    network,
    asset: { ...asset, pattern: ANY_ADDRESS, description: 'The contract of USDC, or its mint' },
    payTo: { ...payTo, pattern: ANY_ADDRESS },
    extra: replaceProperties(anyExtra, { feePayer }),
  };
}

/** `USDC on Base` in a text of ours, with the further networks of a deployment. */
export function formatNetworkNames(text: string, networks: readonly SaleNetwork[]): string {
  const [first, ...others] = networks;
  if (first?.id !== BASE.id || others.length === 0) return text;
  const names = networks.map(({ name }) => name);
  return text.replace(`USDC on ${first.name} `, `USDC on ${names.slice(0, -1).join(', ')} or ${names.at(-1)} `);
}
