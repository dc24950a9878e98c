import { type EndName, type Sum, countOf, endNames, tellsCost } from './sums.ts'

/** A part of a bar, from its place on for its length, in a hundredth of the longest bar there is. */
export interface Part {
  of: EndName | 'cost' | 'untold'
  value: number
  from: number
  length: number
}

export type Measure = 'runs' | 'cost'

const whole = 100
/** What was not told has no length of its own: it is marked. */
const mark = 5

/** What the longest of them stands for. */
export function mostOf(sums: readonly Sum[], measure: Measure): number {
  return Math.max(0, ...sums.map((sum) => valueOf(sum, measure)))
}

export function valueOf({ runs, usd }: Sum, measure: Measure): number {
  return measure === 'runs' ? runs : Number(usd)
}

/** The bar of a sum next to those of others, of which the longest stands for so much. */
export function partsOf(sum: Sum, measure: Measure, most: number): Part[] {
  const scale = (value: number) => (most === 0 ? 0 : (value / most) * whole)
  if (measure === 'cost') {
    const length = scale(Number(sum.usd))
    const cost: Part = { of: 'cost', value: Number(sum.usd), from: 0, length }
    const untold: Part = { of: 'untold', value: sum.runsOfUnknownCost, from: 0, length: mark }
    return [...(tellsCost(sum) ? [cost] : []), ...(sum.runsOfUnknownCost > 0 ? [untold] : [])]
  }
  let from = 0
  return endNames.flatMap((end) => {
    const value = countOf(sum, end)
    if (value === 0) return []
    const part: Part = { of: end, value, from, length: scale(value) }
    from += part.length
    return [part]
  })
}
