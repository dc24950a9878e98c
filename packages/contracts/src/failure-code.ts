import { z } from 'zod'

interface FailureRow {
  /** What will fail with it: nothing does yet. */
  readonly planned?: string
}

/** Why a run failed before its agent was at work, as the runner says it. */
export const failureCodes = {
  agent_not_found: {},
  auth_required: {},
  bad_flag: {},
  bad_order: {},
  bad_placeholder: {},
  bad_working_directory: {},
  branch_conflict: {},
  branch_gone: {},
  dirty_checkout: {},
  disk_full: {},
  launch_config_untrusted: {},
  pre_command_failed: {},
  pre_command_timeout: {},
} as const satisfies Record<string, FailureRow>

export type FailureCode = keyof typeof failureCodes

// The keys of an object literal are its key type; Object.keys only says string.
export const FailureCode = z.enum(Object.keys(failureCodes) as FailureCode[])
