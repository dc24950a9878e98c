import type { CheckedEndpoint } from '@svc/contracts/webhook-subscription'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { announce } from '../../ui/announce.ts'

const waitMs = 600

/**
 * What the service would say of an address: asked when somebody pauses while they type it, or leaves it. The answer counts
 * for exactly the address that it was asked of. Where there is none nothing is said: saving will say it.
 */
export function useEndpointCheck(typed: string): {
  verdict: CheckedEndpoint | undefined
  check: () => void
} {
  const { service } = useWorkspace()
  const url = typed.trim()
  const [known, setKnown] = useState<{ url: string; verdict: CheckedEndpoint }>()
  const asked = useRef('')
  const check = useCallback(async () => {
    if (url === '' || asked.current === url) return
    asked.current = url
    try {
      const { endpoint } = await service.call('checkEndpoint', { endpointUrl: url })
      if (asked.current !== url) return
      setKnown({ url, verdict: endpoint })
      if (endpoint.refusal) announce(endpoint.refusal.message)
    } catch {
      if (asked.current === url) asked.current = ''
    }
  }, [service, url])
  useEffect(() => {
    const timer = setTimeout(() => void check(), waitMs)
    return () => clearTimeout(timer)
  }, [check])
  return {
    verdict: known?.url === url ? known.verdict : undefined,
    check: () => void check(),
  }
}
