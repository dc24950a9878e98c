import { isIP } from 'node:net'
import { type Endpoint, type EndpointRefusal, parseEndpointUrl, refuse } from './endpoint-url.ts'
import { type Policy, mayReach } from './policy.ts'
import { UnresolvableError } from './resolve.ts'

/** Everything that is asked of a URL before it is kept: its text, and now every address of its host. */
export async function checkHost(text: string, policy: Policy): Promise<Endpoint | EndpointRefusal> {
  const endpoint = parseEndpointUrl(text, policy)
  if (!endpoint.ok || isIP(endpoint.target.host)) return endpoint
  const { target } = endpoint
  try {
    const addresses = await policy.resolve(target.host, target.entries.length > 0)
    const areGood = addresses.every((address) => mayReach(target, address, policy))
    return areGood ? endpoint : refuse('address')
  } catch (error) {
    if (error instanceof UnresolvableError) return refuse('unresolvable')
    throw error
  }
}
