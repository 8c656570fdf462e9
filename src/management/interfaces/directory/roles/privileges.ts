import type { Handlers } from '../../../core/engine/operation.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { requireCustomer } from '../keys.ts';
import { PRIVILEGES, type Privilege } from './privileges-data.ts';

/** What roles can hold: the same for every customer. */
export const privilegeHandlers: Handlers = {
  'directory.privileges.list': (call, context) => {
    requireCustomer(call.path['customer'] ?? '', context);
    const etag = context.etagOf(0, { PRIVILEGES: JSON.stringify(PRIVILEGES) });
    const items = PRIVILEGES.flatMap(({ service, tree }) => tree.map((each) => shown(each, service, etag)));
    return { kind: 'admin#directory#privileges', etag, items };
  },
};

const known: ReadonlySet<string> = new Set(
  PRIVILEGES.flatMap(({ service, tree }) => tree.flatMap(namesIn).map((name) => `${name} ${service.id}`)),
);

/** Whether the list has this privilege for this service. */
export const isPrivilege = (name: string, serviceId: string): boolean => known.has(`${name} ${serviceId}`);

function namesIn({ name, children = [] }: Privilege): string[] {
  return [name, ...children.flatMap(namesIn)];
}

function shown({ name, isOuScopable = false, children = [] }: Privilege, service: Service, etag: string): JsonObject {
  return {
    kind: 'admin#directory#privilege',
    etag,
    serviceId: service.id,
    serviceName: service.name,
    privilegeName: name,
    isOuScopable,
    ...(children.length > 0 && { childPrivileges: children.map((each) => shown(each, service, etag)) }),
  };
}

type Service = (typeof PRIVILEGES)[number]['service'];
