import { readFileSync } from 'node:fs'
import { availableParallelism, freemem, totalmem, uptime } from 'node:os'

const bytesPerRun = 600 * 1024 * 1024

/** How many runs there are at once by default. */
export function defaultMax(): number {
  return runsAtOnce({
    platform: process.platform,
    cores: availableParallelism(),
    totalBytes: totalmem(),
    freeBytes: freemem(),
    availableBytes: process.availableMemory(),
  })
}

interface Machine {
  platform: NodeJS.Platform
  cores: number
  totalBytes: number
  freeBytes: number
  /** To this process, whose container may be given less than the machine has. */
  availableBytes: number
}

/** The smaller of twice the cores and the memory for runs over 600 MB, and never none. */
export function runsAtOnce({ cores, ...memory }: Machine): number {
  return Math.max(1, Math.min(2 * cores, Math.floor(bytesForRuns(memory) / bytesPerRun)))
}

function bytesForRuns(memory: Omit<Machine, 'cores'>): number {
  // macOS keeps next to nothing free: it counts no memory as such that it would give back at once
  if (memory.platform === 'darwin') return memory.totalBytes / 2
  return Math.min(memory.freeBytes, memory.availableBytes)
}

/** Another one after every start of the machine. */
export function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    // The minute of the start: where the system has no such id, a clock that was set may look like a reboot.
    return `boot-${Math.round((Date.now() / 1000 - uptime()) / 60)}`
  }
}
