import { REMOVED_FROM_VIRTUAL_HOSTS } from '../core/keys-data.ts';
import type { MigrateOptions } from '../core/options.ts';
import type { Overrides, VirtualHost } from '../core/overrides.ts';
import { groupNameOf } from '../rules/groups.ts';
import { yamlScalar } from '../core/yaml-scalar.ts';
import { changeMap, type Edits } from './blocks.ts';
import { joined } from './joined.ts';

const remove: ReadonlySet<string> = new Set(REMOVED_FROM_VIRTUAL_HOSTS);

/** Virtual hosts keep name and certificate; host names and rules become environment groups. */
export const virtualHostEdits = ({ source, virtualHosts }: Overrides, options: MigrateOptions): Edits =>
  joined(
    virtualHosts.map((host) =>
      changeMap(source, host.map, {
        remove,
        add: [],
        replace: newName(host, options),
        reason: 'environment groups have it',
      }),
    ),
  );

function newName(host: VirtualHost, options: MigrateOptions): ReadonlyMap<string, string> {
  const group = groupNameOf(host, options);
  return group === (host.name?.value ?? '') ? new Map() : new Map([['name', yamlScalar(group)]]);
}
