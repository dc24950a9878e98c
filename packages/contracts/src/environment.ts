import { accessVariables } from './environment/access.ts'
import { callLimitVariables } from './environment/call-limits.ts'
import { databaseVariables } from './environment/database.ts'
import { observingVariables } from './environment/observing.ts'
import { outgoingVariables } from './environment/outgoing.ts'
import { retentionVariables } from './environment/retention.ts'
import { runnerVariables } from './environment/runner.ts'
import { servingVariables } from './environment/serving.ts'
import { testVariables } from './environment/testing.ts'
import { timingVariables } from './environment/timings.ts'

export { type EnvironmentVariable, describeDefault } from './environment/variable.ts'

/** Every variable that configures a process of ours, over all apps, by what it is about. Decision 65. */
export const environmentVariables = {
  ...databaseVariables,
  ...servingVariables,
  ...accessVariables,
  ...callLimitVariables,
  ...timingVariables,
  ...retentionVariables,
  ...outgoingVariables,
  ...observingVariables,
  ...runnerVariables,
  ...testVariables,
} as const

export type EnvironmentName = keyof typeof environmentVariables
