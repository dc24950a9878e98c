import { z } from 'zod'

/**
 * What a call takes in a field that refuses nothing: anything, as it came. It is read behind the contract, piece by
 * piece, each with a warning. So many levels of it are kept: what lies deeper is nothing that is read, and a walk
 * through it could overflow the stack.
 */
export const advice = (levels: number) => z.unknown().overwrite((given) => cutBelow(levels, given))

function cutBelow(levels: number, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return null
  if (Array.isArray(value)) return value.map((inner) => cutBelow(levels - 1, inner))
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, cutBelow(levels - 1, inner)]),
  )
}
