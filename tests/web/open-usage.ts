import type { RouteOutput } from '@svc/contracts/rest'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

type Sum = RouteOutput<'getUsage'>['total']
type Cells = Record<string, string>

/** The rows of a table of sums by their keys, each with its cells. */
export function rowsOf(page: Page, label: string): Promise<Record<string, Cells>> {
  return page.evaluate<Record<string, Cells>>(`Object.fromEntries(
    [...document.querySelectorAll('table[aria-label="${label}"] tr[data-row]')].map((row) => [
      row.dataset.row,
      Object.fromEntries([...row.querySelectorAll('[data-cell]')].map((cell) => [cell.dataset.cell, cell.textContent])),
    ]))`)
}

const number = (value: number) => value.toLocaleString('en-US')

/** What the cells of such a sum are to say. */
export function cellsOf({ ends, ...sum }: Sum): Cells {
  const { runs, runsOfUnknownCost: untold, runsOfUnknownTokens, usd, seconds } = sum
  const over = Object.values(ends).reduce((all, count) => all + count, 0)
  const tellsTokens = runsOfUnknownTokens < runs
  return {
    runs: number(runs),
    ...Object.fromEntries(Object.entries(ends).map(([end, count]) => [end, number(count)])),
    open: number(runs - over),
    cost: untold < runs ? `$${usd}` : 'cost not told by the tool',
    untold: number(untold),
    inputTokens: tellsTokens ? number(sum.inputTokens) : 'not told by the tool',
    outputTokens: tellsTokens ? number(sum.outputTokens) : 'not told by the tool',
    seconds: expect.stringMatching(seconds === 0 ? /^0 s$/ : /[1-9]/) as string,
  }
}

interface DrawnPart {
  value: number
  /** Of the longest bar, in hundredths. */
  length: number
  /** Where it begins, from the beginning of its bar. */
  from: number
}

/** The parts of each bar of a chart as they are drawn, by the key of the bar. */
export async function drawnBars(
  page: Page,
  measure: 'runs' | 'cost',
): Promise<Record<string, Record<string, DrawnPart>>> {
  return page.evaluate(`Object.fromEntries(
    [...document.querySelectorAll('svg[role=img][data-measure=${measure}] [data-bar]')].map((bar) => [
      bar.dataset.bar,
      Object.fromEntries([...bar.querySelectorAll('rect')].map((rect) => {
        const box = rect.getBBox()
        return [rect.dataset.of, { value: Number(rect.dataset.value), length: box.height, from: 100 - box.y - box.height }]
      })),
    ]))`)
}

/** What a chart draws and what the table next to it says is the same: each part by its value and its length. */
export async function expectSameDrawn(page: Page): Promise<void> {
  const rows = await rowsOf(page, 'Usage by week')
  const [runs, cost] = [await drawnBars(page, 'runs'), await drawnBars(page, 'cost')]
  expect(Object.keys(rows).length).toBeGreaterThan(0)
  const most = Math.max(...Object.values(rows).map(({ runs: count }) => Number(count)))
  const dollars = ({ cost: told = '' }: Cells) => Number(/^\$(.+)$/.exec(told)?.[1] ?? 0)
  const mostDollars = Math.max(...Object.values(rows).map(dollars))
  for (const [week, bar] of Object.entries(runs)) {
    const row = rows[week]
    if (row === undefined) {
      expect([week, bar, cost[week]]).toEqual([week, {}, {}])
      continue
    }
    let from = 0
    for (const end of ['delivered', 'exited', 'lost', 'cancelled', 'failed', 'open']) {
      const value = Number(row[end])
      const part = bar[end]
      expect([week, end, part?.value ?? 0]).toEqual([week, end, value])
      if (part === undefined) continue
      expect(part.length).toBeCloseTo((value / most) * 100, 2)
      expect(part.from).toBeCloseTo(from, 2)
      from += part.length
    }
    const told = cost[week]?.['cost']
    expect([week, told?.value]).toEqual([
      week,
      row['cost']?.startsWith('$') ? dollars(row) : undefined,
    ])
    if (told) expect(told.length).toBeCloseTo((dollars(row) / mostDollars) * 100, 2)
    expect([week, cost[week]?.['untold']?.value ?? 0]).toEqual([week, Number(row['untold'])])
  }
}
