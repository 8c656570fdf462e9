/** What the manifests of both packages say alike. */
export declare function buildPublishFields(
  own: Readonly<Record<'version' | 'homepage' | 'license' | 'engines' | 'repository', unknown>>,
  env?: NodeJS.ProcessEnv,
): Record<string, unknown>;
