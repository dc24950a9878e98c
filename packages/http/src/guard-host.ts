import { ServiceError } from '@svc/contracts/errors'
import { echoed } from '@svc/contracts/echoed'
import type { HttpApp } from './create-app.ts'
import { loopbackHosts } from './loopback.ts'
import type { HttpContext } from './request-context.ts'

export interface OwnHosts {
  /** The public origin. */
  baseUrl: () => string
  /** Further hosts that the service is called by, each for any port unless it names one. SVC_SERVED_HOSTS. */
  served: readonly string[]
}

/**
 * Refuses what was sent to another host, before anything else is read: a page whose name is made to lead here speaks with
 * us as if we were it. What is bound before this is asked by whoever finds it. T-27.
 */
export function guardHost(app: HttpApp, own: OwnHosts): void {
  app.use(async (context, next) => {
    const host = hostOf(context)
    const base = new URL(own.baseUrl())
    if (!isOwn(host, base, own.served) && !isOfThisComputer(context, host)) {
      throw new ServiceError(
        'forbidden',
        `This service is not at ${echoed(host) || 'a host without a name'}. Call it at ${base.origin}, or let its operator add the host to SVC_SERVED_HOSTS.`,
      )
    }
    await next()
    if (base.protocol === 'https:') {
      context.res.headers.set('strict-transport-security', `max-age=${365 * 86_400}`)
    }
  })
}

/** In lower case, with its port. Without the header, as in a request of no network, that of its address. */
function hostOf(context: HttpContext): string {
  return (context.req.header('host') ?? new URL(context.req.url).host).toLowerCase()
}

function isOwn(host: string, base: URL, served: readonly string[]): boolean {
  const names = loopbackHosts.includes(base.hostname) ? loopbackHosts : [base.hostname]
  const usual = base.protocol === 'https:' ? '443' : '80'
  const port = base.port || usual
  const hosts = names.flatMap((name) => [`${name}:${port}`, ...(port === usual ? [name] : [])])
  return hosts.includes(host) || served.includes(host) || served.includes(nameOf(host))
}

/** Whoever calls from here reaches it by a name of this computer, and perhaps by the port of a tunnel. */
function isOfThisComputer(context: HttpContext, host: string): boolean {
  const address = context.env.incoming?.socket.localAddress ?? ''
  return /^(?:::ffff:)?127\.|^::1$/.test(address) && loopbackHosts.includes(nameOf(host))
}

function nameOf(host: string): string {
  return host.replace(/:\d{1,5}$/, '')
}
