import { ServiceError } from '@svc/contracts/errors'

const listedBy = {
  project: 'svc projects list',
  mission: 'svc missions list',
  objective: 'svc objectives list <mission>',
  'execution request': 'svc runs list',
  artifact: 'svc missions show <mission>',
  session: 'svc protocol attach',
  status: 'svc projects show <project>',
  resource: 'svc resource list <project>',
  token: 'svc tokens list',
  webhook: 'svc webhooks list',
  'webhook delivery': 'svc webhooks deliveries <webhook>',
} as const

/** Absent, invisible and foreign are one answer, word for word. */
export function notFound(kind: keyof typeof listedBy, ref: string): ServiceError {
  return new ServiceError('not_found', `No ${kind} ${ref} here. List them with: ${listedBy[kind]}`)
}

export function validationFailed(field: string, message: string): ServiceError {
  return new ServiceError('validation_failed', `${field}: ${message}`, {
    fields: [{ path: field, message }],
  })
}
