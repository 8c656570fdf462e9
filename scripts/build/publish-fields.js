// What the manifests of both packages say alike. Plain JavaScript, because `npm ci` runs it with whatever Node the machine has.

/**
 * A workflow publishes for the repository that it runs in: the registry refuses a provenance that names another, or none.
 * @param {{ version: string, homepage: string, license: string, engines: object, repository: object }} own package.json of the repository
 * @param {NodeJS.ProcessEnv} [env]
 */
export function buildPublishFields(own, env = process.env) {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = env;
  const isWorkflow = GITHUB_SERVER_URL && GITHUB_REPOSITORY;
  return {
    version: own.version,
    homepage: own.homepage,
    repository: isWorkflow ? { type: 'git', url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git` } : own.repository,
    license: own.license,
    engines: own.engines,
    publishConfig: { access: 'public', provenance: true },
  };
}
