import { readFileSync, readdirSync } from 'node:fs'
import { findStep } from '@svc/runner/run/journal'
import type { Machine } from '../e2e/support/machine.ts'

/** Proportional memory of what a run consists of, in MB. */
export interface Memory {
  /** Every process of the agent. */
  agent: number
  supervisor: number
}

/** Of the newest run of the machine, while its agent waits for the model. */
export function memoryOfRun(machine: Machine): Memory {
  const steps = machine.runs().at(-1)?.steps ?? []
  const supervisor = findStep(steps, 'supervisor')?.pid
  const agent = findStep(steps, 'spawned')?.pid
  if (supervisor === undefined || agent === undefined) throw new Error('the run has no agent yet')
  const sum = treeOf(agent).reduce((total, pid) => total + proportionalMemory(pid), 0)
  return { agent: sum, supervisor: proportionalMemory(supervisor) }
}

/** When the agent of the newest run was spawned, on this machine's clock. */
export async function startOf(machine: Machine): Promise<number> {
  const { pidStartedAt } = await machine.step('spawned')
  const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])
  return Date.now() - uptime * 1000 + Number(pidStartedAt) * 10
}

export function proportionalMemory(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

function treeOf(root: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(name)]),
  )
  const below = (pid: number): number[] => [
    pid,
    ...[...parents].flatMap(([child, parent]) => (parent === pid ? below(child) : [])),
  ]
  return below(root)
}

function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}
