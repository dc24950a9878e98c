/** Hosts that are this computer, as addresses name them. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** A host as an address has it. */
export const hostInAddress = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Where this computer reaches what listens at a host: there, if it is a name of its own, else at 127.0.0.1. */
export function loopbackOrigin(host: string, port: number): string {
  const hostname = URL.parse(`http://${hostInAddress(host)}`)?.hostname ?? ''
  const isOwn = loopbackHosts.includes(hostname) || hostname.startsWith('127.')
  return `http://${isOwn ? hostname : '127.0.0.1'}:${port}`
}
