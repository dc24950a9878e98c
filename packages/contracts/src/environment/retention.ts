import { limits } from '../limits.ts'
import { whole } from './forms.ts'
import type { EnvironmentVariable } from './variable.ts'

/** How much is kept, and for how long. */
export const retentionVariables = {
  SVC_RUN_LOG_MIB: {
    description:
      'how much of its output a run keeps, in MiB, its beginning and its end; runners are told with each launch',
    default: String(limits.logMiB),
    serverOnly: true,
    schema: whole(1, limits.logMiBMax),
  },
  SVC_LOG_QUOTA_GIB: {
    description:
      'how much the output of all runs of one workspace may take up, compressed, in GiB: what is oldest goes first',
    default: String(limits.logQuotaGiB),
    serverOnly: true,
    schema: whole(1, 100_000),
  },
  SVC_AUDIT_DAYS: {
    description:
      'how many days the audit trail is kept, 30 at least; what is older goes, and an entry says how much that was',
    default: String(limits.auditDays),
    serverOnly: true,
    schema: whole(30, 100_000),
  },
} as const satisfies Record<string, EnvironmentVariable>
