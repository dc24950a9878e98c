/** Processor time from /proc, which Linux alone has; elsewhere it is nothing. */
import { readFileSync, readdirSync } from 'node:fs'

/** A hundredth of a second on every Linux that Node runs on. */
const tickMs = 10

interface Times {
  parent: number
  own: number
  /** The processor time of children that have ended and were waited for. */
  ended: number
}

function timesOf(pid: number): Times | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // the name before the last parenthesis may hold anything
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const at = (index: number) => Number(fields[index])
    return { parent: at(1), own: (at(11) + at(12)) * tickMs, ended: (at(13) + at(14)) * tickMs }
  } catch {
    return undefined
  }
}

/** Milliseconds of the process itself. */
export function cpuOf(pid: number): number {
  return timesOf(pid)?.own ?? 0
}

function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** Milliseconds of the process and of every child that it has or had. */
export function cpuWithChildren(pid: number): number {
  const mine = timesOf(pid)
  const children = processes()
    .map(timesOf)
    .filter((times) => times?.parent === pid)
  return children.reduce(
    (sum, child) => sum + (child?.own ?? 0),
    (mine?.own ?? 0) + (mine?.ended ?? 0),
  )
}
