/** Versions of A2A that the endpoint speaks, newest first: they differ in the names of methods and in the form of messages. */
export const A2A_VERSIONS = ['1.0', '0.3'] as const;
export type A2aVersion = (typeof A2A_VERSIONS)[number];

/** What a method does, whichever version names it. */
export type A2aMethod = 'send' | 'stream' | 'get' | 'list' | 'cancel' | 'subscribe' | 'push' | 'extended_card';

const methods: Readonly<Record<A2aVersion, Readonly<Record<string, A2aMethod>>>> = {
  '1.0': {
    SendMessage: 'send',
    SendStreamingMessage: 'stream',
    GetTask: 'get',
    ListTasks: 'list',
    CancelTask: 'cancel',
    SubscribeToTask: 'subscribe',
    CreateTaskPushNotificationConfig: 'push',
    GetTaskPushNotificationConfig: 'push',
    ListTaskPushNotificationConfigs: 'push',
    DeleteTaskPushNotificationConfig: 'push',
    GetExtendedAgentCard: 'extended_card',
  },
  '0.3': {
    'message/send': 'send',
    'message/stream': 'stream',
    'tasks/get': 'get',
    'tasks/cancel': 'cancel',
    'tasks/resubscribe': 'subscribe',
    'tasks/pushNotificationConfig/set': 'push',
    'tasks/pushNotificationConfig/get': 'push',
    'tasks/pushNotificationConfig/list': 'push',
    'tasks/pushNotificationConfig/delete': 'push',
    'agent/getAuthenticatedExtendedCard': 'extended_card',
  },
};

/** Versions before 0.3 have its names and send no header. */
const NUMBER = /^(\d{1,3}\.\d{1,3})(?:\.\d{1,3})?$/;

export type ChosenMethod =
  | { kind: 'known'; version: A2aVersion; method: A2aMethod }
  | { kind: 'unknown_version' }
  | { kind: 'unknown_method' };

/**
 * The version and the method that a call means. The header decides the version, without its patch number. Without a
 * header, which only clients before 1.0 may leave out, the name of the method does: no name is of both.
 */
export function chooseMethod(header: string | undefined, name: string): ChosenMethod {
  const asked = header?.trim() ?? '';
  if (asked === '') {
    const version = A2A_VERSIONS.find((one) => Object.hasOwn(methods[one], name));
    return version === undefined ? { kind: 'unknown_method' } : findMethod(version, name);
  }
  const version = A2A_VERSIONS.find((one) => one === NUMBER.exec(asked)?.[1]);
  return version === undefined ? { kind: 'unknown_version' } : findMethod(version, name);
}

function findMethod(version: A2aVersion, name: string): ChosenMethod {
  const method = Object.hasOwn(methods[version], name) ? methods[version][name] : undefined;
  return method === undefined ? { kind: 'unknown_method' } : { kind: 'known', version, method };
}
