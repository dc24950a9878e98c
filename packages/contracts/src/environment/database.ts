import { onOrOff, postgresUrl, whole } from './forms.ts'
import type { EnvironmentVariable } from './variable.ts'

/** The database, and how a process uses it. */
export const databaseVariables = {
  DATABASE_URL: {
    description: 'PostgreSQL 15 or newer',
    unset: 'embedded in the standalone app, else required',
    secret: true,
    serverOnly: true,
    schema: postgresUrl,
  },
  SVC_DATABASE_DIRECT_URL: {
    description: 'the same database past a pooler: LISTEN and migrations',
    unset: 'DATABASE_URL',
    secret: true,
    serverOnly: true,
    schema: postgresUrl,
  },
  SVC_POOL_SIZE: {
    description: 'database connections of one process',
    default: '10',
    serverOnly: true,
    schema: whole(2, 200),
  },
  SVC_PREPARED_STATEMENTS: {
    description: 'prepare statements that recur; off behind a pooler that keeps none',
    default: 'on',
    serverOnly: true,
    schema: onOrOff,
  },
  SVC_NOTIFY: {
    description: 'wake other processes by NOTIFY; off costs latency and nothing else',
    default: 'on',
    serverOnly: true,
    schema: onOrOff,
  },
} as const satisfies Record<string, EnvironmentVariable>
