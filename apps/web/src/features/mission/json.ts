import type { RouteRequest } from '@svc/contracts/rest'

type Json = RouteRequest<'setSharedState'>['value']

/** What a text says as JSON; undefined where it is none. */
export function jsonOf(text: string): { json: Json } | undefined {
  try {
    // JSON.parse gives JSON
    return { json: JSON.parse(text) as Json }
  } catch {
    return undefined
  }
}
