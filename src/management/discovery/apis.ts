import { interfaces } from '../interfaces.ts';

/** An interface as discovery names it: by the vendor's name and version, so that the vendor's clients find it. */
export type Api = {
  name: string;
  version: string;
  /** Name and version in the method table. */
  interface: { name: string; version: string };
  title: string;
  canonicalName: string;
};

/** What has a discovery document. Where two have one version, `/$discovery/rest?version=` answers with the first. */
export const apis: readonly Api[] = [
  {
    name: 'admin',
    version: 'directory_v1',
    interface: { name: 'directory', version: 'v1' },
    title: 'Admin SDK API: Directory',
    canonicalName: 'directory',
  },
  {
    name: 'reseller',
    version: 'v1',
    interface: { name: 'reseller', version: 'v1' },
    title: 'Google Workspace Reseller API',
    canonicalName: 'Reseller',
  },
  {
    name: 'drive',
    version: 'v3',
    interface: { name: 'drive', version: 'v3' },
    title: 'Google Drive API: files, comments, replies',
    canonicalName: 'Drive',
  },
];

/** Ids of the methods of an API that are served: those with a handler. */
export function servedMethods({ interface: { name, version } }: Api): readonly string[] {
  return Object.keys(interfaces.find((each) => each.name === name && each.version === version)?.handlers ?? {});
}
