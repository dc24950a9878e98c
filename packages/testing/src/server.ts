import pg from 'pg'

/** What the global set-up hands to the test files. */
export type TestServer = {
  /** Connects as a user who may create databases. */
  url: string
  /** The migrated database to clone. */
  template: string
  /** Others use the server too, so what a run creates on it must be dropped. */
  shared: boolean
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestServer
  }
}

/** The same server, another database. Not by `URL`, which takes no address without a host. */
export function databaseUrl(serverUrl: string, database: string): string {
  return serverUrl.replace(/^(\w+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${database}`)
}

/** Runs one statement outside a transaction, as `create database` demands. */
export async function onServer(server: TestServer, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
