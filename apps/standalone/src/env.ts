import { ApiEnvironment } from '@svc/api/env'
import { DispatcherEnvironment } from '@svc/dispatcher/env'
import { variable } from '@svc/process/env'
import type { z } from 'zod'

/** The settings of an API process without those that the standalone app makes itself: database, keys, address. */
export const StandaloneEnvironment = ApiEnvironment.omit({
  DATABASE_URL: true,
  SVC_SECRET_KEYS: true,
  SVC_PORT: true,
  SVC_DRAIN_SECONDS: true,
}).extend({
  ...DispatcherEnvironment.pick({ SVC_COMPOSER_MODEL: true, SVC_COMPOSER_KEY: true }).shape,
  DATABASE_URL: variable('DATABASE_URL').optional(),
  SVC_SECRET_KEYS: variable('SVC_SECRET_KEYS').optional(),
  SVC_DATA_DIR: variable('SVC_DATA_DIR'),
  SVC_PORT: variable('SVC_PORT', 'standalone'),
  SVC_DRAIN_SECONDS: variable('SVC_DRAIN_SECONDS', 'standalone'),
  SVC_MCP_ENABLED: variable('SVC_MCP_ENABLED'),
  SVC_BASE_URL: variable('SVC_BASE_URL').optional(),
  // read by its runner, which would end again and again where it cannot be read
  SVC_RUNNER_MAX_RIGHTS: variable('SVC_RUNNER_MAX_RIGHTS'),
})
export type StandaloneEnvironment = z.infer<typeof StandaloneEnvironment>
