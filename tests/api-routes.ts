import { createApi } from '@svc/api/app'
import type { Domain } from '@svc/domain/domain'
import { createLog } from '@svc/process/log'
import { LimitsEnvironment, limiterOf } from '@svc/service/limits'

const log = createLog({ name: 'test', level: 'silent' })
const limiter = limiterOf(LimitsEnvironment.parse({}))

/** Methods and paths of all that the API serves. */
export function apiRoutes(domain: Domain) {
  const baseUrl = () => 'http://localhost'
  return createApi({ domain, log, limiter, baseUrl, oauth: { takesDocuments: true } }).routes
}
