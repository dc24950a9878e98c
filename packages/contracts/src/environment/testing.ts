import { postgresUrl, text } from './forms.ts'
import type { EnvironmentVariable } from './variable.ts'

/** The tests of this repository. */
export const testVariables = {
  SVC_TEST_DATABASE_URL: {
    description: 'a PostgreSQL server for the tests',
    unset: 'an embedded one',
    secret: true,
    schema: postgresUrl,
  },
  SVC_TEST_BROWSER: {
    description: 'the program of a Chromium or Chrome for the tests',
    unset: 'an installed one, else the one from npm',
    schema: text,
  },
} as const satisfies Record<string, EnvironmentVariable>
