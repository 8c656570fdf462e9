import { byHand, CURL, run, SEND_JSON } from '../commands.ts';
import { apiUrl, type PlanContext } from '../context.ts';
import { fileWord, sh } from '../shell.ts';
import { martAccount, watcherAccount } from './facts-script.ts';
import type { StepContent } from './step.ts';

const AGENT_ROLE = 'roles/apigeeconnect.Agent';
const RUNTIME_ROLE = 'roles/apigee.runtimeAgent';
const SET_PROPERTIES = `'
  .properties.property = ([.properties.property[]? |
    select(.name != "features.hybrid.enabled" and .name != "features.mart.connect.enabled")] + [
    {name: "features.hybrid.enabled", value: "true"},
    {name: "features.mart.connect.enabled", value: "true"}])'`;
const HAS_PROPERTIES = `'
  input | [.properties.property[]? | {key: .name, value: .value}] | from_entries |
  .["features.hybrid.enabled"] == "true" and .["features.mart.connect.enabled"] == "true"'`;

export function connect(context: PlanContext): StepContent {
  const { projectId, org } = context;
  const organization = apiUrl('organizations', org);
  return {
    id: 'connect',
    title: 'Enable Apigee Connect',
    why: 'In 1.3 the management plane reaches MART through Connect, always. MART needs the role, the organization the properties.',
    commands: [
      run(sh`gcloud services enable apigeeconnect.googleapis.com --project ${projectId}`),
      run(sh`echo ${martAccount(context)}`, 'The account of MART: it must be the e-mail address of a service account.'),
      run(
        sh`gcloud projects add-iam-policy-binding ${projectId} --member "serviceAccount:"${martAccount(context)} --role ${AGENT_ROLE}`,
      ),
      run(
        sh`[ -s organization-before.json ] || ${CURL} ${organization} > organization-before.json`,
        'The organization as it is. A second run keeps the first copy.',
      ),
      run(
        `jq ${SET_PROPERTIES} organization-before.json > organization-after.json`,
        'The PUT below replaces the whole list of properties, so all the others are kept in it.',
      ),
      run(sh`${CURL} -X PUT ${SEND_JSON} ${organization} < organization-after.json`),
    ],
    check: {
      commands: [
        run(sh`gcloud services list --enabled --project ${projectId} | grep apigeeconnect`),
        run(sh`gcloud projects get-iam-policy ${projectId} --format=json |
  jq -ne --arg email ${martAccount(context)} --arg role ${AGENT_ROLE} '
    input | any(.bindings[] | select(.role == $role) | .members[]; . == "serviceAccount:" + $email)'`),
        run(`${sh`${CURL} ${organization}`} | jq -ne ${HAS_PROPERTIES}`),
      ],
      expect: 'A line with apigeeconnect.googleapis.com, then true, then true.',
    },
    undo: [
      run(sh`${CURL} -X PUT ${SEND_JSON} ${organization} < organization-before.json`, 'The properties as they were.'),
      run(
        sh`gcloud projects remove-iam-policy-binding ${projectId} --member "serviceAccount:"${martAccount(context)} --role ${AGENT_ROLE}`,
        'Only if MART did not have the role before. The API may stay enabled: it does nothing by itself.',
      ),
    ],
  };
}

export function watcher(context: PlanContext): StepContent {
  const { projectId, watcherKeyPath } = context;
  const email = watcherAccount(context);
  return {
    id: 'watcher',
    title: 'Create the service account of the watcher',
    why: 'The watcher is new in 1.3: it fetches the virtual hosts of the environment groups. The path of its key is the one that the new overrides file names; a relative path is relative to the folder in which apigeectl runs.',
    commands: [
      run(
        sh`gcloud iam service-accounts create apigee-watcher --project ${projectId} --display-name apigee-watcher`,
        'tools/create-service-account of apigeectl 1.3.6 does the same as these three commands.',
      ),
      run(
        sh`gcloud projects add-iam-policy-binding ${projectId} --member ${`serviceAccount:${email}`} --role ${RUNTIME_ROLE}`,
        'The role is named Apigee Runtime Agent.',
      ),
      run(
        sh`(umask 077; gcloud iam service-accounts keys create ${fileWord(watcherKeyPath)} --iam-account ${email} --project ${projectId})`,
      ),
    ],
    check: {
      commands: [
        run(sh`jq -ne --arg email ${email} 'input | .client_email == $email' < ${fileWord(watcherKeyPath)}`),
        run(sh`gcloud projects get-iam-policy ${projectId} --format=json |
  jq -ne --arg email ${email} --arg role ${RUNTIME_ROLE} '
    input | any(.bindings[] | select(.role == $role) | .members[]; . == "serviceAccount:" + $email)'`),
      ],
      expect: 'true, then true.',
    },
    undo: [
      run(
        sh`gcloud projects remove-iam-policy-binding ${projectId} --member ${`serviceAccount:${email}`} --role ${RUNTIME_ROLE}`,
      ),
      run(sh`gcloud iam service-accounts delete ${email} --project ${projectId}`),
      run(sh`rm -f -- ${fileWord(watcherKeyPath)}`),
      byHand('Undo this only if this step created the account: nothing of 1.2 uses it.'),
    ],
  };
}
