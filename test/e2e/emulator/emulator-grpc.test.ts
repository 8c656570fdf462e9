import { credentials, Logging } from '../../conformance/packages/cloud-logging.ts';
import { afterAll, expect, test } from 'vitest';
import { killEmulators, startEmulator, waitUntilGone } from '../../support/stack/emulator.ts';

afterAll(killEmulators);

test('a gRPC client writes and reads entries, and what it called is a received call', async () => {
  const emulator = await startEmulator(['--no-auth', '--grpc-port', '0']);
  expect(emulator.env['SIGHTLINE_EMULATOR_GRPC']).toBe(`127.0.0.1:${emulator.grpc_port}`);
  const port = emulator.grpc_port ?? 0;
  const sslCreds = credentials.createInsecure();
  const logging = new Logging({ projectId: 'local', apiEndpoint: '127.0.0.1', port, sslCreds } as ConstructorParameters<
    typeof Logging
  >[0]);
  const log = logging.log('grpc');
  await log.write(log.entry({ resource: { type: 'global' } }, 'over gRPC'));
  const [entries] = await logging.getEntries({ filter: 'logName:"grpc"', autoPaginate: false });
  expect(entries.map(({ data }) => data as unknown)).toContain('over gRPC');
  const { body } = await emulator.call('/v1/calls?method=logging.entries.write');
  expect(body.calls).toMatchObject([{ tenant: 'C00000001', status: 200 }]);
  expect((await emulator.stop('SIGKILL')).signal).toBe('SIGKILL');
  await waitUntilGone(emulator.workerd);
});
