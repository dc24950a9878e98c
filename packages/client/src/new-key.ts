/** A name that nothing else has: a UUID. A page that comes by plain HTTP from another machine is given no `randomUUID`. */
export function newKey(): string {
  const maker: { randomUUID?: () => string } = crypto
  return maker.randomUUID?.() ?? uuidOf(crypto.getRandomValues(new Uint8Array(16)))
}

/** As RFC 9562 makes version 4 of random bytes. */
export function uuidOf(random: Uint8Array): string {
  const bytes = Uint8Array.from(random)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
