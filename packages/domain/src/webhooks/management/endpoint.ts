import { ServiceError } from '@svc/contracts/errors'
import type { Domain } from '../../domain.ts'
import { validationFailed } from '../../errors.ts'

/** The address as it is kept, or the refusal; asked before a transaction begins, since it asks the DNS. */
export async function checkEndpoint({ outbound }: Domain, url: string): Promise<string> {
  const verdict = await outbound.check(url)
  if (verdict.ok) return verdict.url
  if (verdict.rule !== 'unresolvable') throw validationFailed('endpointUrl', verdict.message)
  throw new ServiceError('endpoint_unresolvable', verdict.message, {
    fields: [{ path: 'endpointUrl', message: verdict.message }],
  })
}
