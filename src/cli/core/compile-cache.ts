import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Lets Node keep the compiled form of our files between calls, which is a large part of a short command's time. In the
 * user's own folder and not in the shared one for temporary files: what is read from there is run. A folder that cannot
 * be written only costs the gain; `NODE_DISABLE_COMPILE_CACHE=1` turns it off. Node before 22.8 has no such cache.
 */
export function keepCompiled(): void {
  if ('enableCompileCache' in nodeModule) nodeModule.enableCompileCache(join(homedir(), '.cache', 'sightline'));
}
