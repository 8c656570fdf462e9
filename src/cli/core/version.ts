import { service } from '../../capabilities/service.ts';

/** Version of the command line, that of package.json (a test compares them). */
export const VERSION: string = service.version;
