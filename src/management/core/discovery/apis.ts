import { interfaces } from '../interfaces.ts';

/** An interface as discovery names it: by the vendor's name and version, so that the vendor's clients find it. */
export type DiscoveryApi = {
  name: string;
  version: string;
  /** Name and version in the method table. */
  interface: { name: string; version: string };
  title: string;
  canonicalName: string;
};

/** What has a discovery document. Where several have one version, `/$discovery/rest?version=` answers with the first. */
export const apis: readonly DiscoveryApi[] = [
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
  {
    name: 'logging',
    version: 'v2',
    interface: { name: 'logging', version: 'v2' },
    title: 'Cloud Logging API',
    canonicalName: 'Logging',
  },
  {
    name: 'cloudtrace',
    version: 'v2',
    interface: { name: 'tracing', version: 'v2' },
    title: 'Cloud Trace API: spans',
    canonicalName: 'Cloud Trace',
  },
  {
    name: 'cloudtrace',
    version: 'v2beta1',
    interface: { name: 'tracing', version: 'v2beta1' },
    title: 'Cloud Trace API: sinks',
    canonicalName: 'Cloud Trace',
  },
  {
    name: 'cloudtrace',
    version: 'v1',
    interface: { name: 'tracing', version: 'v1' },
    title: 'Cloud Trace API: traces',
    canonicalName: 'Cloud Trace',
  },
  {
    name: 'cloudquotas',
    version: 'v1',
    interface: { name: 'quota', version: 'v1' },
    title: 'Cloud Quotas API',
    canonicalName: 'API Management',
  },
  {
    name: 'cloudquotas',
    version: 'v1beta',
    interface: { name: 'quota', version: 'v1beta' },
    title: 'Cloud Quotas API, beta',
    canonicalName: 'API Management',
  },
  {
    name: 'cloudresourcemanager',
    version: 'v3',
    interface: { name: 'tags', version: 'v3' },
    title: 'Cloud Resource Manager API: tags',
    canonicalName: 'Cloud Resource Manager',
  },
  {
    name: 'storage',
    version: 'v1',
    interface: { name: 'storage', version: 'v1' },
    title: 'Cloud Storage JSON API: files of log entries',
    canonicalName: 'Storage',
  },
  {
    name: 'admob',
    version: 'v1beta',
    interface: { name: 'mediation', version: 'v1beta' },
    title: 'AdMob API: mediation',
    canonicalName: 'AdMob',
  },
  {
    name: 'admob',
    version: 'v1',
    interface: { name: 'mediation', version: 'v1' },
    title: 'AdMob API: accounts, apps, ad units',
    canonicalName: 'AdMob',
  },
  {
    name: 'groupssettings',
    version: 'v1',
    interface: { name: 'groupssettings', version: 'v1' },
    title: 'Groups Settings API',
    canonicalName: 'Groupssettings',
  },
  {
    name: 'licensing',
    version: 'v1',
    interface: { name: 'licensing', version: 'v1' },
    title: 'Enterprise License Manager API',
    canonicalName: 'Licensing',
  },
  {
    name: 'admin',
    version: 'reports_v1',
    interface: { name: 'reports', version: 'v1' },
    title: 'Admin SDK API: usage reports',
    canonicalName: 'reports',
  },
];

/** Ids of the methods of an API that are served: those with a handler. */
export function listServedMethods({ interface: { name, version } }: DiscoveryApi): readonly string[] {
  return Object.keys(interfaces.find((each) => each.name === name && each.version === version)?.handlers ?? {});
}
