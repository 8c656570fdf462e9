import { run } from '../commands.ts';
import type { PlanContext } from '../context.ts';
import type { Command } from '../plan.ts';
import { fileWord, script, sh } from '../shell.ts';

/** The key in such a secret: the vendor's reference of `serviceAccountRef` names it `client_secret.json`. */
const KEY_NAME = script(`'input.data | keys | select(length == 1) | .[0]'`);

/** The secret of the watcher, where the new file names no file. It is made as the one of MART is. */
export function secretCreation({ secrets, namespace, watcherKeyPath }: PlanContext): readonly Command[] {
  if (secrets === undefined) return [];
  return [
    run(
      sh`kubectl get secret ${secrets.mart} -n ${namespace} -o json | jq -ne 'input.data | keys'`,
      'How the secret of MART names its key. The reference says client_secret.json; the new secret takes the name that is there.',
    ),
    run(
      sh`key_name=$(kubectl get secret ${secrets.mart} -n ${namespace} -o json | jq -ner ${KEY_NAME}) &&
  kubectl create secret generic ${secrets.watcher} -n ${namespace} --from-file="$key_name"=${fileWord(watcherKeyPath)}`,
      'The secret that watcher.serviceAccountRef of the new file names. If that of MART has several keys, nothing is made: put client_secret.json in place of $key_name after a look.',
    ),
  ];
}

export function secretChecks({ secrets, namespace }: PlanContext, email: string): readonly Command[] {
  if (secrets === undefined) return [];
  return [
    run(sh`kubectl get secret ${secrets.watcher} -n ${namespace} -o json |
  jq -ne --arg email ${email} 'input | [.data[] | @base64d | fromjson | .client_email] == [$email]'`),
  ];
}

export function secretDeletion({ secrets, namespace }: PlanContext): readonly Command[] {
  if (secrets === undefined) return [];
  return [run(sh`kubectl delete secret ${secrets.watcher} -n ${namespace} --ignore-not-found`)];
}
