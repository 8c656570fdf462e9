import { findApiUrlFault } from './core/api-endpoint.ts';
import { parseEngineRows } from './engine-rows.ts';
import { engineTraits } from './kinds-data.ts';
import { type EngineKind, engineKinds, isDemonstration } from './port.ts';

/** Kinds that a deployment may have: those that are AI models. */
export const deployedKinds: readonly EngineKind[] = /* @__PURE__ */ engineKinds.filter(
  (kind) => !isDemonstration({ kind }),
);

/**
 * Why a deployment has no panel by this text of ANSWER_ENGINES, a sentence for each row; none where it has one. It asks no
 * registry, so that a command can say it before a Worker gets the setting. No value is quoted.
 * @param isSet whether a secret variable has a value; left out where that is not known
 */
export function findPanelFaults(text: string, isSet?: (name: string) => boolean): readonly string[] {
  const read = parseEngineRows(text);
  if (!read.ok) return [read.detail.replace('ANSWER_ENGINES: ', '')];
  return read.rows.flatMap(({ kind, url, model, key_secret: key }, at) => {
    const row = `row ${at + 1}`;
    const known = deployedKinds.find((own) => own === kind);
    if (known === undefined)
      return [`${row}, kind is no engine of a deployment, which are ${deployedKinds.join(', ')}`];
    if (model === undefined) return [`${row}, model is not set`];
    const takesQuery = engineTraits[known].query === true;
    const fault = url === undefined ? undefined : findApiUrlFault(url, { isLocal: false, takesQuery });
    if (fault !== undefined) return [`${row}, url ${fault}`];
    if (key !== undefined && isSet?.(key) === false) return [`${row}, key_secret: the secret ${key} is not set`];
    return [];
  });
}
