import { readFileSync } from 'node:fs'
import { availableParallelism, freemem, uptime } from 'node:os'

const bytesPerRun = 600 * 1024 * 1024

/** Runs at once by default: the smaller of twice the cores and the free memory over 600 MB, and never none. */
export function defaultMax(): number {
  return Math.max(1, Math.min(2 * availableParallelism(), Math.floor(freemem() / bytesPerRun)))
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
