/** PostgreSQL settings by name, as postgresql.conf has them. */
export type Settings = Record<string, string | number>

/** `durable: false` gives up safety against power loss, for databases that a test throws away. */
export function serverSettings(own: Settings, durable: boolean, socketFolder: string): Settings {
  return {
    max_connections: 100,
    shared_buffers: '128MB',
    max_wal_size: '1GB',
    // every statement here is short: compiling one costs more than it could save
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // on the server of the tests there are many services at once
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', max_connections: 300 }),
    ...own,
    listen_addresses: '',
    unix_socket_directories: socketFolder,
  }
}

export function serverArguments(data: string, settings: Settings): string[] {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', data, ...options]
}
