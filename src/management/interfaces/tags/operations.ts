import { refuseMissingName } from '../../core/engine/named-collection.ts';
import type { Context, Handler } from '../../core/engine/operation.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { TAGS } from './rows.ts';

/** Operations that a tenant can ask for afterwards: the oldest go. */
export const MAX_TAG_OPERATIONS = 1_000;

const TYPES = 'type.googleapis.com/google.cloud.resourcemanager.v3';
const EMPTY = 'type.googleapis.com/google.protobuf.Empty';
const ID_BYTES = 16;

/** What operations are about, by their words in the vendor's types. */
export type Verb = `${'Create' | 'Update' | 'Delete'}${'TagKey' | 'TagValue'}` | `${'Create' | 'Delete'}TagBinding`;

/**
 * A finished operation, kept to be asked for. Each of these methods is done when it answers.
 * @param response of the type that `type` names; `{}` of none is Empty
 */
export function finishTagOperation(
  verb: Verb,
  type: 'TagKey' | 'TagValue' | 'TagBinding' | 'Empty',
  response: JsonObject,
  context: Context,
): JsonObject {
  const id = context.random(ID_BYTES);
  const operation: JsonObject = {
    name: `operations/${id}`,
    metadata: { '@type': `${TYPES}.${verb}Metadata` },
    done: true,
    response: { '@type': type === 'Empty' ? EMPTY : `${TYPES}.${type}`, ...response },
  };
  const { store } = context;
  if (store.count(TAGS.operations, '') >= MAX_TAG_OPERATIONS) forgetOldest(context);
  store.insert({
    collection: TAGS.operations,
    parent: '',
    id,
    body: operation,
    s1: new Date(context.now()).toISOString(),
  });
  return operation;
}

/** `operations.get`: one that was answered lately. */
export const getTagOperation: Handler = ({ path }, { store }) => {
  const name = path['name'] ?? '';
  const row = store.get(TAGS.operations, '', name.slice('operations/'.length));
  if (row === undefined) throw refuseMissingName(name);
  return row.body;
};

function forgetOldest({ store }: Context): void {
  const [oldest] = store.list({ collection: TAGS.operations, parent: '', order: { by: 's1' }, limit: 1 });
  if (oldest !== undefined) store.remove(oldest.row);
}
