/**
 * Official clients of other languages, as Debian 12 packages them. The programs that drive them are in the folder of the
 * language; their cases are written from the clients' own documentation and types, never from our table.
 */
export type JudgeLanguage = 'python' | 'go' | 'ruby' | 'java';

type JudgeRow = {
  /** The package of the client, and the version that Debian 12 has. */
  client: string;
  version: string;
  /** All packages to install. */
  packages: readonly string[];
  /** Files without which it cannot run. */
  needs: readonly string[];
  /** What it has no classes for. */
  without: string;
};

export const JUDGES: Readonly<Record<JudgeLanguage, JudgeRow>> = {
  python: {
    client: 'python3-googleapi',
    version: '1.7.12',
    packages: ['python3-googleapi'],
    needs: ['/usr/bin/python3', '/usr/lib/python3/dist-packages/googleapiclient/discovery.py'],
    without: 'nothing: it builds every API from our discovery documents',
  },
  go: {
    client: 'golang-google-api-dev',
    version: '0.61.0',
    packages: ['golang-google-api-dev', 'golang-go'],
    needs: ['/usr/bin/go', '/usr/share/gocode/src/google.golang.org/api/admin/directory/v1/admin-gen.go'],
    without: 'Quotas, mediation (AdMob v1beta of 2021), batch, retries (uploads only)',
  },
  ruby: {
    client: 'ruby-google-api-client',
    version: '0.50.0',
    packages: ['ruby-google-api-client'],
    needs: [
      '/usr/bin/ruby',
      '/usr/share/rubygems-integration/all/gems/google-api-client-0.50.0/generated/google/apis/admin_directory_v1.rb',
    ],
    without: 'Quotas, Tags (Resource Manager v3), mediation',
  },
  java: {
    client: 'libgoogle-api-client-java',
    version: '1.27.1',
    packages: ['libgoogle-api-client-java', 'default-jdk-headless'],
    needs: ['/usr/bin/java', '/usr/bin/javac', '/usr/share/java/google-api-client.jar'],
    without: 'generated classes of any API: its requests are generic',
  },
};
