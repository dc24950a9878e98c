/** The address that access is asked for. RFC 8707. */
export function canonicalResource(baseUrl: string): string {
  return `${baseUrl}/mcp`
}

/** None names the canonical one; each that is given must be it, but for the case of scheme and host and the usual port. */
export function isCanonical(given: readonly string[], resource: string): boolean {
  return given.every((one) => normalise(one) === normalise(resource))
}

function normalise(text: string): string | undefined {
  const parts = /^(https?):\/\/([^/?#@\\\s]+)([^\\\s]*)$/i.exec(text)
  const [, scheme = '', authority = '', rest = ''] = parts ?? []
  if (!parts) return undefined
  const usual = scheme.toLowerCase() === 'https' ? ':443' : ':80'
  const host = authority.toLowerCase()
  return `${scheme.toLowerCase()}://${host.endsWith(usual) ? host.slice(0, -usual.length) : host}${rest}`
}
