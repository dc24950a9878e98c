import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Parts } from '@svc/standalone/parts/open-parts'
import type { PartsDatabase } from './parts-database.ts'

interface Sample {
  /** MiB of the largest process of each kind. */
  memory: Record<string, number>
  connections: number
}

interface Watch {
  /** The most of the first and of the last third, by what it is. */
  figures: () => [string, string][]
  /** Once it looks no more. */
  ended: Promise<void>
}

const everyMs = 2_000

/** Looks at what may grow, until the signal. */
export function watchParts(parts: Parts, database: PartsDatabase, signal: AbortSignal): Watch {
  const samples: Sample[] = []
  async function look(): Promise<void> {
    while (!signal.aborted) {
      // away for a moment
      const connections = await database.connections().catch(() => undefined)
      if (connections !== undefined) samples.push({ memory: memoryOf(parts), connections })
      await delay(everyMs, undefined, { signal }).catch(() => undefined)
    }
  }
  const third = () => Math.ceil(samples.length / 3)
  const most = (read: (one: Sample) => number, unit: string) => {
    const of = (some: Sample[]) => Math.max(0, ...some.map(read))
    return `${of(samples.slice(0, third()))}${unit} at first, ${of(samples.slice(-third()))}${unit} at last`
  }
  return {
    ended: look(),
    figures: () => [
      ...[...new Set(parts.all.map(({ kind }) => kind))].map((kind): [string, string] => [
        `memory of ${kind}`,
        most(({ memory }) => memory[kind] ?? 0, ' MiB'),
      ]),
      ['connections', most(({ connections }) => connections, '')],
    ],
  }
}

function memoryOf({ all }: Parts): Record<string, number> {
  const memory: Record<string, number> = {}
  for (const { kind, pid = 0 } of all) memory[kind] = Math.max(memory[kind] ?? 0, residentOf(pid))
  return memory
}

function residentOf(pid: number): number {
  try {
    const [, kib = 0] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kib) / 1024)
  } catch {
    return 0 // it has just ended
  }
}
