interface ErrorRow {
  /** The HTTP status that it travels with. */
  readonly status: number
  /** The same call may succeed later. */
  readonly passing?: true
  /** What will refuse with it: nothing does yet. */
  readonly planned?: string
}

/** Every refusal that a caller can see. */
export const errorRows = {
  validation_failed: { status: 400 },
  confirmation_required: { status: 400 },
  endpoint_unresolvable: { status: 400 },
  unauthenticated: { status: 401 },
  forbidden: { status: 403 },
  not_found: { status: 404 },
  method_not_allowed: { status: 405 },
  request_timeout: { status: 408, passing: true },
  objective_blank: { status: 409 },
  objective_not_launchable: { status: 409 },
  mission_busy: { status: 409 },
  budget_exhausted: { status: 409 },
  budget_unknown_cost: { status: 409 },
  resource_read_only: { status: 409 },
  resource_not_connected: { status: 409 },
  resource_in_use: { status: 409 },
  no_agent: { status: 409 },
  ambiguous_objective: { status: 409 },
  nothing_to_attach: { status: 409 },
  session_active: { status: 409 },
  stale_execution: { status: 409 },
  session_ended: { status: 409 },
  question_open: { status: 409 },
  question_closed: { status: 409 },
  already_answered: { status: 409 },
  invalid_transition: { status: 409 },
  revision_mismatch: { status: 409 },
  order_conflict: { status: 409 },
  status_in_use: { status: 409 },
  already_exists: { status: 409 },
  last_owner: { status: 409 },
  queue_paused: { status: 409 },
  queue_busy: { status: 409 },
  queue_not_empty: { status: 409 },
  default_queue: { status: 409 },
  entry_in_flight: { status: 409 },
  mission_active: { status: 409 },
  not_in_review: { status: 409 },
  idempotency_expired: { status: 409 },
  lease_lost: { status: 409 },
  cancel_requested: { status: 409 },
  offset_mismatch: { status: 409 },
  body_expired: { status: 409 },
  runner_busy: { status: 409 },
  check_running: { status: 409, passing: true },
  runner_removed: { status: 410 },
  too_large: { status: 413 },
  unsupported_media_type: { status: 415 },
  idempotency_mismatch: { status: 422 },
  check_failed: { status: 422 },
  upgrade_required: { status: 426 },
  rate_limited: { status: 429, passing: true },
  headers_too_large: { status: 431 },
  internal: { status: 500 },
  unavailable: { status: 503, passing: true },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof errorRows

// The entries of the rows under the same keys; Object.fromEntries only says string.
export const errorStatus = Object.fromEntries(
  Object.entries(errorRows).map(([code, { status }]) => [code, status]),
) as { readonly [C in ErrorCode]: (typeof errorRows)[C]['status'] }

/** The same call may succeed later. */
export function isPassingCode(code: ErrorCode): boolean {
  const row: ErrorRow = errorRows[code]
  return row.passing ?? false
}
